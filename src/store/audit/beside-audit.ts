import { sql } from 'kysely';
import { count, list } from '../../core/text/words.ts';
import type { Context } from '../dialect.ts';

const anyRow = sql`true`;
/** Rows that an audit row precedes. The card of a request is a message. */
const rowsBeside = {
  request: ['operations', anyRow],
  vote: ['votes', anyRow],
  freeze: ['freezes', anyRow],
  hook: ['hooks', anyRow],
  card: ['messages', sql`key like 'card:%'`],
} as const;

/**
 * Any of these rows beside an empty audit shows that rows were removed. Returns their counts, such as "12 requests and 3
 * votes"; undefined without any.
 */
export async function besideAudit(db: Context['db']): Promise<string | undefined> {
  const counts: string[] = [];
  for (const [noun, [table, isOne]] of Object.entries(rowsBeside)) {
    const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)} where ${isOne}`.execute(db);
    const n = Number(rows[0]?.n ?? 0);
    if (n > 0) counts.push(count(n, noun));
  }
  return counts.length === 0 ? undefined : list(counts);
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
