import { DatabaseSync } from 'node:sqlite';
import type { CompiledQuery } from 'kysely';
import { DatabaseError } from 'pg';
import { describe, expect, test } from 'vitest';
import { alertRules } from '../../src/alerts/all.ts';
import { createMetrics, createProcessMetrics } from '../../src/http/metrics.ts';
import { createRoutes } from '../../src/http/routes.ts';
import { openWatch } from '../alerts/support.ts';
import { openOperations } from '../support/bot/open-operations.ts';
import { addPast } from '../support/bot/past-operations.ts';
import { openConsole } from '../support/database/console.ts';
import { engines, type TestDatabase } from '../support/database/databases.ts';
import { openAlone } from './conformance.ts';

// Ended requests grow in number for years. No statement of a sweep, a scrape or a command may read all of them: the
// test reads the plan of each statement, with its values. The benchmark measures the time with many and with few rows.

/** Tables that grow with the requests; others stay as small as the account, or are pruned after days. */
const growing = ['operations', 'steps', 'votes', 'audit', 'messages', 'inbox', 'alerts'];
/** Tables that SQLite, whose plans do not depend on the rows, must not read as a whole either. */
const small = ['stored_values', 'secrets', 'forms', 'hooks'];

type Explain = (query: CompiledQuery) => Promise<string[]>;

