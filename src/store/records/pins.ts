import type { Context } from '../dialect.ts';
import type { PinsTable } from '../schema.ts';
import { createSharedRead } from '../shared-reads.ts';

export type PinRow = PinsTable;
export type Pins = ReturnType<typeof createPins>;

/** Pins that people set. A removed pin leaves no row: the audit has it. */
export function createPins({ db, now }: Context) {
  return {
    all: createSharedRead((): Promise<PinRow[]> => db.selectFrom('pins').selectAll().orderBy('target').execute()),

    /** False if the target is pinned already. */
    async add(pin: Omit<PinRow, 'since'>): Promise<boolean> {
      const { numInsertedOrUpdatedRows = 0n } = await db
        .insertInto('pins')
        .values({ ...pin, since: now() })
        .onConflict((conflict) => conflict.column('target').doNothing())
        .executeTakeFirstOrThrow();
      return numInsertedOrUpdatedRows > 0n;
    },

    /** Removes the pin that was shown. False if it is gone, or if another one stands in its place. */
    async remove({ target, since }: Pick<PinRow, 'target' | 'since'>): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('pins')
        .where('target', '=', target)
        .where('since', '=', since)
        .executeTakeFirstOrThrow();
      return numDeletedRows > 0n;
    },
  };
}
