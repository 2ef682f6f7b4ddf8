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
    .map((line) => line.split(' · ')[0]);

test('the list begins with orders that need attention, and ends with those paid for longest', async () => {
  const { sim, viewOf } = await openRunner();
  sim.order({ order: '34-12407', status: 'blocked' });
  sim.order({ order: '34-12380', cancel_mark: true });
  expect(viewText(await viewOf('orders'))).toMatchInlineSnapshot(`
    "Name │ Status │ Paid
    web-3 · server │ 🔴 blocked │ 24 days · € 5.50 a month
    Media bucket · object storage │ 🟡 unpaid │ 28 days · € 2.50 a month
    cache-1 · server │ 🟢 active │ 2 days · € 3.50 a month
    staging-1 · server │ 🟢 active │ 6 days · € 3.50 a month
    ci-1 · server │ 🟢 active │ 8 days · € 3.50 a month
    files-1 · dedicated server │ 🟢 active │ 9 days · € 27 a month
    wiki-1 · server │ 🟡 not renewed │ 9 days · € 3.50 a month
    mail-1 · server │ 🟢 active │ 11 days · € 3.50 a month
    Offsite backup · backup │ 🟢 active │ 13 days · € 2 a month
    vpn-1 · server │ 🟢 active, to be canceled │ 15 days · € 3.50 a month
    db-1 · server │ 🟢 active │ 19 days · € 10 a month
    web-1 · server │ 🟢 active │ 19 days · € 5.50 a month
    web-2 · server │ 🟢 active │ 19 days · € 5.50 a month
    backup-1 · dedicated server │ 🟢 active │ 21 days · € 32 a month
    db-2 · server │ 🟢 active │ 24 days · € 5.50 a month
    monitor-1 · server │ 🟢 active │ 27 days · € 3.50 a month
    example.net · domain │ 🟢 active │ 41 days · € 1 a month
    example.org · domain │ 🟢 active │ 96 days · € 0.95 a month
    example.com · domain │ 🟢 active │ 210 days · € 0.90 a month
    [Show one in full ▾ [web-3 → order 34-12407] [Media bucket → order 664-2041] [cache-1 → order 34-12352] [staging-1 → order 34-12422] [ci-1 → order 34-12371] [files-1 → order 34-1000101] [wiki-1 → order 34-12318] [mail-1 → order 34-12360] [Offsite backup → order 77-3301] [vpn-1 → order 34-12380] [db-1 → order 34-12346] [web-1 → order 34-12345] [web-2 → order 34-12399] [backup-1 → order 34-1000102] [db-2 → order 34-12411] [monitor-1 → order 34-12372] [example.net → order 375-21] [example.org → order 375-14] [example.com → order 375-13]]
    · 19 orders: 1 blocked, 1 unpaid, 16 active, 1 not renewed · € 122.85 a month · read ‹full›
    [Expiring → orders expiring 14d]"
  `);
});

test('a filter finds its orders', async () => {
  const { viewOf } = await openRunner();
  const rows: [line: string, names: string[]][] = [
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
  ];
  for (const [line, names] of rows) expect(namesIn(viewText(await viewOf(line))), line).toEqual(names);
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
