import { expect } from 'vitest';
import { loadCommands } from '../../../src/commands/load-commands.ts';
import { otherLists } from '../../../src/commands/servers/list.ts';
import { contains, readFilter } from '../../../src/commands/servers/list-filter.ts';
import { makeOrder } from '../../core/support.ts';
import { viewText } from '../../support/bot/view-text.ts';
import { testsOf } from '../commands-called.ts';

const { openRunner, test } = testsOf('list');
const statusReads = (requests: readonly { path: string }[]) =>
  requests.filter(({ path }) => /\/vps\/[^/]+\/status\/$/.test(path)).length;

test('the list begins with servers that need attention', async ({ runner }) => {
  runner.sim.order({ order: '34-12360', status: 'blocked' });
  runner.sim.order({ order: '34-12371', cancel_mark: true });
  runner.sim.power({ order: '34-12380', state: 'unknown' });
  expect(viewText(await runner.viewOf('list'))).toMatchInlineSnapshot(`
    "Name │ State │ Paid
    mail-1 │ 🔴 off · blocked │ 🟡 11 days
    staging-1 │ 🔴 off │ 🟡 6 days
    wiki-1 │ 🔴 off │ 🟡 9 days, not renewed
    vpn-1 │ ⚪ unknown │ 15 days
    cache-1 │ 🟢 on │ 🟡 2 days
    ci-1 │ 🟢 on │ 🟡 8 days, then canceled
    db-1 │ 🟢 on │ 19 days
    db-2 │ 🟢 on │ 24 days
    monitor-1 │ 🟢 on │ 27 days
    web-1 │ 🟢 on │ 19 days
    web-2 │ 🟢 on │ 19 days
    web-3 │ 🟢 on │ 24 days
    · 12 servers: 8 on, 3 off, 1 unknown · read ‹full›
    [Start staging-1 → start 34-12422]"
  `);
});

test('a filter finds its servers, and an empty result repeats it and offers all servers', async ({ runner }) => {
  for (const [line, names, counts] of [
    ['list tag:web', ['web-1', 'web-2', 'web-3'], '3 of 12 servers: 3 on'],
    ['list TAG:Web*', ['web-1', 'web-2', 'web-3'], '3 of 12 servers: 3 on'],
    ['list web*', ['web-1', 'web-2', 'web-3'], '3 of 12 servers: 3 on'],
    ['list off', ['staging-1', 'wiki-1'], '2 of 12 servers: 2 off'],
    ['list noprolong', ['wiki-1'], '1 of 12 servers: 1 off'],
    ['list project:website db', ['db-1', 'db-2'], '2 of 12 servers: 2 on'],
    ['list 203.0.113.25', ['mail-1'], '1 of 12 servers: 1 on'],
    ['list plan:custom', ['db-2'], '1 of 12 servers: 1 on'],
    ['list plan:custom tag:web', [], '0 of 12 servers'],
  ] as const) {
    const { parts, summary } = await runner.viewOf(line);
    const rows = parts.flatMap((part) => (part.kind === 'table' ? part.rows.map(([name]) => name) : []));
    expect(rows, line).toEqual(names);
    expect(summary).toBe(counts);
  }
  expect(viewText(await runner.viewOf('list tag:web db-1'))).toBe(
    'No server fits tag:web db-1.\n· 0 of 12 servers · read ‹full›\n[All servers → list]',
  );
});

test('in a large account only the power of the servers on the page is read', async () => {
  const runner = await openRunner({ seed: { orders: 75 } });
  const first = await runner.viewOf('list');
  expect(statusReads(runner.sim.requests())).toBe(25);
  expect(viewText(first)).toMatch(/^· 75 servers: .*50 whose power was not read · page 1 of 3 · read /m);
  expect(first.more).toBe('list page=2');
  const last = viewText(await runner.viewOf('list page=3'));
  expect(last).toContain('page 3 of 3');
  expect(last).toContain('[Previous → list page=2]');
  for (const page of [0, 9]) expect(await runner.refusalOf(`list page=${page}`)).toMatchObject({ field: 'page' });
  expect((await runner.refusalOf('list off')).hint).toBe('Narrow it down to 60, by a tag for example.');
  expect((await runner.ask('list off tag:mail')).kind).toBe('view');
});

test('with at most sixty servers all are read, and the worst of all pages come first', async () => {
  const runner = await openRunner({ seed: { orders: 50 } });
  runner.sim.order({ order: '34-10050', name: 'zz-last' });
  runner.sim.power({ order: '34-10050', state: 'off' });
  const { parts } = await runner.viewOf('list');
  expect(statusReads(runner.sim.requests())).toBe(50);
  const names = parts.flatMap((part) => (part.kind === 'table' ? part.rows.map((row) => row[0]) : []));
  expect(names).toContain('zz-last');
});

