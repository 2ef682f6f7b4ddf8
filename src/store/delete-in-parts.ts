import type { DeleteResult } from 'kysely';

/** Deletes all rows, a few per statement, so that no statement blocks other writers for long. */
export async function deleteInParts(
  deleteSome: (limit: number) => Promise<DeleteResult>,
  atOnce = 500,
): Promise<number> {
  for (let deleted = 0; ; ) {
    const some = Number((await deleteSome(atOnce)).numDeletedRows);
    deleted += some;
    if (some < atOnce) return deleted;
  }
}
