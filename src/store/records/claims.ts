import type { Context } from '../dialect.ts';

export type Claims = ReturnType<typeof createClaims>;

/** Frees claims and leases of a process that was killed. */
export function createClaims({ db, dialect, clock }: Context) {
  return {
    /**
     * At the start, before anything is claimed. A SQLite file serves one process, so whoever holds a claim is gone and
     * nobody need wait for it to lapse. With PostgreSQL the holder may be another replica at work: there leases lapse.
     */
    async release(): Promise<void> {
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
  };
}