/** Lines of the plan that read a whole table, or a whole index other than one of open requests. */
async function explainer({ engine, url }: TestDatabase): Promise<{ explain: Explain; close: () => Promise<void> }> {
  if (engine === 'sqlite') {
    const database = new DatabaseSync(url, { readOnly: true });
    const partial = new Set(
      database
        .prepare("select name from sqlite_schema where type = 'index' and sql like '% where %'")
        .all()
        .map(({ name }) => String(name)),
    );
    const isWhole = (line: string) => {
      const [, , index] = /^SCAN (\w+)(?: .*?INDEX (\w+))?/.exec(line) ?? [];
      return line.startsWith('SCAN ') && !(index !== undefined && partial.has(index));
    };
    // A search through an index may also pass all ended rows.
    const isPast = (line: string, sql: string) =>
      line.includes('operations_ended') ||
      // Only a page ends at its limit.
      (!/ limit \?$/.test(sql) && /^SEARCH operations .*operations_(channel|requester|created)\b/.test(line)) ||
      (/"state" in \('waiting'/.test(sql) && /^SEARCH operations /.test(line) && !line.includes('operations_open')) ||
      (/"ended_at" (is null|>=)/.test(sql) &&
        /^SEARCH steps /.test(line) &&
        !/steps_(under_way|ended)|PRIMARY|autoindex/.test(line));
    return {
      explain: async ({ sql, parameters }) => {
        const values = parameters.map((value) => (typeof value === 'number' || value === null ? value : String(value)));
        const lines = database.prepare(`explain query plan ${sql}`).all(...values);
        return lines.map(({ detail }) => String(detail)).filter((line) => isWhole(line) || isPast(line, sql));
      },
      close: async () => database.close(),
    };
  }
  const client = await openConsole(url);
  return {
    explain: async ({ sql, parameters }) => {
      // As unknown text each value gets the type of its column, as in the statement itself.
      const values = parameters.map((value) => (value === null ? null : String(value)));
      const plans = await client
        .inTransaction(async () => {
          const rows = await client.run(`explain (analyze, format json) ${sql}`, values);
          throw new Explained(rows.flatMap((row) => row['QUERY PLAN'] as readonly { readonly Plan: PlanNode }[]));
        })
        .catch((error: unknown) => {
          if (error instanceof Explained) return error.plans;
          // A row that is inserted again.
          if (error instanceof DatabaseError && error.code === '23505') return [];
          throw error;
        });
      return plans
        .flatMap(({ Plan }) => nodesOf(Plan))
        .filter((node) => rowsRead(node) > mostRead)
        .map((node) => `${node['Relation Name']}: ${rowsRead(node)} rows by ${node['Node Type']}`);
    },
    close: client.close,
  };
}

/** The most rows of one table that a statement may read: a page, or the open requests, and no ended ones. */
const mostRead = 3_000;

class Explained extends Error {
  readonly plans: readonly { readonly Plan: PlanNode }[];
  constructor(plans: readonly { readonly Plan: PlanNode }[]) {
    super('rolls the statement back');
    this.plans = plans;
  }
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

/** How many rows the node has gone through, all loops together. */
function rowsRead(node: PlanNode): number {
  const { 'Actual Rows': rows = 0, 'Actual Loops': loops = 0, 'Rows Removed by Filter': removed = 0 } = node;
  return Math.round(loops * (rows + removed));
}

describe.each(engines)('with years of ended requests, on %s', (engine) => {
  test('no statement of a sweep, a scrape or a command reads all ended rows', async () => {
    const queries = new Map<string, CompiledQuery>();
    const bot = await openWatch(Object.fromEntries(alertRules.map(({ name }) => [name, {}])), {
      engine,
      replicas: 1,
      process: { onQuery: (query) => queries.set(query.sql, query) },
    });
    await bot.say('operator', 'restart web-1');
    await bot.press('operator', 'Confirm');
    await bot.settle();
    const count = engine === 'sqlite' ? 2_000 : 22_000;
    await addPast(bot.database, { count, endedAt: bot.now() - 60_000, apartMs: 120_000, hasAudit: true });
    queries.clear();
    const running = bot.replicas[0];
    if (running === undefined) throw new Error('no replica');
    const metrics = createMetrics();
    createRoutes({
      metrics,
      processMetrics: createProcessMetrics('0'),
      store: bot.store,
      running,
      slackState: () => undefined,
      watchdog: { problem: () => undefined },
      now: bot.now,
      owner: 'me',
    });
    await metrics.registry.metrics();
    for (let round = 0; round < 2; round += 1) {
      // Every rule is due, something has changed by hand, and it is time to tidy.
      await bot.pass(2 * 3_600_000);
      if (round === 1)
        bot.sim.records({ domain: 'example.org', add: [{ host: 'evil', type: 'A', value: '203.0.113.66' }] });
      await running.sweep();
      await bot.sweep();
    }
    const requests = ['requests', 'requests mine', 'requests open', 'jobs'];
    for (const line of [...requests, 'audit', 'audit by=@operator', 'status web-1', 'alerts', ''])
      await bot.say('operator', line);
    await running.engine.home('U0OPER0001');
    await bot.say('operator', 'restart web-1');
    await bot.press('operator', 'Confirm');
    await bot.until(async () => (await openOperations(bot.store)).length === 0, 'it to end');

    // Thousands with an hour must not hide the few that are due.
    await bot.database.run(
      `update operations set state = 'scheduled', ended_at = null, next_turn_at = 8e15, starts_at = 8e15
        where id like 'past%5'`,
    );
    if (engine === 'postgres') await bot.database.run('analyze operations');
    const { explain, close } = await explainer(bot.database);
    const scans: string[] = [];
    for (const query of queries.values()) {
      // Pages of all rows are read from their end.
      if (
        !/^(select|with|update|delete|insert)/.test(query.sql) ||
        /^select \* from "operations" order by .* limit/.test(query.sql)
      )
        continue;
      const lines = await explain(query);
      const isRead = query.sql.startsWith('select');
      const tables = engine === 'sqlite' ? [...growing, ...small, ...(isRead ? ['freezes'] : [])] : growing;
      const found = lines.filter((line) => tables.some((table) => new RegExp(`\\b${table}\\b`).test(line)));
      if (found.length > 0) scans.push(`${found.join('; ')}\n    ${query.sql}`);
    }
    await close();
    expect(scans.join('\n')).toBe('');
    expect([...queries.keys()].join('\n')).toMatch(/inner join "operations".* where .*"ended_at" >= /);
    expect(queries.size).toBeGreaterThan(60);
  });
});

test('on PostgreSQL the claim of messages does not compare each message with all due messages', async () => {
  let query: CompiledQuery | undefined;
  const { database, store } = await openAlone('postgres', { onQuery: (sent) => (query = sent) });
  const client = await openConsole(database.url);
  // As in production, no message is due when statistics are gathered.
  await client.run(`insert into messages (key, channel, view, wanted, delivered, ts, state, attempts, not_before, claimed_until,
    updated_at) select 'old:' || g, 'C1', '""', 1, 1, '1.' || g, 'delivered', 0, 0, 0, 0
    from generate_series(1, 10000) g`);
  await client.run('analyze messages');
  const count = 400;
  const replies = Array.from({ length: count }, (_, n) => ({ key: `k${n}`, channel: 'C1', parentKey: `old:${n + 1}` }));
  await store.messages.putAll(replies.map((reply) => ({ ...reply, view: '"x"' })));
  expect(await store.messages.claimDue('me', 60_000, 20)).toHaveLength(20);
  // Half of them wait for Slack, in another channel.
  await client.run("update messages set channel = 'C2', not_before = 9e15 where state = 'due' and seq % 2 = 0");
  const rows = await client.run(`explain (analyze, format json) ${query?.sql}`, (query?.parameters ?? []).map(String));
  await client.close();
  const plans = rows.flatMap((row) => row['QUERY PLAN'] as readonly { readonly Plan: PlanNode }[]);
  expect(plans.map(({ Plan }) => Plan['Relation Name'])).toEqual(['messages']);
  // A parameter in the place of this state would rule out the index in any plan that is kept.
  expect(query?.parameters).not.toContain('due');
  // Once for each of the parts of the statement, and twenty times for those that it claims.
  expect(plans.flatMap(({ Plan }) => nodesOf(Plan)).reduce((sum, node) => sum + rowsRead(node), 0)).toBeLessThan(
    50 * count,
  );
});
