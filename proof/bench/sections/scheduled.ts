import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { startProvider } from '../../../sandbox/provider/server.ts';
import { openStore, type Store } from '../../../src/store/database.ts';
import { type Amount, atMost, median, pause, quantile, type Row, type Section } from '../measure.ts';
import { openStage, type Stage } from '../stage.ts';

interface Amounts {
  /** The requests that wait for a later day. */
  readonly waiting: number;
  /** The requests that are due in the same second. */
  readonly due: number;
  /** The time from the first of their commands to their hour. */
  readonly leadMs: number;
  readonly rounds: number;
  readonly restMs: number;
}
const amounts: Readonly<Record<Amount, Amounts>> = {
  full: { waiting: 5_000, due: 200, leadMs: 45_000, rounds: 200, restMs: 10_000 },
  quick: { waiting: 5_000, due: 200, leadMs: 45_000, rounds: 50, restMs: 5_000 },
  smoke: { waiting: 20, due: 2, leadMs: 3_000, rounds: 2, restMs: 100 },
};

export const scheduled: Section = {
  name: 'scheduled',
  title: 'Requests for a later hour on SQLite',
  run: async ({ amount, folder, say }) => {
    const { waiting, due, leadMs, rounds, restMs } = amounts[amount];
    const provider = await startProvider({ seed: { orders: Math.max(due, 20) + 1 } });
    const databaseUrl = join(folder, 'scheduled.db');
    const open = () => openStage({ app: 'hostler', folder, provider, databaseUrl, rules: { disruptive: 'none' } });
    try {
      const first = await open();
      const idleBefore = await idlePercent(first, restMs);
      await first.acknowledged('restart web-1 in=30d');
      await first.quiet(0, 1);
      await first.close();
      const sweepBefore = await sweepMs(databaseUrl, rounds);
      say(`${waiting} requests for a later day`);
      await copyTo(databaseUrl, waiting);
      const sweepAfter = await sweepMs(databaseUrl, rounds);
      const system = await open();
      try {
        const idleAfter = await idlePercent(system, restMs);
        const servers = provider.sim
          .state()
          .orders.filter(({ vps, status, name }) => vps?.power === 'on' && status === 'active' && name !== 'web-1')
          .slice(0, due);
        say(`${servers.length} requests for the same second`);
        const hour = Math.ceil((Date.now() + leadMs) / 1_000) * 1_000;
        const at = new Date(hour).toISOString().replace('.000', '');
        await Promise.all(servers.map(({ id }) => system.acknowledged(`restart ${id} at=${at}`)));
        const delays = await delaysFrom(databaseUrl, hour, servers.length);
        const words = `at most 2 s, with ${waiting} others`;
        return [
          {
            what: `${waiting} scheduled requests: the statements of a sweep`,
            unit: 'ms',
            hostler: sweepAfter,
            note: `${sweepBefore.toFixed(2)} ms with one`,
            ...atMost(sweepAfter, sweepBefore + 0.5, 'as with one, and at most 0.5 ms'),
          },
          {
            what: `${waiting} scheduled requests: processor time while nobody asks`,
            unit: '% of a core',
            hostler: idleAfter,
            note: `${idleBefore.toFixed(1)} % with none`,
            ...atMost(idleAfter, idleBefore + 1, 'as with none, and at most 1 %'),
          },
          {
            what: `${servers.length} due in the same second: the last one begins after`,
            unit: 'ms',
            hostler: Math.max(...delays),
            note: `the median after ${median(delays).toFixed(0)} ms, 95 % after ${quantile(delays, 0.95).toFixed(0)} ms`,
            ...atMost(Math.max(...delays), 2_000, words),
          },
          {
            what: `${servers.length} due in the same second: the earliest begins after`,
            unit: 'ms',
            hostler: Math.min(...delays),
            goal: 'never before its hour',
            isMet: Math.min(...delays) >= 0,
          },
        ] satisfies Row[];
      } finally {
        await system.close();
      }
    } finally {
      await provider.close();
    }
  },
};

async function idlePercent(system: Stage, restMs: number): Promise<number> {
  // Starting up takes processor time that a sweep does not.
  await pause(restMs / 2);
  const before = system.cpuMs();
  await pause(restMs);
  return (100 * (system.cpuMs() - before)) / restMs;
}

/** The statements of each second: the due turns, and the requests under way. */
async function sweepMs(databaseUrl: string, rounds: number): Promise<number> {
  const store = await openStore(databaseUrl);
  const taken: number[] = [];
  for (let n = 0; n < rounds; n++) {
    const startedAt = performance.now();
    await store.turns.claimDue('bench', 1, 16);
    await store.turns.underWay();
    await store.operations.holdAll('offline', 0);
    taken.push(performance.now() - startedAt);
  }
  await store.close();
  return median(taken);
}

/** Copies the scheduled request, each copy a minute later. */
async function copyTo(databaseUrl: string, count: number): Promise<void> {
  const store = await openStore(databaseUrl);
  const [original] = await store.operations.list({ states: ['scheduled'], limit: 1 });
  if (original === undefined) throw new Error('the request to copy is not scheduled');
  for (let n = 1; n < count; n += 500)
    await Promise.all(
      Array.from({ length: Math.min(500, count - n) }, (_, at) => copy(store, original, `scheduled${n + at}`, n + at)),
    );
  await store.close();
  const database = new DatabaseSync(databaseUrl);
  database.exec("update operations set next_turn_at = starts_at where state = 'scheduled'");
  database.close();
}

async function copy(
  store: Store,
  original: Awaited<ReturnType<Store['operations']['list']>>[number],
  id: string,
  minutes: number,
): Promise<void> {
  const { updatedAt: _, nextTurnAt, turnOwner, turnUntil, turnFailures, startsAt, ...kept } = original;
  const [step] = await store.steps.list(original.id);
  const steps = step === undefined ? [] : [{ n: 0, target: step.target, label: step.label, data: step.data }];
  await store.operations.insert({ ...kept, id, startsAt: (startsAt ?? 0) + minutes * 60_000 }, steps);
}

/** Waits until all have begun. Returns the delay of each after its hour. */
async function delaysFrom(databaseUrl: string, hour: number, count: number): Promise<number[]> {
  const until = Date.now() + 240_000;
  for (;;) {
    await pause(Math.max(500, hour - Date.now() + 4_000));
    const database = new DatabaseSync(databaseUrl);
    const rows = database.prepare('select started_at from operations where starts_at = ?').all(hour);
    database.close();
    const begun = rows.flatMap(({ started_at: at }) => (typeof at === 'number' ? [at - hour] : []));
    if (begun.length >= count) return begun;
    if (Date.now() > until) throw new Error(`${begun.length} of ${count} requests began; ${rows.length} were made`);
  }
}
