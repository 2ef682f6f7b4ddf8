import { expect, test } from 'vitest';
import { planText } from '../../support/view-text.ts';
import { openDns, sayRefusal } from './open.ts';

test('dns set changes the one record, keeps its ttl, and sends all its fields; it adds a missing record', async () => {
  const dns = await openDns();
  const planned = await dns.planOf('dns set example.com shop A 192.0.2.20');
  expect(planText(planned.plan)).toContain('− shop  A  192.0.2.11  ttl 300');
  expect(planned.plan.effect).toContain('shop.example.com A answers 192.0.2.20 instead of 192.0.2.11.');
  expect((await dns.run(planned)).ending).toMatchObject({ text: 'shop.example.com A is 192.0.2.20' });
  expect(dns.bodies()).toEqual([{ host: 'shop', type: 'A', value: '192.0.2.20', prio: null, ttl: 300 }]);
  const { ending } = await dns.runCommand('dns set example.com fresh CNAME shop.example.com');
  expect(ending?.text).toBe('fresh.example.com CNAME shop.example.com added');
});

test('dns set refuses when several records match, and names them', async () => {
  const dns = await openDns();
  expect(sayRefusal(await dns.refusalOf('dns set example.com @ MX 30 mx.example.net'))).toMatchInlineSnapshot(`
    "host: example.com has 2 MX records: @ MX 10 mail.example.com and @ MX 20 backup-mx.example.net. Say which one should become this, or add it beside them with dns add.
    [Change @ MX 10 mail.example.com → dns edit example.com 14 host=@ type=MX ttl=3600 prio=30 value=mx.example.net]
    [Change @ MX 20 backup-mx.example.net → dns edit example.com 15 host=@ type=MX ttl=3600 prio=30 value=mx.example.net]"
  `);
  expect(sayRefusal(await dns.refusalOf('dns set example.com blog A 192.0.2.10'))).toMatchInlineSnapshot(`
    "host: blog CNAME shop.example.com is there, and a CNAME must be the only record of its name. Change that record into A 192.0.2.10, if nothing else needs it.
    [Change it → dns edit example.com 13 host=blog type=A value=192.0.2.10]"
  `);
  expect(dns.writes()).toEqual([]);
});

test('dns set of the domain’s own SPF record has a higher risk than a host below it', async () => {
  const dns = await openDns();
  expect((await dns.planOf('dns set example.com @ TXT "v=spf1 mx -all"')).plan.raised).toEqual({
    risk: 'dangerous',
    why: 'It changes the SPF record of example.com itself.',
  });
  expect((await dns.planOf('dns set example.com _dmarc TXT "v=DMARC1; p=none"')).plan.raised).toBeUndefined();
});
