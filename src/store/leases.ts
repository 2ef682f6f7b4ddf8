import type { Context } from './dialect.ts';

export type Leases = ReturnType<typeof createLeases>;

/** Gives named work to one process at a time, until it releases the lease or the lease ends. */
export function createLeases({ db, clock }: Context) {
  return {
    /** True for exactly one of all callers; the holder may extend its lease. */
    async take(name: string, owner: string, forMs: number): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('leases')
        .values({ name, owner, until: clock(forMs) })
        .onConflict((conflict) =>
          conflict
            .column('name')
            .doUpdateSet({ owner, until: clock(forMs) })
            .where(({ or, eb }) => or([eb('leases.until', '<=', clock()), eb('leases.owner', '=', owner)])),
        )
        .executeTakeFirstOrThrow();
      return (numInsertedOrUpdatedRows ?? 0n) > 0n;
    },

    async giveBack(name: string, owner: string): Promise<void> {
      await db.deleteFrom('leases').where('name', '=', name).where('owner', '=', owner).execute();
    },

    async isTaken(name: string): Promise<boolean> {
      const row = await db
        .selectFrom('leases')
        .select('owner')
        .where('name', '=', name)
        .where('until', '>', clock())
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Callers invent names, so leases that have ended are deleted. */
    async prune(): Promise<void> {
      await db.deleteFrom('leases').where('until', '<=', clock()).execute();
    },
  };
}
