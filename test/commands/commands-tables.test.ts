import { expect, test } from 'vitest';
import { loadCommands } from '../../src/commands/all.ts';
import type { Columns } from '../../src/core/view/view.ts';
import { oddTablesIn } from '../support/raw-words.ts';
import { openDns } from './dns/open.ts';

// A phone shows three columns of a table. The engine's tests look at the tables of the bot's own commands.

const commands = await loadCommands();
/** A new account has no jobs and no earlier zones. */
const empty = ['job', 'dns diff', 'dns history'];
const queries = commands.filter(
  ({ kind, area, path }) => kind === 'query' && area !== 'The bot' && area !== 'Alerts' && !empty.includes(path),
);

test.each(queries.map(({ path, examples }) => [path, examples[0]]))(
  '%s draws no table of more than three columns',
  async (_, line) => {
    const dns = await openDns({ commands });
    expect(await dns.ask(line)).toMatchObject({ kind: 'view' });
  },
);

test('the type of a table and the tests refuse a fourth column, and a cell without a column', () => {
  const three: Columns = [{ name: 'Name' }, { name: 'State' }, { name: 'Paid' }];
  // @ts-expect-error
  const four: Columns = [...three, { name: 'Tags' }];
  expect(oddTablesIn([{ kind: 'table', columns: three, rows: [['web-1', 'on', '19 days']] }])).toEqual([]);
  expect(oddTablesIn([{ kind: 'table', columns: four, rows: [] }])).toEqual([
    'a table of 4 columns: Name, State, Paid, Tags',
  ]);
  expect(oddTablesIn([{ kind: 'table', columns: three, rows: [['web-1']] }])).toHaveLength(1);
});
