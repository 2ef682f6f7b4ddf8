import type { CompiledQuery } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { AuditFilter } from '../../../src/core/command/bot-port.ts';
import { engines } from '../../support/database/databases.ts';
import { openAlone } from '../conformance.ts';

// The audit of a channel in which people have read for years, and changed little.

const day = 86_400_000;
const now = 1_800_000_000_000;
/** One row in ten minutes; every thousandth is a change. */
const count = 20_000;
const apartMs = 600_000;
const atOf = (seq: number) => now - (count - seq) * apartMs;

describe.each(engines)('a long past, on %s', (engine) => {
  test('a long past is read by the index of changes, and by the numbers of the rows of a few days', async () => {
    const queries: CompiledQuery[] = [];
    const { database, store } = await openAlone(engine, { onQuery: (query) => queries.push(query) });
    const numbers =
      engine === 'sqlite'
        ? `with recursive past(n) as (select 1 union all select n + 1 from past where n < ${count})`
        : `with past as (select n::bigint from generate_series(1, ${count}) as n)`;
    // Every 50th row was written by a process whose clock is 90 s behind.
    await database.run(
      `insert into audit (seq, at, kind, actor, channel, operation_id, data, prev, hash) ${numbers}
       select n, ${now} - (${count} - n) * ${apartMs} - case when n % 50 = 0 then 90000 else 0 end,
         case when n % 1000 = 0 then 'asked' else 'answered' end, 'U1', 'C1', null, '{"text":"x"}', 'p' || n, 'h' || n
       from past`,
    );
    await database.run(`update audit_head set seq = ${count}, hash = 'h${count}'`);
    if (engine === 'postgres') await database.run('analyze audit');
    const list = async (filter: Partial<AuditFilter>) => {
      queries.length = 0;
      const rows = await store.audit.list({ channel: 'C1', limit: 160, ...filter });
      return rows.map(({ seq }) => seq);
    };
    /** The plan of the last statement. */
    const plan = async (): Promise<string> => {
      const { sql = '', parameters = [] } = queries.at(-1) ?? {};
      let n = 0;
      const value = (given: unknown) => (typeof given === 'number' ? String(given) : `'${given}'`);
      const filled = sql.replace(/\$\d+|\?/g, () => value(parameters[n++]));
      const rows = await database.run(`${engine === 'sqlite' ? 'explain query plan' : 'explain'} ${filled}`);
      return JSON.stringify(rows);
    };

    // The actions of a channel are found by an index that has no reads.
    expect(await list({ isWithoutReads: true })).toEqual(Array.from({ length: 20 }, (_, n) => count - n * 1_000));
    expect(await plan()).toContain('audit_changes');
    // Parameters in the place of these kinds would rule out the index in a plan that is kept.
    expect(queries.at(-1)?.parameters).not.toContain('answered');
    expect(await list({ limit: 3 })).toEqual([count, count - 1, count - 2]);

    // The audit of a few days passes their rows and those of a day before and after.
    const [from, until] = [atOf(9_000), atOf(9_500)];
    const found = await list({ from, until, limit: 1_000 });
    // The clock of row 9,000 was behind, so the row is before the time.
    expect([found.at(0), found.at(-1), found.length]).toEqual([9_500, 9_001, 500]);
    const { sql = '', parameters = [] } = queries.at(-1) ?? {};
    const boundOf = (sign: string) => {
      const before = sql.slice(0, sql.indexOf(`"seq" ${sign} `));
      return Number(parameters[(before.match(/\$\d+|\?/g) ?? []).length]);
    };
    const rowsOfDay = day / apartMs;
    expect(Math.abs(boundOf('>=') - (9_000 - rowsOfDay))).toBeLessThan(3);
    expect(Math.abs(boundOf('<') - (9_500 + rowsOfDay))).toBeLessThan(3);
    expect(queries.length).toBeLessThan(40);
    expect(await list({ from: now + day })).toEqual([]);
    expect(await list({ until: atOf(1) })).toEqual([]);
    expect(await list({ from: 0, limit: 2 })).toEqual([count, count - 1]);
  });
});
