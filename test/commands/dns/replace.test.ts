import { expect } from 'vitest';
import { planText, viewText } from '../../support/bot/view-text.ts';
import { openDns, sayRefusal, test } from './open.ts';

// Records over all domains: the search, and the change of an address in one plan.

test('dns find finds an address in every domain', async ({ dns }) => {
  expect(viewText(await dns.viewOf('dns find 203.0.113.50'))).toContain(
    '\nwiki.example.net │ A 203.0.113.50 │ 7200\n· 2 records in 3 domains\n[Replace… → form dns replace 203.0.113.50]',
  );
});

test('dns find searches only domains that the person may read, and says when no record matches', async () => {
  const dns = await openDns({ may: (_, target) => target.id !== 'example.net' });
  expect(viewText(await dns.viewOf('dns find 203.0.113.50'))).not.toContain('example.net');
  expect(viewText(await dns.viewOf('dns find nowhere.invalid'))).toContain('No record matches.');
  expect((await dns.refusalOf('dns find x')).message).toContain('does not fit');
});

test('dns replace changes all records of an address in one plan, and one undo restores them', async ({ dns }) => {
  dns.sim.records({ domain: 'example.net', add: [{ host: 'mirror', type: 'A', value: '192.0.2.10' }] });
  const before = [...(await dns.records('example.com')), ...(await dns.records('example.net'))].sort();
  const planned = await dns.planOf('dns replace 192.0.2.10 192.0.2.77');
  expect(planText(planned.plan)).toMatchInlineSnapshot(`
    "Replace 192.0.2.10 with 192.0.2.77 in 4 records
      example.com · 18 records · tags prod
      example.net · 11 records · tags internal
      − example.com      A  192.0.2.10  ttl 300
      + example.com      A  192.0.2.77  ttl 300
      − www.example.com  A  192.0.2.10  ttl 300
      + www.example.com  A  192.0.2.77  ttl 300
      − api.example.com  A  192.0.2.10  ttl 120
      + api.example.com  A  192.0.2.77  ttl 120
      − mirror.example.net  A  192.0.2.10  ttl default
      + mirror.example.net  A  192.0.2.77  ttl default
      Effect: 4 records changed in 2 domains, one after another, stopping at the first that fails. The old answers stay cached up to 5 minutes, or for the provider's default time.
      Servers: 192.0.2.10 is web-1"
  `);
  const ran = await dns.done('dns replace 192.0.2.10 with 192.0.2.77');
  expect(ran.ending?.text).toBe('2 domains: 4 records changed, read back');
  expect((await dns.records('example.com')).join()).not.toContain('192.0.2.10 ');
  expect(await dns.records('example.net', 'mirror')).toEqual(['mirror A 192.0.2.77']);
  expect((await dns.planOf('dns undo a7f3c2')).plan.title).toBe(
    'Undo: Replace 192.0.2.10 with 192.0.2.77 in 4 records',
  );
  expect(await dns.done('dns undo a7f3c2', 'b8g4d3')).toMatchObject({ end: 'done' });
  const plain = (lines: string[]) => lines.map((line) => line.replace(/ 3600$/, '')).sort();
  const after = [...(await dns.records('example.com')), ...(await dns.records('example.net'))];
  expect(plain(after)).toEqual(plain(before));
});

test('dns replace changes names with their prio, and only reports texts that contain the old name', async ({ dns }) => {
  dns.sim.records({ domain: 'example.com', add: [{ host: 'note', type: 'TXT', value: 'see mail.example.com' }] });
  const { plan } = await dns.planOf('dns replace mail.example.com mx.example.org in example.com');
  expect(plan.steps.map(({ label }) => label)).toEqual(['± @ MX 10 mx.example.org']);
  expect(plan.raised?.risk).toBe('dangerous');
  expect(plan.details).toContainEqual(['Note', expect.stringContaining('note.example.com TXT')]);
});

test('dns replace removes the old record where the new value exists already, with a higher risk', async ({ dns }) => {
  dns.sim.records({ domain: 'example.com', add: [{ host: 'www', type: 'A', value: '192.0.2.77' }] });
  const { plan } = await dns.planOf('dns replace 192.0.2.10 192.0.2.77');
  expect(plan.steps.map(({ label }) => label)).toContain('− www A 192.0.2.10');
  expect(plan.raised?.risk).toBe('dangerous');
});

test('dns replace leaves domains that the person may not change, and shows only their number', async () => {
  const dns = await openDns({ may: (capability, target) => capability !== 'dns' || target.id !== 'example.net' });
  dns.sim.records({ domain: 'example.net', add: [{ host: 'mirror', type: 'A', value: '192.0.2.10' }] });
  const { plan } = await dns.planOf('dns replace 192.0.2.10 192.0.2.77');
  expect(plan.targets.map(({ id }) => id)).toEqual(['example.com']);
  expect(plan.details).toContainEqual(['Note', '1 domain that may not be changed here stays as it is.']);
});

test.each([
  ['an address', 'AAAA', '2001:db8::10', '2001:db8:0:0::10'],
  ['a name', 'CNAME', 'xn--bcher-kva.example.org', 'bücher.example.org'],
])('dns replace refuses %s in another spelling as the same, and finds it by each', async (_, type, stored, typed) => {
  const dns = await openDns();
  await dns.done(`dns add example.net six ${type} ${stored}`);
  for (const line of [`dns replace ${stored} ${typed}`, `dns replace ${typed} ${stored}`]) {
    expect(sayRefusal(await dns.refusalOf(line))).toContain('Both are the same.');
  }
  const to = type === 'AAAA' ? '2001:db8::20' : 'shop.example.org';
  for (const from of [stored, typed]) {
    const { plan } = await dns.planOf(`dns replace ${from} ${to}`);
    expect(plan.title).toBe(`Replace ${stored} with ${to} in 1 record of example.net`);
    expect(plan.steps.map(({ label }) => label)).toEqual([`± six ${type} ${to}`]);
  }
});

test('dns replace reports a text that contains the old address as it was typed', async ({ dns }) => {
  await dns.done('dns add example.net six AAAA 2001:db8::10');
  await dns.done('dns add example.net note TXT "v=spf1 ip6:2001:db8:0:0::10 -all"', 'k9m2x4');
  for (const [from, said] of [
    ['2001:db8:0:0::10', true],
    ['2001:db8::10', false],
  ] as const) {
    const { plan } = await dns.planOf(`dns replace ${from} 2001:db8::20`);
    expect(JSON.stringify(plan.details).includes('note.example.net TXT'), from).toBe(said);
  }
});

test('dns replace is refused with its reason', async ({ dns }) => {
  for (const [line, message] of [
    ['dns replace 192.0.2.10 2001:db8::1', '192.0.2.10 is an IPv4 address, and 2001:db8::1 is an IPv6 address.'],
    ['dns replace 192.0.2.10 192.0.2.10', 'Both are the same.'],
    ['dns replace 192.0.2.250 192.0.2.77', 'points to 192.0.2.250.'],
    ['dns replace web-1 web-2', 'web-1 is no full name.'],
  ] as const)
    expect(sayRefusal(await dns.refusalOf(line)), line).toContain(message);
});
