import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { listeningPort } from '../../../support/process/listening-port.ts';
import { eachProvider } from '../caller.ts';

const { provider, call } = eachProvider({ jobMs: { min: 1000, max: 2000 } });

const wish = { tariff: 102, template: 4, location: 'de', name: 'web-4', tags: ['web'] };
const balance = async () => (await call('GET /account/balance')).body.balance;

/** Listens once, as the bot's webhook would. */
async function listen() {
  const { promise: received, resolve } = Promise.withResolvers<{ raw: string; signature: string }>();
  const server = createServer(async (request, response) => {
    resolve({ raw: await text(request), signature: String(request.headers['fornex-signature']) });
    response.end('ok');
  });
  return { url: `http://127.0.0.1:${await listeningPort(server)}/created`, received };
}

test('a new server is paid, pending, then active with an address, and its webhook is signed', async () => {
  const { url, received } = await listen();
  const secret = 'a shared secret';
  const { order_id } = (await call('POST /orders/vps/', { ...wish, webhook: { url, secret } })).body;
  expect(order_id).toBe('34-12500');
  expect(await balance()).toBeCloseTo(84.2 - 5.5);
  expect((await call(`GET /orders/vps/${order_id}/`)).body).toMatchObject({
    ...{ name: 'web-4', status: 'pending', tariff: 'Cloud NVMe 2', cost_month: 5.5, ipaddress_set: [], tags: ['web'] },
  });
  expect((await call(`POST /vps/${order_id}/restart/`)).status).toBe(409);

  provider().sim.advance(2000);
  const { raw, signature } = await received;
  expect(signature).toBe(createHmac('sha256', secret).update(raw).digest('hex'));
  const body = JSON.parse(raw);
  expect(body).toMatchObject({ id: order_id, status: 'active', credentials: { username: 'root' } });
  expect(body.credentials.password).toMatch(/^\w{14}$/);
  const made = (await call(`GET /orders/vps/${order_id}/`)).body;
  expect(made).toMatchObject({ status: 'active', ipaddress_set: [body.credentials.ip_address] });
  expect((await call(`GET /vps/${order_id}/status/`)).body.status).toBe('on');
});

test('an order without enough balance is an error, and no order is made', async () => {
  provider().sim.balance({ balance: 5.49 });
  const answer = await call('POST /orders/vps/', wish);
  expect(answer).toMatchObject({
    status: 400,
    body: { detail: 'Insufficient funds: the order costs 5.50 EUR, your balance is 5.49 EUR.' },
  });
  expect((await call('GET /orders/vps/')).body.count).toBe(12);
  expect(await balance()).toBe(5.49);
});

test('a creation that ends in error pays the price back', async () => {
  provider().sim.fault({ kind: 'nextJob', match: 'POST /orders/vps/', times: 1, end: 'error' });
  const { order_id } = (await call('POST /orders/vps/', wish)).body;
  provider().sim.advance(2000);
  expect((await call(`GET /orders/${order_id}/`)).body.status).toBe('canceled');
  expect(await balance()).toBeCloseTo(84.2);
});

test('the price is the sum of configuration, disk class, services and bandwidth, times the term', async () => {
  const hardware = { cpu_count: 2, ram_size: 4, disk_size: 100 };
  const configuration = { ...hardware, cpu_arch: 'arm', min_cpu_freq: '3.0', disk_class: 2 };
  const services = [{ service: 1, count: 2 }, { service: 4 }];
  provider().sim.balance({ balance: 200 });
  const more = { services, bandwidth: 300, term: 3 };
  const answer = await call('POST /orders/vps/', { configuration, template: 8, location: 'nl', ...more });
  // 2 × 1.20 + 4 × 0.80 + 100 × 0.03, the class 100 × 0.02, two addresses at 2.00, two steps of bandwidth at 0.50
  const monthly = 2.4 + 3.2 + 3 + 2 + 4 + 1;
  const order = (await call(`GET /orders/vps/${answer.body.order_id}/`)).body;
  expect(order.cost_month).toBeCloseTo(monthly);
  expect(order).toMatchObject({ tariff: 'Custom', tariff_price: null, configuration });
  expect(await balance()).toBeCloseTo(200 - monthly * 3 - 25);
});

test.each([
  ['both plan and configuration', { configuration: { cpu_count: 1, ram_size: 2, disk_size: 20 } }, 'non_field_errors'],
  ['neither plan nor configuration', { tariff: null }, 'non_field_errors'],
  ['two softwares', { app: 1 }, 'non_field_errors'],
  ['no software', { template: undefined }, 'non_field_errors'],
  ['no location', { location: undefined }, 'location'],
  ['an unknown location', { location: 'xx' }, 'location'],
  ['a location without free slots', { location: 'ch' }, 'location'],
  ['a name over 25 characters', { name: 'x'.repeat(26) }, 'name'],
  ['a term of two months', { term: 2 }, 'term'],
  ['an unknown plan', { tariff: 999 }, 'tariff'],
  ['a service without its id', { services: [{ count: 2 }] }, 'services'],
  ['a webhook without a secret', { webhook: { url: 'https://example.com/' } }, 'webhook'],
  ['an arm template on another processor', { template: 8 }, 'template'],
  ['Windows on a small plan', { tariff: 101, template: 12 }, 'template'],
  ['bandwidth below the least', { bandwidth: 50 }, 'bandwidth'],
  ['a placement policy of its own', { placement_policy: 'LOOSE' }, 'placement_policy'],
  ['a private network that is not there', { private_network: 7 }, 'private_network'],
])('an order with %s is refused', async (_name, change, field) => {
  const answer = await call('POST /orders/vps/', { ...wish, ...change });
  expect(answer.status).toBe(400);
  expect(Object.keys(answer.body)).toEqual([field]);
  expect(await balance()).toBe(84.2);
});

test('the bounds of a custom configuration are checked', async () => {
  const configuration = { cpu_count: 17, ram_size: 1, cpu_arch: 'mips' };
  const answer = await call('POST /orders/vps/', { configuration, template: 1, location: 'de' });
  expect(answer.body).toEqual({
    configuration: {
      cpu_count: ['Ensure this value is less than or equal to 16.'],
      ram_size: ['Ensure this value is greater than or equal to 2.'],
      disk_size: ['This field is required.'],
      cpu_arch: ['"mips" is not a valid choice.'],
    },
  });
});
