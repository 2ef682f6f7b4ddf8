import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf, StoreUnavailable } from '../../core/view/errors.ts';

const busyForMs = 5_000;

export function openFile(file: string): DatabaseSync {
  try {
    if (file !== ':memory:') makePrivate(file);
    const database = new DatabaseSync(file, { timeout: busyForMs, enableForeignKeyConstraints: true });
    try {
      configure(database, file);
    } catch (error) {
      database.close();
      throw error;
    }
    return database;
  } catch (error) {
    throw explainSqlite(error, file);
  }
}

/** Whether the file exists. Throws if that cannot be read, such as for lack of permission. */
export function isFile(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    throw explainSqlite(error, file);
  }
}

/** Creates the file with a private mode before SQLite does: the -wal and -shm files copy its mode. */
export function makePrivate(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  closeSync(openSync(file, 'a', 0o600));
  const { mode, uid } = statSync(file);
  if ((mode & 0o077) !== 0 && uid === process.getuid?.()) chmodSync(file, 0o600);
}

function configure(database: DatabaseSync, file: string): void {
  const pragma = (text: string) => Object.values(database.prepare(`pragma ${text}`).get() ?? {})[0];
  const journal = pragma('journal_mode = wal');
  if (file !== ':memory:' && journal !== 'wal') {
    throw new StoreUnavailable(
      `opening SQLite ${file}: its file system allows no write-ahead log (journal mode stayed ${journal}); put the file on a local disk, or use PostgreSQL`,
    );
  }
  database.exec('pragma synchronous = full');
  database.exec('pragma secure_delete = on');
  const synchronous = pragma('synchronous');
  if (synchronous !== 2) {
    throw new StoreUnavailable(
      `opening SQLite ${file}: synchronous is ${synchronous} and not 2 (full), so a commit might not survive a power cut; run it with the Node that npm ci installs`,
    );
  }
  // The first read fails here if the file is not a SQLite database.
  database.prepare('select count(*) from sqlite_schema').get();
  // From now on `whileBusy` waits: SQLite's own wait blocks the process.
  database.exec('pragma busy_timeout = 0');
}

/** Repeats the attempt while another process has locked the file. */
export async function whileBusy<T>(
  attempt: () => T | Promise<T>,
  { waitMs = busyForMs, everyMs = 20, onBusy = () => {} } = {},
): Promise<T> {
  const until = performance.now() + waitMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!isBusy(error) || performance.now() >= until) throw error;
      onBusy();
      await sleep(everyMs);
    }
  }
}

export function isBusy(error: unknown): boolean {
  const cause = error instanceof StoreUnavailable ? error.cause : error;
  return cause instanceof Error && 'errcode' in cause && Number(cause.errcode) % 256 === 5;
}

/** Advice for SQLite's result codes (https://sqlite.org/rescode.html) that concern the file, not the statement. */
const fileTroubles: Readonly<Record<number, string>> = {
  5: 'another process keeps it locked; stop the other process, or use PostgreSQL to run several',
  6: 'another process keeps it locked; stop the other process, or use PostgreSQL to run several',
  8: 'it cannot be written; give the user Hostler runs as write permission for the file and its directory',
  10: 'the disk reported an error; check the disk, then restore the newest backup if the file is damaged',
  11: 'the file is damaged; restore the newest backup, or move it away to start with an empty one',
  13: 'the disk is full; free some space',
  14: 'it cannot be opened; check that the directory exists and that Hostler may write there',
  26: 'the file is not a SQLite database, or damaged; restore the newest backup, or move it away to start with an empty one',
};

const systemTroubles: Readonly<Record<string, string>> = {
  EACCES: 'no permission; give the user Hostler runs as write permission there, or set DATABASE_URL to another path',
  EPERM: 'no permission; give the user Hostler runs as write permission there, or set DATABASE_URL to another path',
  EROFS: 'the file system is read-only; set DATABASE_URL to a path that can be written',
  EISDIR: 'it is a directory; set DATABASE_URL to the path of a file',
  ENOTDIR: 'a part of the path is a file, not a directory; set DATABASE_URL to another path',
  EEXIST: 'a part of the path is a file, not a directory; set DATABASE_URL to another path',
  ENOSPC: 'the disk is full; free some space',
  ENOENT: 'the directory cannot be made; set DATABASE_URL to another path',
};

export function explainSqlite(error: unknown, file: string): unknown {
  if (!(error instanceof Error) || error instanceof StoreUnavailable) return error;
  const errcode = 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : -1;
  const trouble = fileTroubles[errcode] ?? systemTroubles[codeOf(error)];
  if (trouble === undefined) return error;
  return new StoreUnavailable(`using SQLite ${file}: ${trouble} (${error.message})`, { cause: error });
}
