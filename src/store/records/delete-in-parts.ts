import type { DeleteResult } from 'kysely';

/** Deletes some rows at a time until none is left: no statement holds up what others write for long. */
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
