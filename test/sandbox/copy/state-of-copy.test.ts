import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { readAccount } from '../../../sandbox/cli/read-account.ts';
import { stateOfCopy } from '../../../sandbox/copy/state-of-copy.ts';
import type { ProviderSnapshot } from '../../../sandbox/provider/model.ts';
import { startProvider } from '../../../sandbox/provider/server.ts';
import { emptyState, toSnapshot } from '../../../sandbox/provider/snapshot.ts';
import { createReader, type Reader } from '../../../src/provider/client.ts';
import type { PublicAddress } from '../../../src/provider/endpoints/account.ts';
import { createTransport } from '../../../src/provider/transport.ts';
import { codePoint } from '../../support/values/code-point.ts';

interface Opened extends AsyncDisposable {
  readonly provider: Awaited<ReturnType<typeof startProvider>>;
  readonly reader: Reader;
}

/** A simulated provider with this state, and a reader of it. */
async function open(state?: ProviderSnapshot): Promise<Opened> {
  const provider = await startProvider(state === undefined ? {} : { seed: state });
  const transport = createTransport({ baseUrl: provider.url, apiKey: provider.key });
  return {
    provider,
    reader: createReader(transport),
    async [Symbol.asyncDispose]() {
      await transport.close();
      await provider.close();
    },
  };
}

/** Lists of addresses have no order of their own. */
const textOf = ({ order, ip }: PublicAddress) => `${ip} ${order?.unique_number}`;

/** Everything that a bot reads about the account, except for what a copy makes up. */
async function allOf(reader: Reader) {
  const vps = await reader.vpsOrders.list();
  const ds = await reader.ds.list();
  const withoutLogo = <T extends { project: { logo: unknown } | null }>(order: T) => ({
    ...order,
    project: order.project && { ...order.project, logo: '' },
  });
  const { name } = await reader.account.info();
  const traffic = (id: string) => reader.ds.trafficUsed({ order_id: Number(id.split('-')[1]) });
  return {
    name,
    balance: await reader.account.balance(),
    invoices: await reader.account.invoices(),
    orders: (await reader.orders.list()).map(withoutLogo),
    vps: vps.map(withoutLogo),
    ds: ds.map(withoutLogo),
    buckets: (await reader.s3.list()).map((bucket) => ({ ...withoutLogo(bucket), access_key: '', bucket_name: '' })),
    power: await Promise.all(vps.map(({ id }) => reader.vps.status({ order_id: id }))),
    limits: await Promise.all(ds.map(async ({ id }) => (await traffic(id)).limit)),
    domains: await reader.dns.domains(),
    projects: (await reader.projects.list()).map((project) => ({ ...project, logo: '' })),
    addresses: (await reader.network.addresses()).toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1)),
    networks: await reader.privateNetworks.list(),
    networkLocations: await reader.privateNetworks.locations(),
    snapshots: await reader.vpsOrders.snapshots(),
    plans: await Promise.all([
      reader.plans.vps(),
      reader.plans.dedicated(),
      reader.plans.hosting(),
      reader.plans.backups(),
    ]),
    catalogs: await Promise.all([
      reader.vpsOrders.templates(),
      reader.vpsOrders.apps(),
      reader.vpsOrders.locations(),
      reader.vpsOrders.disks(),
      reader.vpsOrders.services(),
    ]),
  };
}

/** The account and its copy, as a bot reads them. */
async function bothOf(state?: ProviderSnapshot) {
  await using real = await open(state);
  const before = await allOf(real.reader);
  const { copy, notes } = await readAccount(real.reader, real.provider.sim.now());
  await using twin = await open(stateOfCopy(copy));
  return { before, after: await allOf(twin.reader), copy, notes };
}

test('a copy of the made-up account equals it field by field, except for the one e-mail address', async () => {
  const { before, after, notes } = await bothOf();
  const masked = JSON.parse(JSON.stringify(before).replaceAll('dmarc@example.com', 'someone@example.com'));
  expect(JSON.parse(JSON.stringify(after))).toEqual(masked);
  expect(notes).toEqual([]);
});

