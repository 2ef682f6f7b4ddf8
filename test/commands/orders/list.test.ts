import { expect } from 'vitest';
import { viewText } from '../../support/bot/view-text.ts';
import { testsOf } from '../commands-called.ts';

const { openRunner, test } = testsOf('orders');

/** The first column, without the heads. */
const namesIn = (said: string) =>
  said
    .split('\n')
    .filter((line) => line.includes(' │ '))
    .slice(1)
    .map((line) => line.split(' · ')[0]);

test('the list begins with orders that need attention, and ends with those paid longest', async ({ sim, viewOf }) => {
  sim.order({ order: '34-12407', status: 'blocked' });
  sim.order({ order: '34-12380', cancel_mark: true });
  const said = viewText(await viewOf('orders'));
  expect(namesIn(said)).toEqual([
    ...['web-3', 'Media bucket', 'cache-1', 'staging-1', 'ci-1', 'files-1', 'wiki-1', 'mail-1', 'Offsite backup'],
    ...['vpn-1', 'db-1', 'web-1', 'web-2', 'backup-1', 'db-2', 'monitor-1'],
    ...['example.net', 'example.org', 'example.com'],
  ]);
  expect(said).toContain('\nvpn-1 · server │ 🟢 active, to be canceled │ 15 days · € 3.50 a month\n');
  expect(said).toContain('[Show one in full ▾ [web-3 → order 34-12407] [Media bucket → order 664-2041] ');
  expect(said).toContain('· 19 orders: 1 blocked, 1 unpaid, 16 active, 1 not renewed · € 122.85 a month · read ‹full›');
});

test('a filter finds its orders', async ({ viewOf }) => {
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
    ['orders replica', ['db-2']],
    ['orders domain', ['example.net', 'example.org', 'example.com']],
    ['orders 198.51.100.2', ['files-1', 'db-2']],
    ['orders tag:prod expiring 10d', ['cache-1', 'files-1']],
  ];
  for (const [line, names] of rows) expect(namesIn(viewText(await viewOf(line))), line).toEqual(names);
});

test('orders canceled asks for the marked orders, since the list may leave out the mark', async ({ sim, viewOf }) => {
  sim.order({ order: '34-12380', cancel_mark: true });
  expect(namesIn(viewText(await viewOf('orders canceled')))).toEqual(['vpn-1']);
  expect(sim.requests().some((request) => request.path.includes('cancel_mark=true'))).toBe(true);
});

test('a filter without a match says so, with a button for all orders', async ({ viewOf }) => {
  expect(viewText(await viewOf('orders tag:db tag:ci'))).toBe(
    'No order fits: tagged db, tagged ci.\n· Read ‹full›\n[All orders → orders]',
  );
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

test('an unknown status is refused with the nearest, and another order of the list', async ({ refusalOf }) => {
  expect(await refusalOf('orders status:actve')).toMatchObject({ field: 'status', hint: 'Did you mean active?' });
  for (const line of ['orders ordering=expired', 'orders sort:name'])
    expect((await refusalOf(line)).message).toBe('The list has one order: what needs attention comes first.');
});
