import { sql } from 'kysely';
import { count, list } from '../../core/text/words.ts';
import type { Context } from '../dialect.ts';
import { tables } from '../migrate.ts';

/** The first row of the audit is about the installation, so it precedes each row of these tables. */
const tablesBeside = tables.filter((table) => !table.startsWith('audit'));

/**
 * Any row beside an empty audit shows that rows of the audit were removed. Returns the tables with rows, such as
 * "operations and votes"; undefined without any.
 */
export async function besideAudit(db: Context['db']): Promise<string | undefined> {
  const used: string[] = [];
  for (const table of tablesBeside) {
    const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(db);
    if (rows.length > 0) used.push(table);
  }
  return used.length === 0 ? undefined : list(used);
}

/**
 * Requests and decided votes that were made after the last row of the audit, and of which it has no row: rows were
 * removed, and an earlier end was put back. A clock that is ahead makes a request late, but not without a row.
 */
export async function newerThanAudit(db: Context['db']): Promise<string | undefined> {
  const newer = sql`> coalesce((select at from audit order by seq desc limit 1), 9e15)`;
  const { rows } = await sql<{ requests: number; votes: number }>`select
    (select count(*) from operations where created_at ${newer}
      and not exists (select 1 from audit where operation_id = operations.id)) as requests,
    (select count(*) from votes join operations on operations.id = operation_id where at ${newer}
      and decided_at is not null and not exists
      (select 1 from audit where audit.operation_id = votes.operation_id and kind = 'vote' and actor = user_id)) as votes`.execute(
    db,
  );
  const counts = (['request', 'vote'] as const).flatMap((noun) => {
    const n = Number(rows[0]?.[`${noun}s`] ?? 0);
    return n === 0 ? [] : [count(n, noun)];
  });
  return counts.length === 0 ? undefined : list(counts);
}
