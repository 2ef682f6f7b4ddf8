import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startProvider } from '../../sandbox/provider/server.ts';
import { execute, readZone, sameRecord, stepOf, verify } from '../../src/commands/dns/changes.ts';
import type { ReadContext, WriteContext } from '../../src/core/command/command.ts';
import type { ZoneChange } from '../../src/core/dns/zone-diff.ts';
import { defined } from '../../src/core/text/defined.ts';
import { type Provider, type Reader, readerOf } from '../../src/provider/client.ts';
import { apiKey, errorOf, openProvider } from '../provider/open.ts';
import { hasNeighbors, startDjango } from './debian.ts';

/**
 * The provider's API is made with Django REST Framework. A stock one of Debian with only the documented fields shows
 * the framework's own answers: Hostler reads and writes through it, and the simulated provider is compared with it.
 */

const www = { host: 'www', type: 'A', value: '192.0.2.10', prio: null, ttl: 300 } as const;

interface Answered {
  readonly status: number;
  readonly body: unknown;
}

async function ask(base: string, key: string, method: string, path: string, body?: string): Promise<Answered> {
  const headers = { authorization: `Api-Key ${key}`, 'content-type': 'application/json' };
  const answer = await fetch(`${base}${path}`, { method, headers, ...defined({ body }) });
  const words = await answer.text();
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
  return { status: answer.status, body: isJson ? comparable(JSON.parse(words)) : words.slice(0, 1) };
}

/**
 * Leaves out the parts that may differ: times and ids; a priority or TTL that is null, which the provider's samples
 * leave out; how a 404 is worded, which newer versions do with the name of the model.
 */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(
    ([name, it]) => it !== null && !['id', 'created', 'updated'].includes(name),
  );
  return Object.fromEntries(kept.map(([name, it]) => [name, isNotFound(name, it) ? 'Not found.' : comparable(it)]));
}

function isNotFound(name: string, words: unknown): boolean {
  return name === 'detail' && /^No \w+ matches the given query\.$/.test(String(words));
}

