import { describe, expect, test } from 'vitest';
import { eachProvider } from './caller.ts';

// The calls of public clients of the provider's API, written anew from their documentation: curl, Python and Go follow
// redirects as GET, and none of them knows this project.

const { provider, call } = eachProvider({ jobMs: 10 }, 'follow');

/** The headers of a caller who sends no key in them. */
const none = {};

const recordsOf = (name: string) =>
  provider()
    .snapshot()
    .domains.find((domain) => domain.name === name)
    ?.entries.filter(({ type }) => type === 'TXT') ?? [];

describe('acme.sh', () => {
  const full = '_acme-challenge.www.example.com';

  test.each(['json', 'form', 'multipart'] as const)(
    'acme.sh adds and finds a record as %s by its name',
    async (how) => {
      const before = recordsOf('example.com').length;
      for (const value of ['one', 'two']) {
        const fields = { host: full, type: 'TXT', value };
        const form = new (how === 'form' ? URLSearchParams : FormData)();
        for (const [name, text] of Object.entries(fields)) form.set(name, text);
        const sent = how === 'json' ? { ...fields, ttl: null } : form;
        expect((await call('POST /dns/domain/example.com/entry_set/', sent)).status).toBe(201);
      }
      // Without the slash: curl follows the redirect.
      const found = await call(`GET /dns/domain/example.com/entry_set?type=TXT&q=${full}`);
      expect(found.list).toMatchObject([{ value: 'one' }, { value: 'two' }]);
      expect(found.text).toMatch(/"id":\s?\d+/);
      for (const { id } of found.list)
        expect((await call(`DELETE /dns/domain/example.com/entry_set/${id}/`)).status).toBe(204);
      expect(recordsOf('example.com')).toHaveLength(before);
    },
  );

  test('an older acme.sh sends a relative host in a form, and the key as a field of the body', async () => {
    const { key } = provider();
    const form = new URLSearchParams({ type: 'TXT', host: '_acme-challenge', value: 'old', apikey: key });
    expect((await call('POST /dns/domain/example.com/entry_set/', form, none)).status).toBe(201);
    const all = await call(`GET /dns/domain/example.com/entry_set/?apikey=${key}`, undefined, none);
    expect(all.list).toContainEqual(expect.objectContaining({ host: '_acme-challenge', value: 'old' }));
    expect(JSON.stringify(provider().sim.requests())).not.toContain(key);
    expect((await call('GET /dns/domain/?apikey=wrong', undefined, none)).status).toBe(401);
  });
});

describe('a Go client with a Terraform provider', () => {
  test.each([
    [undefined, ''],
    ['', ''],
    ['@', ''],
    ['example.net', ''],
    ['*', '*'],
    ['a.b', 'a.b'],
    ['full.example.net', 'full'],
    ['dot.example.net.', 'dot'],
  ])('the Go client creates, updates without prio, reads and deletes the host "%s"', async (host, stored) => {
    const path = '/dns/domain/example.net/entry_set/';
    const value = 'v=1 "quoted" back\\slash ü';
    const created = await call(`POST ${path}`, { host, type: 'TXT', value, ttl: 300, prio: 15 });
    expect(created).toMatchObject({ status: 201, body: { host: stored, value, ttl: 300 } });
    const { id } = created.body;
    const updated = await call(`PUT ${path}${id}/`, { host, type: 'TXT', value: `${value}!` });
    expect(updated).toMatchObject({ status: 200, body: { value: `${value}!`, ttl: 300 } });
    expect((await call(`GET ${path}`)).list).toContainEqual(expect.objectContaining({ id, prio: 15 }));
    expect((await call(`DELETE ${path}${id}/`)).status).toBe(204);
    expect((await call(`DELETE ${path}${id}/`)).status).toBe(404);
  });
});