const day = 86_400_000;
// E-mail addresses are replaced, which another test checks.
const words = fc.string({ unit: codePoint, maxLength: 40 }).map((text) => text.replaceAll('@', '(at)'));
const sometimes = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const money = fc.integer({ min: 0, max: 100_000 }).map((cents) => cents / 100);
const moment = fc.integer({ min: 1, max: 300 }).map((days) => Math.floor(Date.now() / 1000) * 1000 + days * day);
const address = fc.ipV4();
const drawnOrder = fc.record({
  name: words,
  tariff: words,
  tariffPrice: sometimes(money),
  hostname: sometimes(fc.constantFrom('a.example.com', 'bücher.example')),
  addresses: sometimes(fc.uniqueArray(address, { maxLength: 3 })),
  status: fc.constantFrom('active', 'noprolong', 'pending', 'blocked', 'quarantined', 'ожидает'),
  costMonth: sometimes(money),
  expiresAt: sometimes(moment),
  tags: fc.uniqueArray(words, { maxLength: 3 }),
  hasCancelMark: sometimes(fc.boolean()),
  type: fc.option(fc.constantFrom('license', 'hosting'), { nil: undefined }),
});
const drawnRecord = fc.record({
  host: fc.constantFrom('', '@', 'www', '*', '_dmarc', 'full.name.example.com', 'ü'),
  type: fc.constantFrom('A', 'TXT', 'MX', 'HTTPS', 'TLSA', 'SRV'),
  prio: sometimes(fc.integer({ min: 0, max: 65_535 })),
  value: fc.string({ unit: codePoint, minLength: 1, maxLength: 60 }).map((text) => text.replaceAll('@', '(at)')),
  ttl: sometimes(fc.integer({ min: 0, max: 90_000 })),
});
const drawnZone = fc.record({
  name: fc.constantFrom('example.com', 'bücher.example', 'xn--e1afmkfd.example', 'a-b.example.org'),
  created: sometimes(moment),
  tags: fc.uniqueArray(words, { maxLength: 2 }),
  entries: fc.array(drawnRecord, { maxLength: 30 }),
});

test('a copy of any account equals it field by field', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(drawnOrder, { minLength: 6, maxLength: 24 }),
      fc.uniqueArray(drawnZone, { selector: ({ name }) => name, maxLength: 4 }),
      fc.array(fc.record({ name: words, comment: words }), { maxLength: 3 }),
      fc.record({ name: words, currency: fc.constantFrom('EUR', 'USD'), balance: money }),
      fc.array(money, { maxLength: 4 }),
      async (orders, zones, projects, account, unpaid) => {
        await using first = await open();
        const base = first.provider.snapshot();
        for (const [n, order] of base.orders.entries()) {
          const { type, ...fields } = orders[n % orders.length] ?? {};
          const isServer = order.vps !== null || order.ds !== null || order.storage !== null;
          Object.assign(order, fields, isServer || type === undefined ? {} : { type, kind: 'backup' });
          if (order.vps !== null) order.vps.power = (['on', 'off', 'unknown'] as const)[n % 3] ?? 'on';
          if (order.vps !== null && n % 4 === 0) order.vps.configuration = null;
          if (projects.length > 0) order.projectId = n % 2 === 0 ? (n % projects.length) + 1 : null;
          else order.projectId = null;
        }
        base.projects = projects.map((project, n) => ({ id: n + 1, ...project, logo: null }));
        base.domains = zones.map(({ name, created, tags, entries }, zone) => ({
          name,
          createdAt: created,
          updatedAt: created,
          tags,
          entries: entries.map((entry, n) => ({ ...entry, id: zone * 1_000 + n + 1 })),
        }));
        base.invoices = unpaid.map((amount, n) => ({ id: n + 1, orderId: null, amount, isPaid: false }));
        base.strayAddresses = [{ ip: '198.18.0.9', location: 'nl', rdns: 'spare.example.com' }];
        Object.assign(base.account, account);
        const { before, after } = await bothOf(base);
        expect(after).toEqual(before);
      },
    ),
    { numRuns: 20 },
  );
});

test('parts that the account does not offer are left out with a note', async () => {
  const provider = await startProvider({ features: { createVps: false } });
  onTestFinished(() => provider.close());
  provider.sim.fault({ kind: 'answer', match: 'GET /network/ip-address/', status: 404 });
  provider.sim.fault({ kind: 'item', match: 'GET /orders/', item: '34-12345', set: { id: null } });
  const transport = createTransport({ baseUrl: provider.url, apiKey: provider.key });
  onTestFinished(() => transport.close());
  const { copy, notes } = await readAccount(createReader(transport), Date.now());
  expect(copy.mayCreateServers).toBe(false);
  expect(copy.addresses).toEqual([]);
  expect(notes.join('\n')).toMatch(/The addresses cannot be read and are left out/);
  expect(notes.join('\n')).toMatch(/1 of the orders cannot be read and is left out/);
  expect(stateOfCopy(copy).orders.some(({ id }) => id === '34-12345')).toBe(false);
});

test('the terms of a copy follow from the prices, and a renewal costs a term', async () => {
  await using real = await open();
  const { copy } = await readAccount(real.reader, real.provider.sim.now());
  await using twin = await open(stateOfCopy(copy));
  const terms = ({ provider }: Opened) =>
    provider.sim.state().orders.map(({ id, termMonths }) => `${id} ${termMonths}`);
  expect(terms(twin).sort()).toEqual(terms(real).sort());
  twin.provider.sim.renew({ order: '375-13' });
  expect(twin.provider.sim.state().account.balance).toBe(84.2 - 10.8);
});

test('an empty account is copied too', async () => {
  const { before, after, copy } = await bothOf(toSnapshot(emptyState(), 0));
  expect(after).toEqual(before);
  expect(copy.orders).toEqual([]);
});