describe.skipIf(!hasNeighbors())("Debian's Django REST Framework", () => {
  let url: string;
  beforeAll(async () => {
    const ends: (() => Promise<void>)[] = [];
    ({ url } = await startDjango((end) => ends.push(end)));
    return async () => {
      for (const end of ends.toReversed()) await end();
    };
  });
  let made = 0;
  /** A provider on the server, and a domain of one test. */
  async function open() {
    const { provider } = openProvider(url);
    const domain = `drf-${++made}.example`;
    await provider.dns.createDomain({ name: domain, ip: '192.0.2.1' });
    return { provider, domain };
  }

  test('a record is added, changed and removed, and each change is read back', async () => {
    const { provider, domain } = await open();
    const reader = readerOf(provider);
    // The commands use nothing else of the contexts.
    const read = { reader } as ReadContext<Reader>;
    const write = { provider } as WriteContext<Provider>;
    const run = async (change: ZoneChange) => {
      const step = await sameRecord(stepOf(change, domain), read);
      await execute(step, write);
      return (await verify(step, read)).is;
    };
    const zone = async () => (await readZone(reader, domain)).map(({ id: _, ...one }) => one);
    const idOf = async (host: string) => (await readZone(reader, domain)).find((one) => one.host === host)?.id ?? 0;
    const apex = { host: '@', type: 'A', value: '192.0.2.1', prio: null, ttl: null };
    expect(await run({ do: 'add', after: www })).toBe('so');
    expect(await zone()).toEqual([apex, www]);
    const changed = { ...www, value: '192.0.2.77', ttl: null };
    expect(await run({ do: 'change', id: await idOf('www'), before: www, after: changed })).toBe('so');
    expect(await zone()).toEqual([apex, changed]);
    expect(await run({ do: 'remove', id: await idOf('www'), before: changed })).toBe('so');
    expect(await zone()).toEqual([apex]);
    await expect(run({ do: 'remove', id: 99, before: changed })).rejects.toThrow('changed since the request');
  });

  test('lists are read page by page, with any page size', async () => {
    const { provider } = openProvider(url);
    const names = Array.from({ length: 13 }, (_, n) => `page-${String(n).padStart(2, '0')}.example`);
    for (const name of names) await provider.dns.createDomain({ name, ip: '192.0.2.1' });

    const found = (await provider.dns.domains()).map(({ name }) => name);
    expect(found.filter((name) => name.startsWith('page-'))).toEqual(names);
    const throughProxy = openProvider(url.replace('127.0.0.1', 'localhost'));
    // The server allows no other host name, and says so with a page of HTML.
    expect(await errorOf(throughProxy.provider.dns.domains())).toMatchObject({ status: 400 });
  });

  test('a refused call fails with the status and the message of the server', async () => {
    const { provider, domain } = await open();
    const error = await errorOf(provider.dns.createDomain({ name: domain, ip: '192.0.2.1' }));
    expect(error).toMatchObject({ kind: 'invalid', status: 400, message: expect.stringContaining('already exists') });
    const shown = await errorOf(provider.dns.deleteEntry({ name: domain, id: 99 }));
    expect(shown).toMatchObject({ status: 404, message: expect.stringContaining('Not found.') });
    const stranger = openProvider(url, { apiKey: 'CANARY12.another' });
    const outcome = await errorOf(stranger.provider.dns.domains());
    expect(outcome).toMatchObject({ status: 401, message: expect.stringContaining('credentials') });
    const elsewhere = openProvider(`${url}/elsewhere`);
    expect(await errorOf(elsewhere.provider.dns.domains())).toMatchObject({ status: 404 });
  });

  test('after 429 a read is retried after the named time, and a write is sent once', async () => {
    const limited = await startDjango(onTestFinished, '1/min');
    const { provider, pausesMs } = openProvider(limited.url);
    expect(await provider.dns.domains()).toEqual([]);
    expect(await errorOf(provider.dns.domains())).toMatchObject({ status: 429 });
    expect(pausesMs).toHaveLength(2);
    for (const ms of pausesMs) expect(ms).toBeGreaterThan(50_000);
    expect(await errorOf(provider.dns.createDomain({ name: 'a.example', ip: '192.0.2.1' }))).toMatchObject({
      status: 429,
    });
    expect(pausesMs).toHaveLength(2);
  });

  test('the simulated provider responds like Django to the same requests', async () => {
    const domain = 'compared.example';
    const simulated = await startProvider();
    onTestFinished(() => simulated.close());
    const entries = `/dns/domain/${domain}/entry_set/`;
    const record = (more: object) => JSON.stringify({ host: 'api', type: 'A', value: '192.0.2.10', ...more });
    const created = JSON.stringify({ name: domain, ip: '192.0.2.1' });
    for (const [base, key] of [
      [url, apiKey],
      [simulated.url, simulated.key],
    ] as const) {
      // Only what is in it differs: the simulated provider adds name servers and www by itself.
      const result = await ask(base, key, 'POST', '/dns/domain/', created);
      expect(result).toMatchObject({ status: 201, body: { name: domain } });
    }
    const requests: readonly (readonly [method: string, path: string, body?: string])[] = [
      ['POST', '/dns/domain/', created],
      ['POST', '/dns/domain/', JSON.stringify({ name: '', ip: 'nowhere' })],
      ['POST', '/dns/domain/', '{}'],
      ['POST', '/dns/domain/', JSON.stringify({ name: 'x'.repeat(129), ip: '192.0.2.1' })],
      ['POST', '/dns/domain/', '{"name":'],
      ['POST', '/dns/domain/', '[]'],
      ['POST', entries, record({ ttl: 300 })],
      ['POST', entries, record({ host: 'plain' })],
      ['POST', entries, record({ host: 'text', type: 'TXT', value: 'a "quoted" \\ text – ü' })],
      ['POST', entries, '{}'],
      ['POST', entries, record({ type: 'PTR' })],
      ['POST', entries, record({ type: null })],
      ['POST', entries, record({ value: '' })],
      ['POST', entries, record({ value: 'x'.repeat(1025) })],
      ['POST', entries, record({ host: 'x'.repeat(256) })],
      ['POST', entries, record({ prio: 'high' })],
      ['POST', entries, record({ prio: -1 })],
      ['POST', entries, record({ ttl: 7 })],
      ['GET', `${entries}?type=TXT`],
      ['PUT', `${entries}99/`, record({})],
      ['DELETE', `${entries}99/`],
      ['PATCH', '/dns/domain/', '{}'],
      ['GET', '/nothing/here/'],
      ['DELETE', `/dns/domain/${domain}/`],
      ['DELETE', `/dns/domain/${domain}/`],
    ];
    for (const [method, path, body] of requests) {
      const real = await ask(url, apiKey, method, path, body);
      expect
        .soft(await ask(simulated.url, simulated.key, method, path, body), `${method} ${path} ${body}`)
        .toEqual(real);
    }
    expect
      .soft(await ask(simulated.url, 'wrong', 'GET', '/dns/domain/'))
      .toEqual(await ask(url, 'wrong', 'GET', '/dns/domain/'));
  });
});
