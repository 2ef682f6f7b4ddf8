import { type Context, countRows, hasChanged } from './dialect.ts';

/** Leases on named work: one process holds a lease at a time, until it releases the lease or the lease expires. */
export function createLeases({ db, dialect, clock }: Context) {
  /** True for exactly one of all callers. The holder extends its lease with another call. */
  const acquire = (name: string, owner: string, forMs: number): Promise<boolean> =>
    db
      .insertInto('leases')
      .values({ name, owner, until: clock(forMs) })
      .onConflict((conflict) =>
        conflict
          .column('name')
          .doUpdateSet({ owner, until: clock(forMs) })
          .where(({ or, eb }) => or([eb('leases.until', '<=', clock()), eb('leases.owner', '=', owner)])),
      )
      .$call(hasChanged);
  const giveBack = (name: string, owner: string): Promise<unknown> =>
    db.deleteFrom('leases').where('name', '=', name).where('owner', '=', owner).execute();
  return {
    acquire,
    giveBack,
    /** Runs work under a lease, renewed until the work ends. False if another owner has the lease. */
    async hold(name: string, owner: string, forMs: number, work: () => Promise<void>): Promise<boolean> {
      if (!(await acquire(name, owner, forMs))) return false;
      let renewal = Promise.resolve(true);
      const timer = setInterval(() => (renewal = acquire(name, owner, forMs).catch(() => false)), forMs / 3);
      await work().finally(async () => {
        clearInterval(timer);
        // A renewal under way would take the lease again.
        await renewal;
        await giveBack(name, owner);
      });
      return true;
    },

    /**
     * Frees all leases and claims at the start. A SQLite file serves one process, so their holder was killed. On
     * PostgreSQL the holder may be a running replica, so there they expire by themselves.
     */
    async releaseAll(): Promise<void> {
      if (dialect.engine !== 'sqlite') return;
      await db.updateTable('inbox').set({ claimedUntil: 0 }).where('state', '=', 'new').execute();
      await db.updateTable('messages').set({ claimedUntil: 0 }).where('state', '=', 'due').execute();
      await db
        .updateTable('operations')
        .set({ turnOwner: null, turnUntil: 0, nextTurnAt: clock() })
        .where('nextTurnAt', 'is not', null)
        .where('turnUntil', '>', 0)
        .execute();
      await db.deleteFrom('leases').execute();
    },

    async isTaken(name: string): Promise<boolean> {
      const held = db.selectFrom('leases').where('name', '=', name).where('until', '>', clock());
      return (await held.$call(countRows)) > 0;
    },
  };
}
