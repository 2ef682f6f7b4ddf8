import { expect, test } from 'vitest';
import { noProber, type Prober } from '../../../src/core/probe/services.ts';
import { createProber } from '../../../src/outside/prober.ts';
import { requested } from '../../engine/told.ts';
import { serversOutside } from '../../support/bot/servers-outside.ts';

async function answered(line: string, prober: Prober, nameServers?: object): Promise<string> {
  const bot = await requested(line, { process: { prober, ...nameServers } });
  return bot.transcript();
}

const answers = ['ssh', 'http', 'https example.com', 'https www.example.com'];
const leads = { 'www.example.com': ['192.0.2.10', '192.0.2.11'], 'example.com': ['192.0.2.10'] };

test.each(['is www.example.com up', 'check www.example.com', 'dns check www.example.com', 'is www.example.com down?'])(
  '“%s” tries the name at each address, and names the servers',
  async (line) => {
    const { prober, silent } = serversOutside(answers, leads);
    silent.add('192.0.2.11');
    const text = await answered(line, prober);
    expect(text).toContain('www.example.com  [answers at 1 of 2 addresses]');
    expect(text).toContain('192.0.2.10 (web-1): https www.example.com (12 ms), http (12 ms) and ssh (12 ms) answer');
    expect(text).toContain('192.0.2.11 (web-2): https www.example.com, http, ssh: it did not answer in time');
  },
);

test('the name servers are compared with the zone, and one that differs is named', async () => {
  const addressOf = (name: string) => (name.startsWith('ns1') ? '192.0.2.66' : '192.0.2.10');
  const asked = (record: string) => ({ kind: 'records' as const, records: [{ data: record, ttl: 300 }] });
  const nameServers = (isSame: boolean) => ({
    nameServers: { admit: () => true, query: async (name: string) => asked(isSame ? '192.0.2.10' : addressOf(name)) },
  });
  const { prober } = serversOutside(answers, leads);
  expect(await answered('dns check example.com www', prober, nameServers(true))).toMatch(
    /All \d name servers answer as the zone has it \(A\)\./,
  );
  const other = await answered('dns check example.com www', prober, nameServers(false));
  expect(other).toMatch(/ns1\.\S+ still answers something else\. .+ as the zone has it \(A\)\./);
});

test('a name that leads to an address of this machine or of a private network is named and not opened', async () => {
  const resolver = {
    resolve4: async () => ['127.0.0.1', '169.254.169.254', '10.0.0.5'],
    resolve6: async () => ['::ffff:127.0.0.1'],
  };
  const text = await answered('dns check www.example.com', createProber({ resolver }));
  expect(text).toContain('www.example.com  [does not answer]');
  for (const address of ['127.0.0.1', '169.254.169.254', '10.0.0.5', '::ffff:127.0.0.1'])
    expect(text).toContain(`${address}: https www.example.com, http: its address is not public, so it is not opened`);
});

test('without probes, the answer says why', async () => {
  const text = await answered('dns check www.example.com', noProber('HOSTLER_LOOK_OUTSIDE is off'));
  expect(text).toContain('Not tried from outside: HOSTLER_LOOK_OUTSIDE is off.');
  expect(text).toContain('The name servers are not asked: HOSTLER_DNS_PROPAGATION is off.');
});

test('a name of no zone of the account is not tried', async () => {
  const { prober, probes } = serversOutside(answers, { 'www.other.example': ['203.0.113.9'] });
  const text = await answered('dns check www.other.example', prober);
  expect(text).toContain('There is no domain www.other.example');
  expect(probes).toEqual([]);
});

test('the status of a server has a line about its answers from outside', async () => {
  const { prober, silent } = serversOutside(answers);
  expect(await answered('is web-1 up', prober)).toContain(
    'From outside: https example.com (12 ms), https www.example.com (12 ms), ssh (12 ms) and http (12 ms) answer',
  );
  silent.add('192.0.2.10');
  expect(await answered('check web-1', prober)).toMatch(
    /From outside: https example\.com, .+: it did not answer in time/,
  );
});

test('a name whose server answers on SSH only is no site that answers', async () => {
  const { prober } = serversOutside(['ssh'], leads);
  expect(await answered('dns check example.com', prober)).toContain('example.com  [answers on ssh only]');
});

test('the status of a server with a private address says nothing about its answers', async () => {
  expect(await answered('status web-1', createProber())).not.toContain('From outside');
});
