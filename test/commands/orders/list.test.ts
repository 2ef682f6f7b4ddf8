import { expect, test } from 'vitest';
import { orders } from '../../../src/commands/orders/list.ts';
import { openCommandRunner } from '../../support/run-command.ts';
import { viewText } from '../../support/view-text.ts';

const openRunner = (more: Partial<Parameters<typeof openCommandRunner>[0]> = {}) =>
  openCommandRunner({ commands: [orders], ...more });

/** The first column, without the heads. */
const namesIn = (said: string) =>
  said
    .split('\n')
    .filter((line) => line.includes(' │ '))
    .slice(1)
    .map((line) => line.split(' │ ')[0]);

test('the list begins with orders that need attention, and ends with those paid for longest', async () => {
  const { sim, viewOf } = await openRunner();
  sim.order({ order: '34-12407', status: 'blocked' });
  sim.order({ order: '34-12380', cancel_mark: true });
  expect(viewText(await viewOf('orders'))).toMatchInlineSnapshot(`
    "Name │ Id │ Type │ Status │ A month │ Paid │ Tags │ Project
    web-3 │ 34-12407 │ server, Cloud NVMe 2 │ 🔴 blocked │ € 5.50 │ 24 days │ web, prod │ Website
    Media bucket │ 664-2041 │ object storage, Object storage 250 GB │ 🟡 unpaid │ € 2.50 │ 28 days │  │ 
    cache-1 │ 34-12352 │ server, Cloud NVMe 1 │ 🟢 active │ € 3.50 │ 2 days │ cache, prod │ Website
    staging-1 │ 34-12422 │ server, Cloud NVMe 1 │ 🟢 active │ € 3.50 │ 6 days │ staging │ 
    ci-1 │ 34-12371 │ server, Cloud NVMe 1 │ 🟢 active │ € 3.50 │ 8 days │ ci │ Internal
    files-1 │ 34-1000101 │ dedicated server, DS-E3 │ 🟢 active │ € 27 │ 9 days │ dedicated, prod │ 
    wiki-1 │ 34-12318 │ server, Cloud NVMe 1 │ 🟡 not renewed │ € 3.50 │ 9 days │ legacy │ 
    mail-1 │ 34-12360 │ server, Cloud NVMe 1 │ 🟢 active │ € 3.50 │ 11 days │ mail, prod │ 
    Offsite backup │ 77-3301 │ backup, Backup 100 GB │ 🟢 active │ € 2 │ 13 days │ backup │ 
    vpn-1 │ 34-12380 │ server, Cloud NVMe 1 │ 🟢 active, to be canceled │ € 3.50 │ 15 days │ vpn │ Internal
    db-1 │ 34-12346 │ server, Cloud NVMe 4 │ 🟢 active │ € 10 │ 19 days │ db, prod │ Website
    web-1 │ 34-12345 │ server, Cloud NVMe 2 │ 🟢 active │ € 5.50 │ 19 days │ web, prod │ Website
    web-2 │ 34-12399 │ server, Cloud NVMe 2 │ 🟢 active │ € 5.50 │ 19 days │ web, prod │ Website
    backup-1 │ 34-1000102 │ dedicated server, DS-R5 │ 🟢 active │ € 32 │ 21 days │ dedicated, prod │ 
    db-2 │ 34-12411 │ server, Custom │ 🟢 active │ € 5.50 │ 24 days │ db, prod, replica │ Website
    monitor-1 │ 34-12372 │ server, Cloud NVMe 1 │ 🟢 active │ € 3.50 │ 27 days │ monitoring │ Internal
    example.net │ 375-21 │ domain, Domain .net │ 🟢 active │ € 1 │ 41 days │  │ 
    example.org │ 375-14 │ domain, Domain .org │ 🟢 active │ € 0.95 │ 96 days │  │ 
    example.com │ 375-13 │ domain, Domain .com │ 🟢 active │ € 0.90 │ 210 days │  │ 
    · 19 orders: 1 blocked, 1 unpaid, 16 active, 1 not renewed · € 122.85 a month · read ‹full›
    [Expiring → orders expiring 14d]"
  `);
});

test.for<[string, readonly string[]]>([
  ['orders expiring 7d', ['cache-1', 'staging-1']],
  ['orders expiring:7d', ['cache-1', 'staging-1']],
  ['orders unpaid', ['Media bucket']],
  ['orders status:unpaid', ['Media bucket']],
  ['orders tag:DB', ['db-1', 'db-2']],
  ['orders tag:db tag:replica', ['db-2']],
  ['orders type:domain', ['example.net', 'example.org', 'example.com']],
  ['orders type:object_storage', ['Media bucket']],
  ['orders type:vps tag:ci', ['ci-1']],
  ['orders project:internal', ['ci-1', 'vpn-1', 'monitor-1']],
  ['orders project:none type:server', ['staging-1', 'wiki-1', 'mail-1']],
  ['orders db-', ['db-1', 'db-2']],
  ['orders 198.51.100.2', ['files-1', 'db-2']],
  ['orders tag:prod expiring 10d', ['cache-1', 'files-1']],
])('the filter of %s finds its orders', async ([line, names]) => {
  const { viewOf } = await openRunner();
  expect(namesIn(viewText(await viewOf(line)))).toEqual(names);
});

test('orders canceled asks the provider for the marked orders, since its list may leave out the mark', async () => {
  const { sim, viewOf } = await openRunner();
  sim.order({ order: '34-12380', cancel_mark: true });
  expect(namesIn(viewText(await viewOf('orders canceled')))).toEqual(['vpn-1']);
  expect(sim.requests().some((request) => request.path.includes('cancel_mark=true'))).toBe(true);
});

test('a filter without a match says so, with a button for all orders', async () => {
  const { viewOf } = await openRunner();
  expect(viewText(await viewOf('orders tag:nothing'))).toMatchInlineSnapshot(`
    "No order fits: tagged nothing.
    · Read ‹full›
    [All orders → orders]"
  `);
});

test('a long list of orders is shown in pages that keep the filter', async () => {
  const { viewOf, refusalOf } = await openRunner({ seed: { orders: 60 } });
  const second = viewText(await viewOf('orders type:vps page:2'));
  expect(namesIn(second)).toHaveLength(25);
  expect(second).toContain('page 2 of 3');
  expect(second).toContain('[Previous → orders type=vps] [Next → orders type=vps page=3]');
  expect(second).toContain('more: orders type=vps page=3');
  expect(namesIn(viewText(await viewOf('orders type=vps page=3')))).toHaveLength(10);
  const beyond = await refusalOf('orders page:4');
  expect(beyond).toMatchObject({ message: 'There is no page 4: the list has 3.', field: 'page' });
});

test('only orders that the person may read are listed', async () => {
  const { viewOf } = await openRunner({ may: (_, target) => target.tags.includes('db') });
  expect(namesIn(viewText(await viewOf('orders')))).toEqual(['db-1', 'db-2']);
});

test('an unknown status is refused with the nearest, and another order of the list', async () => {
  const { refusalOf } = await openRunner();
  expect(await refusalOf('orders status:actve')).toMatchObject({ field: 'status', hint: 'Did you mean active?' });
  for (const line of ['orders ordering=expired', 'orders sort:name'])
    expect((await refusalOf(line)).message).toBe('The list has one order: what needs attention comes first.');
});
