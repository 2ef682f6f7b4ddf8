import { expect, test } from 'vitest';
import { openProvider } from '../open.ts';
import { json, oneByOne, serve } from '../server.ts';

// The document lists the present words of the provider. A new word must not hide an item.

const order = {
  id: '34-12345',
  name: 'web-1',
  tariff: 'VPS-2',
  tariff_price: 5.5,
  type: 'vps',
  hostname: null,
  ipaddress_set: ['192.0.2.10'],
  status: 'suspended',
  cost_month: 5.5,
  expiration_date: '2026-12-10T00:00:00',
  tags: [],
};
const job = {
  pk: 812,
  action: 'Restart',
  note: '',
  user: '',
  time: '2026-11-21T08:00:00Z',
  completed: false,
  job_state: 'queued',
  job_action: 'restart',
};
const entry = { id: 5, host: '_443._tcp', type: 'TLSA', prio: null, value: '3 1 1 ab', ttl: null };
const service = { id: 1, name: 'License', description: '', price: '4.90', billing_type: 'yearly' };

test('values that the document does not list are read unchanged, in every field with a list of values', async () => {
  const page = { count: 1, next: null, previous: null };
  const answers = [
    { ...page, results: [order] },
    { ...order, configuration: { cpu_count: 2, ram_size: 4, disk_size: 40, cpu_arch: 'riscv', min_cpu_freq: null } },
    { status: 'cancel_requested', message: 'We will see.' },
    job,
    { status: 'hibernating' },
    [entry],
    { ...page, results: [{ name: 'example.com', entry_set: [entry], tags: [] }] },
    [service],
  ];
  const server = await serve(oneByOne(...answers.map((answer) => json(200, answer))));
  const { provider } = openProvider(server.url);
  const server34 = { order_id: '34-12345' };
  expect((await provider.orders.list())[0]?.status).toBe('suspended');
  expect(await provider.vpsOrders.read(server34)).toMatchObject({
    status: 'suspended',
    configuration: { cpu_arch: 'riscv' },
  });
  // An accepted write does not count as lost because of a new word.
  expect((await provider.orders.cancel(server34)).status).toBe('cancel_requested');
  expect((await provider.vps.logDetails({ ...server34, log_id: 812 })).job_state).toBe('queued');
  // Neither on nor off: callers have to handle an unknown status.
  expect((await provider.vps.status(server34)).status).toBe('unknown');
  expect((await provider.dns.entries({ name: 'example.com' }))[0]?.type).toBe('TLSA');
  expect((await provider.dns.domains())[0]?.entry_set[0]?.type).toBe('TLSA');
  expect((await provider.vpsOrders.services())[0]?.billing_type).toBe('yearly');
});
