import { sql } from 'kysely';
import { count, list } from '../../core/text/words.ts';
import type { Context } from '../dialect.ts';

const tables = { operations: 'request', votes: 'vote', archives: 'archive' } as const;

/**
 * Each request, vote and archive comes after a row of the audit, so beside an empty audit they show that it was
 * removed. Names them, such as "12 requests and 3 votes"; undefined when there are none.
 */
export async function besideAudit(db: Context['db']): Promise<string | undefined> {
  const found: string[] = [];
  for (const [table, noun] of Object.entries(tables)) {
    const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(db);
    const n = Number(rows[0]?.n ?? 0);
    if (n > 0) found.push(count(n, noun));
  }
  return found.length === 0 ? undefined : list(found);
}
