import { expect } from 'vitest';
import { sayRefusal, test } from './open.ts';

test('dns edit keeps the fields that are not given', async ({ dns }) => {
  const ran = await dns.runCommand('dns edit example.com mail A ttl=10m');
  expect(ran).toMatchObject({ end: 'done', ending: { text: 'mail.example.com A 203.0.113.25 has ttl 600' } });
  const id = await dns.idOf('example.com', '_dmarc', 'TXT');
  await dns.runCommand(`dns edit example.com #${id} host=_dmarc.mail`);
  const value = 'v=DMARC1; p=quarantine; rua=mailto:dmarc@example.com';
  expect(dns.bodies()).toEqual([
    { host: 'mail', type: 'A', value: '203.0.113.25', prio: null, ttl: 600 },
    { host: '_dmarc.mail', type: 'TXT', value, prio: null, ttl: null },
  ]);
});

test('dns edit changes a CNAME into an address in one write', async ({ dns }) => {
  const planned = await dns.planOf('dns edit example.com blog CNAME type=A value=192.0.2.11');
  expect(planned.plan.effect).toContain(
    'answers 192.0.2.11 instead of blog.example.com CNAME shop.example.com. The old',
  );
  expect(await dns.run(planned)).toMatchObject({ end: 'done' });
  expect(await dns.records('example.com', 'blog')).toEqual(['blog A 192.0.2.11']);
});

test('dns edit without a change offers its form, filled in', async ({ dns }) => {
  expect(sayRefusal(await dns.refusalOf('dns edit example.com @ MX 10 mail.example.com'))).toMatchInlineSnapshot(`
    "undefined: What should change in @ MX 10 mail.example.com? Give host=, type=, value=, ttl= or prio=, or fill in the form.
    [Edit… → form dns edit example.com 14 host=@ type=MX ttl=3600 prio=10 value=mail.example.com]"
  `);
});

test('dns edit asks which record is meant when a name has several or none', async ({ dns }) => {
  for (const [line, words] of [
    ['dns edit example.com @ MX ttl=300', 'is not one record of example.com: @ MX 10 mail.example.com'],
    ['dns edit example.com wwww A ttl=300', 'has no record wwww A. Did you mean www?'],
    ['dns edit example.com www AAAA ttl=300', 'has no record www AAAA; www has www A 192.0.2.10'],
    ['dns edit example.com www AAA ttl=300', 'is no type of record'],
    ['dns edit example.com 999 ttl=300', 'example.com has no record 999'],
    ['dns edit example.com "5 6" ttl=300', 'One record is edited at a time.'],
    ['dns edit example.com www A prio=10', 'A records have no prio'],
    ['dns edit example.com www A type=AAAA', '192.0.2.10 is an IPv4 address'],
    ['dns edit example.com www A host=blog', 'is a CNAME'],
  ] as const) {
    expect(sayRefusal(await dns.refusalOf(line)), line).toContain(words);
  }
});

test('dns edit keeps the spelling of a host that another client stored as a full name', async ({ dns }) => {
  const host = '_acme-challenge.www.example.com';
  dns.sim.records({ domain: 'example.com', add: [{ host, type: 'TXT', value: 'old' }] });
  const id = await dns.idOf('example.com', host, 'TXT');
  await dns.runCommand(`dns edit example.com ${id} value=new`);
  await dns.runCommand(`dns edit example.com ${id} host=_acme-challenge.shop`);
  expect(dns.writes()).toMatchObject([
    { body: { host, value: 'new' } },
    { body: { host: '_acme-challenge.shop', value: 'new' } },
  ]);
});

test('dns edit needs a new ttl where the provider no longer accepts the old one', async ({ dns }) => {
  const id = await dns.idOf('example.com', 'www', 'A');
  dns.sim.records({ domain: 'example.com', set: [{ id, ttl: 1234 }] });
  expect(sayRefusal(await dns.refusalOf('dns edit example.com www A value=192.0.2.11'))).toContain(
    'ttl: www A 192.0.2.11 has a ttl of 1234, which the provider no longer takes.',
  );
  expect(await dns.runCommand('dns edit example.com www A value=192.0.2.11 ttl=300')).toMatchObject({ end: 'done' });
});

test('dns edit asks again when the record changed before the run, and reports a change during it', async ({ dns }) => {
  const id = await dns.idOf('example.com', 'www', 'A');
  const planned = await dns.planOf('dns edit example.com www A value=192.0.2.11');
  dns.sim.records({ domain: 'example.com', set: [{ id, ttl: 900 }] });
  expect(await dns.run(planned)).toMatchObject({ end: 'changed' });
  const again = await dns.planOf('dns edit example.com www A value=192.0.2.11');
  const closed = again.command.step(again.plan.steps[0]?.data ?? null);
  dns.sim.records({ domain: 'example.com', set: [{ id, value: '192.0.2.77' }] });
  const seen = await closed.verify({ reader: dns.reader } as never, undefined, { wasOffline: false });
  expect(seen).toEqual({ is: 'unsure', text: 'the zone has www A 192.0.2.77 ttl 900' });
});
