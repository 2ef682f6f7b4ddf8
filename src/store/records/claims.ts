import type { Context } from '../dialect.ts';

/** Frees claims and leases of a process that was killed. */
export function createClaims({ db, dialect, clock }: Context) {
  return {
    /**
     * Frees all claims at the start. A SQLite file serves one process, so the holder of any claim is dead. On
     * PostgreSQL the holder may be a running replica, so there the claims expire by themselves.
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
