import { expect } from 'vitest';
import { planText } from '../../support/bot/view-text.ts';
import { answer } from '../answer.ts';
import { sayRefusal, test } from './open.ts';

test('dns domain-add adds a domain with its address', async ({ dns }) => {
  const planned = await dns.planOf('dns domain-add Example.EDU. 192.0.2.10');
  expect(planText(planned.plan)).toContain(
    "Enabled: Unknown: adding domains is off until the provider's support turns it on for the account.",
  );
  expect((await dns.run(planned)).ending).toEqual({ text: 'example.edu added' });
  expect(dns.writes()).toEqual([{ request: 'POST /dns/domain/', body: { name: 'example.edu', ip: '192.0.2.10' } }]);
});

test('dns domain-add refuses a bad name or address at its field', async ({ dns }) => {
  expect(sayRefusal(await dns.refusalOf('dns domain-add https://example.edu 192.0.2.10'))).toBe(
    'name: `https://example.edu` is a URL. Give only the name: example.edu',
  );
  expect(sayRefusal(await dns.refusalOf('dns domain-add example.edu 2001:db8::1'))).toMatch(/^ip: /);
  expect(dns.writes()).toEqual([]);
});

test('dns domain-remove shows what stops, removes the domain, and finds it no longer', async ({ dns }) => {
  const planned = await dns.planOf('dns domain-remove example.com');
  expect(planText(planned.plan)).toMatchInlineSnapshot(`
    "Remove the domain example.com
      example.com · 18 records · tags prod
      Effect: 18 records of example.com are deleted at once. Undo cannot restore them.
      Stops: 9 names: example.com, www.example.com, api.example.com, app.example.com, shop.example.com, db.example.com, mail.example.com, status.example.com and 1 more; mail to its addresses
      Affected: 2 records of other domains point to it: example.org MX and monitor.example.net CNAME.
      Copy: None is kept. /host dns zone example.com gives the zone as a file.
      Registration: The name itself stays registered. Only its zone here is removed."
  `);
  expect(planned.plan.typedName).toBe('example.com');
  expect(planned.command).toMatchObject({ risk: 'destructive', capability: 'destroy' });
  expect((await dns.run(planned)).ending).toEqual({ text: 'example.com removed, with all its records' });
});

test('dns nameservers sends one list, and does not call it verified', async ({ dns }) => {
  const planned = await dns.planOf('dns nameservers example.net ns1.example.org. NS2.example.org,ns1.example.org');
  expect(planned.plan.effect).toContain('If they do not know it, the site and the mail of the domain stop working.');
  for (const label of [
    'Now: Unknown: ',
    'Zone: The zone of example.net here (10 records, NS ns1',
    'Cached: Answers of',
  ])
    expect(planText(planned.plan)).toContain(label);
  expect(planned.plan.targets.map(({ kind, id }) => `${kind}:${id}`)).toEqual(['order:375-21', 'domain:example.net']);
  const ran = await dns.run(planned);
  expect(ran).toMatchObject({
    end: 'unverified',
    ending: { text: 'name servers of example.net changed to ns1.example.org and ns2.example.org' },
  });
  expect(ran.note).toContain('the provider repeated the list, and the API cannot be asked');
  expect(dns.writes()).toEqual([
    { request: 'POST /dns/order/375-21/change_ns/', body: { nss: 'ns1.example.org,ns2.example.org' } },
  ]);
});

test('dns nameservers takes the id of the order, and reports a response with another list', async ({ dns }) => {
  const other = { nss: 'ns1.hosting.example,ns2.hosting.example' };
  dns.sim.fault(answer('POST /dns/order/{order_id}/change_ns/', 200, other));
  const ran = await dns.runCommand('dns nameservers 375-13 ns1.example.org ns2.example.org');
  expect(ran.note).toBe('the provider answered with another list: ns1.hosting.example,ns2.hosting.example');
});

test('dns nameservers refuses an order that is no domain and a value that is no name server', async ({ dns }) => {
  for (const [line, words] of [
    ['dns nameservers 77-3301 ns1.example.org ns2.example.org', 'domain: Offsite backup (77-3301) is not the order'],
    ['dns nameservers example.nte ns1.example.org ns2.example.org', 'Did you mean example.net (375-21)?'],
    ['dns nameservers web-1 ns1.example.org ns2.example.org', 'domain: '],
    ['dns nameservers example.net ns1.example.org', 'nameservers: A domain needs at least two name servers.'],
    ['dns nameservers example.net 192.0.2.1 192.0.2.2', 'nameservers: NS points at a name, and 192.0.2.1 is an'],
  ] as const) {
    expect(sayRefusal(await dns.refusalOf(line)), line).toContain(words);
  }
  expect(dns.writes()).toEqual([]);
});
