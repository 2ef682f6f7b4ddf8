import type { Context } from '../dialect.ts';

/** Clocks of replicas differ and are reset: a row may follow one whose time is later, by at most this much. */
export const unevenMs = 86_400_000;

/**
 * The `seq` of the first row at or after this time, or the next free one. A binary search works, since rows are written
 * in the order of time: a query about a week reads the rows of that week, not those of years.
 */
export async function firstAt(db: Context['db'], at: number, newest: number): Promise<number> {
  let from = 1;
  let to = newest + 1;
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    const row = await db
      .selectFrom('audit')
      .select('at')
      .where('seq', '>=', middle)
      .orderBy('seq')
      .limit(1)
      .executeTakeFirst();
    if (row === undefined || row.at >= at) to = middle;
    else from = middle + 1;
  }
  return from;
}
