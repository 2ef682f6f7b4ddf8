import { sql } from 'kysely';
import { count, list } from '../../core/text/words.ts';
import type { Context } from '../dialect.ts';

const tables = { operations: 'request', votes: 'vote' } as const;

/**
 * Every request and vote is preceded by an audit row, so any of them beside an empty audit shows that rows were
 * removed. Returns their counts, such as "12 requests and 3 votes"; undefined without any.
 */
export async function besideAudit(db: Context['db']): Promise<string | undefined> {
  const counts: string[] = [];
  for (const [table, noun] of Object.entries(tables)) {
    const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(db);
    const n = Number(rows[0]?.n ?? 0);
    if (n > 0) counts.push(count(n, noun));
  }
  return counts.length === 0 ? undefined : list(counts);
}
