import { afterAll, beforeAll, describe, onTestFinished } from 'vitest';
import { openStore, type Store, type StoreQuery } from '../../src/store/database.ts';
import { engines, freshDatabase, type TestDatabase } from '../support/databases.ts';

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

/** Runs the same tests on every engine. */
export function onEachEngine(title: string, tests: (rig: () => Rig) => void): void {
  describe.each(engines)(`${title} on %s`, (engine) => {
    let rig: Rig | undefined;
    beforeAll(async () => {
      const database = await freshDatabase(engine);
      const clock = { at: 1_800_000_000_000 };
      const queries: string[] = [];
      const now = () => clock.at;
      const onQuery = ({ sql }: { sql: string }) => queries.push(sql);
      rig = {
        store: await openStore(database.url, { now, onQuery }),
        replica: await openStore(database.url, { now }),
        database,
        clock,
        queries,
      };
    });
    afterAll(async () => {
      await rig?.store.close();
      await rig?.replica.close();
      await rig?.database.drop();
    });
    tests(() => {
      if (rig === undefined) throw new Error('the stores are open while tests run only');
      return rig;
    });
  });
}

/**
 * A store whose statements were not made yet, for one test: each keeps its text from its first use on. `sent` has the
 * statements.
 */
export async function openAnew({ database, clock }: Rig): Promise<{ store: Store; sent: StoreQuery[] }> {
  const sent: StoreQuery[] = [];
  const store = await openStore(database.url, { now: () => clock.at, onQuery: (query) => sent.push(query) });
  onTestFinished(() => store.close());
  sent.length = 0;
  return { store, sent };
}

/** Runs all at once, half on each replica; resolves with the number of successes. */
export async function race(rig: Rig, times: number, attempt: (store: Store, n: number) => Promise<boolean>) {
  const outcomes = await Promise.all(
    Array.from({ length: times }, (_, n) => attempt(n % 2 === 0 ? rig.store : rig.replica, n)),
  );
  return outcomes.filter(Boolean).length;
}
