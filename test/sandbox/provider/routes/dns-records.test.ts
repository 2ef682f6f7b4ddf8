import { expect, test } from 'vitest';
import { eachProvider } from '../caller.ts';

const { provider, call } = eachProvider();

const records = '/dns/domain/example.com/entry_set/' as const;
const list = async (query = '') => (await call(`GET ${records}${query}`)).list;
const zone = async () => (await call('GET /dns/domain/example.com/zone_file/')).text;

test('three records of example.com lead to web-1, and some leave out prio and ttl', async () => {
  expect((await list('?q=192.0.2.10')).map(({ host }) => host)).toEqual(['', 'www', 'api']);
  expect((await list('?type=MX&q=mail')).map(({ prio }) => prio)).toEqual([10]);
  expect((await call(`GET ${records}?type=PTR`)).body).toEqual({ type: ['"PTR" is not a valid choice.'] });
  const all = await list();
  expect(all.some((entry) => !('prio' in entry)) && all.some((entry) => entry.prio === null)).toBe(true);
  expect(all.some((entry) => !('ttl' in entry)) && all.some((entry) => entry.ttl === null)).toBe(true);
});

test('a record is added, changed and removed, and the zone file shows it', async () => {
  const added = await call(`POST ${records}`, { host: 'Beta.example.com', type: 'A', value: '192.0.2.11', ttl: 600 });
  expect(added.status).toBe(201);
  expect(added.body).toMatchObject({ host: 'beta', type: 'A', value: '192.0.2.11', ttl: 600 });
  expect(await zone()).toContain('beta\t600\tIN\tA\t192.0.2.11\n');

  // An omitted optional field keeps its old value: ttl, and host too.
  const changed = await call(`PUT ${records}${added.body.id}/`, { type: 'A', value: '192.0.2.12' });
  expect(changed.status).toBe(200);
  expect(changed.body).toMatchObject({ id: added.body.id, host: 'beta', value: '192.0.2.12', ttl: 600 });
  expect((await call(`PUT ${records}${added.body.id}/`, { host: 'beta' })).body).toEqual({
    type: ['This field is required.'],
    value: ['This field is required.'],
  });
  await call(`PUT ${records}${added.body.id}/`, { type: 'A', value: '192.0.2.12', ttl: null });
  expect(await zone()).toContain('beta\t3600\tIN\tA\t192.0.2.12\n');

  expect((await call(`DELETE ${records}${added.body.id}/`)).status).toBe(204);
  expect(await zone()).not.toContain('beta');
  const again = await call(`DELETE ${records}${added.body.id}/`);
  expect(again.body.detail).toBe('No Entry matches the given query.');
});

test.each([
  ['a duplicate', { host: 'www', type: 'A', value: '192.0.2.10' }, 'non_field_errors'],
  ['a CNAME beside other records', { host: 'www', type: 'CNAME', value: 'shop.example.com' }, 'non_field_errors'],
  ['a record beside a CNAME', { host: 'blog', type: 'TXT', value: 'x' }, 'non_field_errors'],
  ['a CNAME at the apex', { host: '@', type: 'CNAME', value: 'shop.example.com' }, 'non_field_errors'],
  ['no IPv4 address', { host: 'a', type: 'A', value: '2001:db8::1' }, 'value'],
  ['no IPv6 address', { host: 'a', type: 'AAAA', value: '192.0.2.1' }, 'value'],
  ['a ttl of its own', { host: 'a', type: 'A', value: '192.0.2.1', ttl: 60 }, 'ttl'],
  ['a negative prio', { host: 'a', type: 'MX', value: 'mail.example.com', prio: -1 }, 'prio'],
  ['an SRV value without a port', { host: '_a._tcp', type: 'SRV', value: '1 sip.example.com', prio: 1 }, 'value'],
  ['a value that is too long', { host: 'a', type: 'TXT', value: 'x'.repeat(1025) }, 'value'],
  ['an unknown type', { host: 'a', type: 'PTR', value: 'x' }, 'type'],
])('a record with %s is refused', async (_name, body, field) => {
  const before = await list();
  const answer = await call(`POST ${records}`, body);
  expect(answer.status).toBe(400);
  expect(Object.keys(answer.body)).toEqual([field]);
  if (field === 'ttl') expect(answer.body).toEqual({ ttl: ['"60" is not a valid choice.'] });
  expect(await list()).toEqual(before);
});