test('the list shows only servers that the person may read, and buttons for what they may do', async () => {
  const runner = await openRunner({
    may: (capability, target) => capability === 'read' && target.tags.includes('staging'),
  });
  expect(viewText(await runner.viewOf('list'))).toMatch(/^Name.*\nstaging-1 │.*\n· 1 server: 1 off · read ‹full›$/);
  expect(statusReads(runner.sim.requests())).toBe(1);
});

test('canceled servers are counted, and listed only on request', async ({ runner }) => {
  runner.sim.order({ order: '34-12422', status: 'canceled' });
  expect((await runner.viewOf('list')).summary).toBe('11 servers: 10 on, 1 off · 1 canceled not shown');
  expect(viewText(await runner.viewOf('list canceled'))).toContain('staging-1 │ canceled │ ');
});

test('the order distinguishes servers of one name', async ({ runner }) => {
  runner.sim.order({ order: '34-12399', name: 'web-1' });
  const names = viewText(await runner.viewOf('list')).match(/^web-\d[^│]*/gm);
  expect(names?.map((name) => name.trim())).toEqual(['web-1 (34-12345)', 'web-1 (34-12399)', 'web-3']);
  expect(viewText(await runner.viewOf('list 34-12345'))).toContain('\nweb-1 (34-12345) │');
});

test('the list of one id neither sorts the other servers nor searches their names', async () => {
  const reads = new Map<PropertyKey, number>();
  const count = 200;
  const runner = await openRunner({
    seed: { orders: count },
    account: (account) => ({
      ...account,
      orders: account.orders.map(
        (order) =>
          new Proxy(order, {
            get: (of, key) => {
              reads.set(key, (reads.get(key) ?? 0) + 1);
              return Reflect.get(of, key);
            },
          }),
      ),
    }),
  });
  expect((await runner.viewOf('list 34-10002')).summary).toBe(`1 of ${count} servers: 1 on`);
  // Once for the right to read it, and once to find those of the same name.
  expect(reads.get('label')).toBeLessThan(2 * count + 20);
  expect(reads.get('name') ?? 0).toBe(0);
  expect(reads.get('hostname') ?? 0).toBe(0);
});

test('an empty list offers the list that the typed words name', async () => {
  const empty = await openRunner({ seed: 'empty' });
  expect(viewText(await empty.viewOf('list'))).toMatch(/^There is no server here that you may see\.\n· 0 servers /);
  const runner = await openRunner();
  expect((await runner.refusalOf('list all projects')).suggestions).toEqual([
    { label: 'Project list', command: 'project list' },
    { label: 'All servers', command: 'list' },
  ]);
  const rowsOf = async (line: string) =>
    viewText(await runner.viewOf(line))
      .split('\n')
      .filter((row) => row.includes('│'));
  const off = await rowsOf('list off');
  expect(off.length).toBeGreaterThan(1);
  expect(await rowsOf('list servers that are stopped')).toEqual(off);
  expect((await rowsOf('list running')).join()).not.toContain('🔴');
  const known = new Set((await loadCommands()).map(({ path }) => path));
  expect([...otherLists.values()].filter((path) => !known.has(path))).toEqual([]);
});

const shop = makeOrder('34-7', 'Shop-1', {
  hostname: 'shop.example.com',
  addresses: ['2001:db8::7'],
  tags: ['Prod'],
  project: { id: 3, name: 'Web shop' },
});
const orders = [shop, makeOrder('34-8', 'mail-1', { addresses: ['192.0.2.8'] })];

test.each([
  ['34-', ['34-7', '34-8']],
  ['shop-', ['34-7']],
  ['example.com', ['34-7']],
  ['2001:db8:0::7', ['34-7']],
  ['prod', ['34-7']],
  ['web shop', ['34-7']],
  // A tag or a project is named in full.
  ['pro', []],
  ['web', []],
])('of a list, %j finds %j', (word, ids) => {
  expect(orders.filter(contains(word)).map(({ id }) => id)).toEqual(ids);
});

test('an id finds its order, and not those whose ids begin with it', () => {
  const long = makeOrder('34-71', 'cart-1');
  const fitting = (...words: string[]) => {
    const { fits } = readFilter(words, [...orders, long]);
    return [...orders, long].filter(fits).map(({ id }) => id);
  };
  expect(fitting('34-7')).toEqual(['34-7']);
  expect(fitting('34-7', 'mail-1')).toEqual([]);
  expect(fitting('4-7')).toEqual(['34-7', '34-71']);
});
