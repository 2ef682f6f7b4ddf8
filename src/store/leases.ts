import type { Context } from './dialect.ts';

export type Leases = ReturnType<typeof createLeases>;

/** Gives work with a name to one process at a time, until it lets go or its time is over. */
export function createLeases({ db, clock }: Context) {
  return {
    /** True for one of all who ask; whoever has it may take it again for longer. */
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

    async letGo(name: string, owner: string): Promise<void> {
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

    /** Names are made up by whoever needs one; those that are over are forgotten. */
    async prune(): Promise<void> {
      await db.deleteFrom('leases').where('until', '<=', clock()).execute();
    },
  };
}
