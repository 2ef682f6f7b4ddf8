import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import type { Context } from './dialect.ts';

export type Claims = ReturnType<typeof createClaims>;

/** What a process that was killed still holds. */
export function createClaims({ db, dialect }: Context) {
  return {
    /**
     * At the start, before anything is claimed. A SQLite file serves one process, so whoever holds a claim is gone and
     * nobody need wait for it to lapse. With PostgreSQL the holder may be another replica at work: there leases lapse.
     */
    async release(): Promise<void> {
      if (dialect.engine !== 'sqlite') return;
      await db.updateTable('inbox').set({ claimedUntil: 0 }).where('state', '=', 'new').execute();
      await db.updateTable('messages').set({ claimedUntil: 0 }).where('state', '=', 'due').execute();
      await db.updateTable('steps').set({ watchOwner: null, watchUntil: 0 }).where('endedAt', 'is', null).execute();
    },

    /** The durable engine keeps every run for ever and has no call to forget one (openworkflow 0.10.1); ended ones go here. */
    async forgetRuns(before: number, file: string | undefined): Promise<void> {
      const ended = new Date(before);
      if (file !== undefined) return forgetInFile(file, ended);
      await sql`delete from openworkflow.workflow_runs where finished_at < ${ended.toISOString()}::timestamptz`.execute(
        db,
      );
    },
  };
}

/**
 * The same for the durable engine's own file, before it is opened: a run that was executing when its process was killed
 * would rest until its lease of 30 s lapses (openworkflow 0.10.1, worker.js). Its backend has no call for that; a lease
 * is `available_at` of a running row with a worker (sqlite/backend.js, claimWorkflowRun), and an ended one is taken up
 * like any other.
 */
export function releaseRuns(file: string): void {
  if (file === ':memory:' || !existsSync(file)) return;
  const database = new DatabaseSync(file, { timeout: 5_000 });
  try {
    const table = database.prepare(`select 1 from sqlite_master where type = 'table' and name = 'workflow_runs'`);
    if (table.get() === undefined) return;
    database
      .prepare(`update workflow_runs set available_at = ? where status = 'running' and worker_id is not null`)
      .run(new Date().toISOString());
  } finally {
    database.close();
  }
}

function forgetInFile(file: string, ended: Date): void {
  if (file === ':memory:' || !existsSync(file)) return;
  const database = new DatabaseSync(file, { timeout: 5_000 });
  try {
    database.exec('pragma foreign_keys = on');
    database.prepare('delete from workflow_runs where finished_at < ?').run(ended.toISOString());
  } finally {
    database.close();
  }
}