test('the webhook for cert-manager deletes without a slash: the redirect becomes a GET, and nothing is deleted', async () => {
  const path = '/dns/domain/example.com/entry_set/';
  const { body } = await call(`POST ${path}`, { host: '_acme-challenge', type: 'TXT', value: 'x' });
  const response = await fetch(`${provider().url}${path}${body.id}`, {
    method: 'DELETE',
    redirect: 'manual',
    headers: { authorization: `Api-Key ${provider().key}` },
  });
  expect(response.status).toBe(301);
  const { pathname } = new URL(response.headers.get('location') ?? '', provider().url);
  const followed = await call(`GET /${pathname.replace('/api/', '')}`);
  expect(followed.status).toBe(405);
  expect(recordsOf('example.com').map(({ id }) => id)).toContain(Number(body.id));
  expect(await call(`POST ${path}`, { type: 'TXT' })).toMatchObject({
    status: 400,
    body: { value: ['This field is required.'] },
  });
});

describe('a Python tool that orders servers', () => {
  test('the Python tool reads places and plans without a key, chooses by name, orders with keys, and cancels', async () => {
    const plans = ['vps', 'backups', 'dedicated', 'hosting'];
    const lists = ['orders/', 'orders/s3/', 'orders/vps/templates/', 'ssh_keys/', 'network/ip-address/'];
    for (const path of ['orders/vps/locations/', 'orders/vps/disks/', ...plans.map((name) => `plans/${name}`)])
      expect((await call(`GET /${path}`, undefined, none)).status, path).toBe(200);
    for (const path of [...lists, 'account/balance'])
      expect((await call(`GET /${path}`, undefined, none)).status, path).toBe(401);
    const keys = (await call('GET /ssh_keys/')).list.map(({ id }) => id);
    const templates = (await call('GET /orders/vps/templates/')).list;
    const template = templates.find(({ name }) => name === 'Debian 12')?.id;
    const [plan] = (await call('GET /plans/vps')).list;
    const order = { tariff: plan?.id, template, location: 'de', ssh_keys: keys, name: 'fleet-1' };
    const { status, body } = await call('POST /orders/vps/', order);
    expect(status).toBe(201);
    expect(await call('POST /orders/vps/', { ...order, ssh_keys: [99] })).toMatchObject({
      status: 400,
      body: { ssh_keys: { 0: ['Invalid pk "99" - object does not exist.'] } },
    });
    expect((await call(`GET /orders/vps/${body.order_id}/`)).body.name).toBe('fleet-1');
    for (const when of ['expired', 'now']) {
      const cancel = await call(`POST /orders/${body.order_id}/cancel/`, { when });
      expect(cancel.body.status).toBe('cancel_pending');
    }
  });

  test('the order of the Python tool can be sent as a form, with numbers as text, repeated lists and dotted objects', async () => {
    const form = new URLSearchParams([
      ['configuration.cpu_count', '2'],
      ['configuration.ram_size', '4'],
      ['configuration.disk_size', '40'],
      ['configuration.disk_class', ''],
      ['app', '1'],
      ['location', 'nl'],
      ['ssh_keys', '1'],
      ['ssh_keys', '2'],
      ['tags', 'one'],
      ['services[0]service', '2'],
      ['services[0]count', '3'],
    ]);
    const { status, text } = await call('POST /orders/vps/', form);
    expect(status, text).toBe(201);
    const order = provider().snapshot().orders.at(-1);
    expect(order).toMatchObject({
      tags: ['one'],
      vps: { sshKeys: [1, 2], configuration: { ram_size: 4, disk_class: null } },
    });
    const wrong = await call('POST /orders/vps/', new URLSearchParams({ location: 'nl', tariff: 'x' }));
    expect(wrong).toMatchObject({
      status: 400,
      body: { tariff: ['Incorrect type. Expected pk value, received str.'] },
    });
  });
});

test('the .NET client reads statistics by days and spans, and gets an error for ISO times', async () => {
  const stats = (start: string) => call(`GET /vps/34-12345/stats/cpu/?start=${encodeURIComponent(start)}`);
  expect((await stats('-24h')).body.series[0]?.data.length).toBeGreaterThan(100);
  const yesterday = new Date(provider().sim.now() - 2 * 86_400_000).toISOString();
  expect((await stats(yesterday.slice(0, 10))).status).toBe(200);
  expect(await stats(yesterday)).toMatchObject({
    status: 400,
    body: { start: [expect.stringContaining('Enter a date')] },
  });
});
