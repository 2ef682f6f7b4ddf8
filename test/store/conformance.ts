import { DatabaseSync } from 'node:sqlite';
import type { CompiledQuery } from 'kysely';
import { afterAll, test as base, beforeAll, describe, expect, onTestFinished } from 'vitest';
import { openStore, type Store } from '../../src/store/database.ts';
import { type Console, openConsole } from '../support/database/console.ts';
import { type Engine, engines, migratedDatabase, type TestDatabase } from '../support/database/databases.ts';

export interface Rig {
  /** Two replicas of one Hostler: two stores on one database. */
  store: Store;
  replica: Store;
  database: TestDatabase;
  /** The clock of the stores. */
  clock: { at: number };
  /** The SQL that `store` ran. */
  queries: string[];
}

let opened: Rig | undefined;

function rig(): Rig {
  if (opened === undefined) throw new Error('the stores are open while tests run only');
  return opened;
}

/** Tests that begin with the stores of `onEachEngine`. */
export const test = base
  .extend('store', () => rig().store)
  .extend('replica', () => rig().replica)
  .extend('database', () => rig().database)
  .extend('clock', () => rig().clock)
  .extend('queries', () => rig().queries);

/** Runs the same tests on every engine. */
export function onEachEngine(title: string, tests: (rig: () => Rig, engine: Engine) => void): void {
  describe.each(engines)(`${title} on %s`, (engine) => {
    beforeAll(async () => {
      const database = keptOpen(await migratedDatabase(engine));
      const clock = { at: 1_800_000_000_000 };
      const queries: string[] = [];
      const now = () => clock.at;
      const onQuery = ({ sql }: { sql: string }) => queries.push(sql);
      const [store, replica] = await Promise.all([
        openStore(database.url, { now, onQuery }),
        openStore(database.url, { now }),
      ]);
      opened = { store, replica, database, clock, queries };
    });
    afterAll(async () => {
      await Promise.all([opened?.store.close(), opened?.replica.close()]);
      await opened?.database.drop();
    });
    tests(rig, engine);
  });
}

/** One store on its database, for one test. */
export async function openAlone(engine: Engine, options: Parameters<typeof openStore>[1] = {}) {
  const database = await migratedDatabase(engine);
  const store = await openStore(database.url, options);
  onTestFinished(async () => {
    await store.close();
    await database.drop();
  });
  return { database, store };
}

/** Puts the audit back into the state of a database that was just made. */
export async function emptyAudit({ run }: Pick<TestDatabase, 'run'>): Promise<void> {
  await run('delete from audit');
  await run('delete from audit_head');
  await run(`insert into audit_head (id, seq, hash) values (1, 0, '${'0'.repeat(64)}')`);
}

/** Keeps a file open for all statements of its tests, as a PostgreSQL database keeps its connection. */
function keptOpen(database: TestDatabase): TestDatabase {
  if (database.engine === 'postgres') return database;
  const file = new DatabaseSync(database.url, { timeout: 5_000 });
  const drop = async () => {
    file.close();
    await database.drop();
  };
  return { ...database, run: async (text) => file.prepare(text).all(), drop };
}

/**
 * The rig with a store whose statements were not made yet, for one test: each keeps its text from its first use on. `sent`
 * has the statements. `emptied` is a table that the test begins without rows.
 */
export async function openAnew(rig: Rig, emptied?: string): Promise<Rig & { sent: CompiledQuery[] }> {
  const { database, clock } = rig;
  if (emptied !== undefined) await database.run(`delete from ${emptied}`);
  const sent: CompiledQuery[] = [];
  const onQuery = (query: CompiledQuery) => sent.push(query);
  const store = await openStore(database.url, { now: () => clock.at, onQuery, provenAtStart: 1 });
  onTestFinished(() => store.close());
  sent.length = 0;
  return { ...rig, store, sent };
}

/** Tests that begin with such a rig. */
export const anew = (emptied?: string) =>
  base
    .extend('opened', () => openAnew(rig(), emptied))
    .extend('store', ({ opened }) => opened.store)
    .extend('sent', ({ opened }) => opened.sent)
    .extend('database', ({ opened }) => opened.database)
    .extend('clock', ({ opened }) => opened.clock);

interface Beside<T> {
  /** Locks rows, and stays open. */
  readonly before: (other: Console) => Promise<unknown>;
  readonly work: () => Promise<T>;
  /** The beginning of the statement of the work that waits. */
  readonly waitsAt: string;
  /** Continues when the work waits. */
  readonly during?: (other: Console) => Promise<unknown>;
}

/** Works while another process has a transaction open on PostgreSQL, which is committed when the work waits for it. */
export async function besideTransaction<T>(url: string, { before, work, waitsAt, during }: Beside<T>): Promise<T> {
  const [other, watching] = [await openConsole(url), await openConsole(url)];
  onTestFinished(async () => void (await Promise.all([other.close(), watching.close()])));
  const countWaiting = async () => {
    const waiting = await watching.run(
      `select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like $1`,
      [`${waitsAt}%`],
    );
    return waiting.length;
  };
  const { working } = await other.inTransaction(async () => {
    await before(other);
    const working = work();
    working.catch(() => undefined);
    await expect.poll(countWaiting, { interval: 10 }).toBeGreaterThan(0);
    await during?.(other);
    return { working };
  });
  return working;
}

/** Runs all at once, half on each replica; resolves with the number of successes. */
export async function race(rig: Rig, times: number, attempt: (store: Store, n: number) => Promise<boolean>) {
  const outcomes = await Promise.all(
    Array.from({ length: times }, (_, n) => attempt(n % 2 === 0 ? rig.store : rig.replica, n)),
  );
  return outcomes.filter(Boolean).length;
}
