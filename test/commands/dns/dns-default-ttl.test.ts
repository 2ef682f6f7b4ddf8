import { describe, expect, test } from 'vitest';
import { openDns, sayRefusal } from './open.ts';

/** Opens the seed account with records at `one` and `two`, which have the provider's default TTL. */
async function openWithDefaultTtl() {
  const dns = await openDns();
  dns.sim.records({
    domain: 'example.com',
    add: [
      { host: 'one', type: 'A', value: '192.0.2.1' },
      { host: 'two', type: 'A', value: '192.0.2.1', ttl: 300 },
      { host: 'two', type: 'A', value: '192.0.2.2' },
      { host: 'alias', type: 'CNAME', value: 'shop.example.com' },
    ],
  });
  return dns;
}

describe('a record with the provider’s default TTL', () => {
  test('each command leaves the default or gives another ttl, and dns undo brings the record back with it', async () => {
    const dns = await openWithDefaultTtl();
    for (const [line, after] of [
      ['dns edit example.com one A value=192.0.2.9', 'one A 192.0.2.9'],
      ['dns set example.com one A 192.0.2.9', 'one A 192.0.2.9'],
      ['dns apply example.com "one A 192.0.2.9" --keep', 'one A 192.0.2.9'],
      ['dns edit example.com one A ttl=300', 'one A 192.0.2.1 300'],
      ['dns apply example.com "one 300 A 192.0.2.1" --keep', 'one A 192.0.2.1 300'],
      ['dns replace 192.0.2.1 192.0.2.9 in example.com', 'one A 192.0.2.9'],
    ] as const) {
      const { effect } = (await dns.planOf(line)).plan;
      const isOther = effect.includes('The TTL of one.example.com A changes from default to 300.');
      expect(isOther, line).toBe(after.endsWith(' 300'));
      expect(await dns.done(line)).toMatchObject({ end: 'done' });
      expect(await dns.records('example.com', 'one'), line).toEqual([after]);
      expect(await dns.done('dns undo a7f3c2', 'b8g4d3')).toMatchObject({ end: 'done' });
      expect(await dns.records('example.com', 'one'), line).toEqual(['one A 192.0.2.1']);
    }
  });

  test('dns set of several values leaves each record that stays its own ttl', async () => {
    const dns = await openWithDefaultTtl();
    expect((await dns.planOf('dns set example.com two A 192.0.2.1 192.0.2.2')).plan.nothingToDo).toContain('already');
    const { plan } = await dns.planOf('dns set example.com two A 192.0.2.2 192.0.2.9');
    expect(plan.diff?.map(({ sign, text }) => `${sign} ${text}`)).toEqual([
      '− two  A  192.0.2.1  ttl 300',
      '+ two  A  192.0.2.9  ttl 300',
    ]);
  });

  test('the suggestions to change a record name no ttl that nobody gave', async () => {
    const dns = await openWithDefaultTtl();
    expect(sayRefusal(await dns.refusalOf('dns set example.com two A 192.0.2.9'))).toMatch(
      /Change two A 192\.0\.2\.1 → .* type=A ttl=300 value=192\.0\.2\.9\]\n.*Change two A 192\.0\.2\.2 → .* type=A value=192\.0\.2\.9\]/,
    );
    expect(sayRefusal(await dns.refusalOf('dns set example.com alias A 192.0.2.9'))).toMatch(
      /type=A value=192\.0\.2\.9\]/,
    );
    expect(sayRefusal(await dns.refusalOf('dns edit example.com one A'))).toMatch(/type=A value=192\.0\.2\.1\]/);
    dns.sim.records({ domain: 'example.com', add: [{ host: '@', type: 'MX', value: 'mx.example.net', prio: 40 }] });
    expect(sayRefusal(await dns.refusalOf('dns add example.com @ MX 50 mx.example.net'))).toMatch(
      /type=MX prio=50 value=mx\.example\.net\]/,
    );
  });
});

test('dns apply keeps the spelling of a host that another client stored as a full name', async () => {
  const dns = await openDns();
  const host = 'one.example.com';
  dns.sim.records({ domain: 'example.com', add: [{ host, type: 'A', value: '192.0.2.1' }] });
  await dns.runCommand('dns apply example.com "one 300 A 192.0.2.9" --keep');
  expect(dns.writes()).toMatchObject([{ body: { host, value: '192.0.2.9' } }]);
});