test('the zone file has every type in the form that BIND reads', async () => {
  const long = 'k'.repeat(300);
  await call(`POST ${records}`, { host: 'key', type: 'TXT', value: `say "hi" ${long}` });
  await call(`POST ${records}`, { host: '_sip._tcp', type: 'SRV', value: '10 5060 sip.example.com', prio: 5 });
  const answer = await call('GET /dns/domain/example.com/zone_file/');
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  const lines = answer.text.split('\n');
  expect(lines[0]).toBe('$ORIGIN example.com.');
  expect(lines).toContain('@\t3600\tIN\tMX\t10 mail.example.com.');
  expect(lines).toContain('blog\t3600\tIN\tCNAME\tshop.example.com.');
  expect(lines).toContain('_sip._tcp\t3600\tIN\tSRV\t5 10 5060 sip.example.com.');
  expect(lines).toContain('@\t3600\tIN\tCAA\t0 issue "letsencrypt.org"');
  const txt = lines.find((line) => line.startsWith('key'));
  expect(txt).toBe(`key\t3600\tIN\tTXT\t"say \\"hi\\" ${'k'.repeat(246)}" "${'k'.repeat(54)}"`);
});

test.each([
  ['bytes', 'é'.repeat(200), `"${'\\195\\169'.repeat(127)}\\195" "\\169${'\\195\\169'.repeat(72)}"`],
  ['bytes at the edge', `${'x'.repeat(254)}é`, `"${'x'.repeat(254)}\\195" "\\169"`],
  ['one quote', '"', '"\\""'],
  ['an open quote', '"a', '"\\"a"'],
  ['quoted strings', '"a" "\\"b\\195\\169"', '"a\\"b\\195\\169"'],
  ['spaces in quotes', '" a "', '" a "'],
  ['an escape that is none', '"\\999"', '"\\"\\\\999\\""'],
])('a text is written in strings of at most 255 bytes: %s', async (_name, value, written) => {
  await call(`POST ${records}`, { host: 'text', type: 'TXT', value });
  expect((await zone()).split('\n')).toContain(`text\t3600\tIN\tTXT\t${written}`);
});

test('domains are searched by name or address, filtered by tag, added and removed', async () => {
  const names = async (query: string) => (await call(`GET /dns/domain/?${query}`)).body.results.map(({ name }) => name);
  expect(await names('q=198.51.100.10')).toEqual(['example.org']);
  expect(await names('q=EXAMPLE.N')).toEqual(['example.net']);
  expect(await names('tag=prod')).toEqual(['example.com', 'example.org']);
  const added = await call('POST /dns/domain/', { name: 'Example.edu', ip: '192.0.2.10' });
  expect(added.status).toBe(201);
  expect(added.body.name).toBe('example.edu');
  expect(added.body.created).toMatch(/\+02:00$/);
  expect(added.body.entry_set.map(({ type }) => type)).toEqual(['NS', 'NS', 'NS', 'A', 'CNAME']);
  expect((await call('POST /dns/domain/', { name: 'example.edu', ip: 'x' })).body).toEqual({
    name: ['domain with this name already exists.'],
    ip: ['Enter a valid IPv4 address.'],
  });
  expect((await call('DELETE /dns/domain/example.edu/')).status).toBe(204);
  expect((await call('GET /dns/domain/example.edu/zone_file/')).status).toBe(404);
});

test('the name servers of a domain order can be changed, and those of other orders cannot', async () => {
  const nss = 'ns1.example.com,ns2.example.com';
  expect(await call('POST /dns/order/375-13/change_ns/', { nss })).toMatchObject({ status: 200, body: { nss } });
  const { orders } = provider().snapshot();
  expect(orders.find(({ id }) => id === '375-13')?.nameservers).toBe(nss);
  expect((await call('POST /dns/order/34-12345/change_ns/', { nss })).status).toBe(404);
  expect((await call('POST /dns/order/375-13/change_ns/', { nss: 'ns1.example.com' })).status).toBe(400);
});

test('a test can change records without the API', async () => {
  const [www] = await list('?q=www');
  const id = Number(www?.id);
  provider().sim.records({ domain: 'example.com', set: [{ id, value: '203.0.113.99' }] });
  expect((await list('?q=www'))[0]).toMatchObject({ id, host: 'www', value: '203.0.113.99', ttl: 300 });
  provider().sim.records({ domain: 'example.com', remove: [id], add: [{ host: 'x', type: 'TXT', value: 'hello' }] });
  expect((await list('?q=hello'))[0]?.host).toBe('x');
});
