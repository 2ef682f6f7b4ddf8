import { hostname } from 'node:os';
import { DatabaseSync } from 'node:sqlite';
import { StoreUnavailable } from '../../core/view/errors.ts';
import { explainSqlite, isBusy, makePrivate, whileBusy } from './file.ts';

const tryEveryMs = 200;

/**
 * Makes sure that one process at a time runs the bot on a SQLite file. The operating system releases the lock however
 * the process ends. The lock is a file beside the database, so that `hostler audit` and `hostler backup` work
 * meanwhile. A second process waits, as in a rolling update, and then fails with the name of the holder.
 */
export async function lockFile(
  file: string,
  { waitMs = 30_000, onWait }: { waitMs?: number; onWait?: (holder: string) => void } = {},
) {
  if (file === ':memory:') return { release: () => {} };
  const database = openLock(file);
  let hasNotified = false;
  const onBusy = () => {
    if (!hasNotified) onWait?.(holderOf(database));
    hasNotified = true;
  };
  try {
    await whileBusy(() => acquire(database), { waitMs, everyMs: tryEveryMs, onBusy });
    return { release: () => database.close() };
  } catch (error) {
    if (!isBusy(error)) throw error;
    const stop = `${holderOf(database)} has it. Stop that process, or use PostgreSQL to run several.`;
    database.close();
    throw new StoreUnavailable(`opening SQLite ${file}: ${stop}`);
  }
}

function openLock(file: string): DatabaseSync {
  const path = `${file}.lock`;
  try {
    makePrivate(path);
    // Short, since waiting blocks the process. It covers the moment in which the holder writes its name.
    const database = new DatabaseSync(path, { timeout: 100 });
    // With a rollback journal other processes can read the holder's name while it holds the lock.
    database.exec('pragma journal_mode = delete');
    return database;
  } catch (error) {
    throw explainSqlite(error, path);
  }
}

/** Writes the holder's name and then keeps a transaction open. */
function acquire(database: DatabaseSync): void {
  try {
    database.exec('begin immediate');
    database.exec('create table if not exists holder (pid integer not null, host text not null, since text not null)');
    database.exec('delete from holder');
    database
      .prepare('insert into holder (pid, host, since) values (?, ?, ?)')
      .run(process.pid, hostname(), new Date().toISOString());
    database.exec('commit');
    database.exec('begin immediate');
  } catch (error) {
    if (database.isTransaction) database.exec('rollback');
    throw error;
  }
}

function holderOf(database: DatabaseSync): string {
  try {
    const row = database.prepare('select pid, host, since from holder').get();
    if (row !== undefined) return `process ${row.pid} on ${row.host} (since ${row.since})`;
  } catch {
    // The name is being written right now, or was never written.
  }
  return 'another process';
}
