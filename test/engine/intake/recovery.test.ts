import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { StoreUnavailable } from '../../../src/core/view/errors.ts';
import type { EngineContext } from '../../../src/engine/context/engine-context.ts';
import { createRecovery, noteAbsence } from '../../../src/engine/intake/recovery.ts';

// Leftovers and old rows, and the rounds that find them, on a store that only records its calls.

const tenMinutes = 600_000;
/** The wall clock is ahead of the time inside the process. */
const wallMs = 100 * 86_400_000;

function open() {
  vi.useFakeTimers({ now: 0 });
  onTestFinished(() => void vi.useRealTimers());
  const calls: unknown[][] = [];
  const logged: unknown[][] = [];
  const answers: { resume: () => Promise<void>; isOutdated: boolean } = { resume: async () => {}, isOutdated: false };
  const note =
    (name: string, answer?: () => unknown) =>
    async (...given: unknown[]) => {
      calls.push([name, ...given]);
      return answer?.();
    };
  const context = {
    store: {
      presence: { lastAt: async () => undefined, absentMs: async () => undefined, note: note('presence') },
      isOutdated: async () => answers.isOutdated,
      secrets: { purge: note('secrets', () => []) },
      locks: { releaseLeft: note('locks') },
      retention: { pruneAll: note('prune') },
      values: { all: note('all', () => new Map()) },
    },
    settings: {},
    now: () => wallMs + Date.now(),
    elapsed: () => Date.now(),
    log: { warn: (...given: unknown[]) => void logged.push(given) },
  };
  const sweep = createRecovery(
    // Cleaning up uses nothing else of it.
    context as unknown as EngineContext,
    {
      resume: async () => {
        calls.push(['resume']);
        await answers.resume();
      },
      onOutdated: () => void calls.push(['outdated']),
    },
  );
  const pass = async (ms: number) => void (await vi.advanceTimersByTimeAsync(ms));
  /** The calls since the last read of them. */
  const done = () => calls.splice(0);
  const counted = (call: string) => done().filter(([name]) => name === call).length;
  const rounds = () => counted('presence');
  const resumes = () => counted('resume');
  const ages = () => [sweep.succeededAgoMs(), sweep.endedAgoMs()];
  return { sweep, answers, logged, pass, done, rounds, resumes, ages };
}

const often = [['presence'], ['resume'], ['secrets', wallMs]];
const rarely = [['locks'], ['prune'], ['all', 'accessRequest']];

describe('a round', () => {
  test('does nothing once a newer version has changed the schema, and says so', async () => {
    const { sweep, answers, done } = open();
    answers.isOutdated = true;
    await sweep.once();
    expect(done()).toEqual([['outdated']]);
  });

  test('resumes requests, and removes old rows in the first round and then after more than ten minutes', async () => {
    const { sweep, pass, done } = open();
    await sweep.once();
    expect(done()).toEqual([...often, ...rarely]);
    await pass(tenMinutes);
    await sweep.once();
    expect(done()).toHaveLength(often.length);
    await pass(1);
    await sweep.once();
    expect(done()).toHaveLength(often.length + rarely.length);
  });
});

describe('the timer', () => {
  test('begins a round every five seconds, until the stop', async () => {
    const { sweep, pass, rounds, logged } = open();
    await pass(tenMinutes);
    expect(rounds()).toBe(0);
    sweep.start();
    await pass(4_999);
    expect(rounds()).toBe(0);
    await pass(1);
    expect(rounds()).toBe(1);
    await pass(10_000);
    expect(rounds()).toBe(2);
    sweep.stop();
    await pass(tenMinutes);
    expect([rounds(), logged]).toEqual([0, []]);
  });

  test('begins no round while one is under way, until that one has hung for a minute', async () => {
    const { sweep, answers, pass, rounds, logged, ages } = open();
    answers.resume = () => new Promise(() => {});
    sweep.start();
    await pass(64_999);
    expect([rounds(), logged.splice(0)]).toEqual([
      1,
      [[{ err: new Error('the round did not end in time') }, 'could not resume the requests of ended processes']],
    ]);
    await pass(1);
    expect(logged).toEqual([[{ err: new Error('the round did not end in time') }, 'recovery round failed']]);
    // Neither age restarts.
    expect(ages()).toEqual([65_000, 65_000]);
    await pass(59_999);
    expect(rounds()).toBe(1);
    answers.resume = async () => {};
    await pass(5_001);
    expect(ages()).toEqual([0, 0]);
  });

  test('a round that goes wrong is logged, and the next begins in time', async () => {
    const { sweep, answers, pass, rounds, logged, ages } = open();
    await sweep.once();
    await pass(1_000);
    rounds();
    sweep.start();
    const unavailable = new StoreUnavailable('the database is away');
    answers.resume = async () => {
      throw unavailable;
    };
    await pass(5_000);
    expect(logged).toEqual([[{ err: unavailable }, 'recovery round failed']]);
    expect(ages()).toEqual([6_000, 0]);
    answers.resume = async () => {
      throw new Error('wrong');
    };
    await pass(5_000);
    expect(ages()).toEqual([11_000, 5_000]);
    answers.resume = async () => {};
    await pass(5_000);
    expect([ages(), rounds()]).toEqual([[0, 0], 3]);
  });

  test('resumes requests every second, and once at a time, until the stop', async () => {
    const { sweep, answers, pass, resumes, logged } = open();
    sweep.start();
    await pass(4_000);
    expect(resumes()).toBe(4);
    const { promise, resolve } = Promise.withResolvers<void>();
    answers.resume = () => promise;
    await pass(900);
    await pass(3_100);
    // One by the round, and one between the rounds.
    expect(resumes()).toBe(2);
    resolve();
    sweep.stop();
    await pass(tenMinutes);
    expect([resumes(), logged]).toEqual([0, []]);
  });
});

test('the timer does not keep a process alive that has nothing else to do', () => {
  const { sweep } = open();
  const { setInterval: begin } = globalThis;
  const timers: NodeJS.Timeout[] = [];
  const noting = (...given: Parameters<typeof begin>) => {
    const timer = begin(...given);
    timers.push(timer);
    return timer;
  };
  Object.assign(globalThis, { setInterval: noting });
  sweep.start();
  Object.assign(globalThis, { setInterval: begin });
  expect(timers.map((timer) => timer.hasRef())).toEqual([false, false]);
});

// A long time in which no process ran, on a store that records its calls.

const minute = 60_000;

async function noteAfter({ lastAt, awayMs, held = [] }: { lastAt?: number; awayMs?: number; held?: string[] }) {
  const done: unknown[] = [];
  const context = {
    store: {
      presence: { lastAt: async () => lastAt, absentMs: async () => awayMs, note: async () => void done.push('noted') },
      operations: {
        holdAll: async (...given: unknown[]) => {
          done.push(given);
          return held;
        },
      },
    },
    log: { warn: (...given: unknown[]) => void done.push({ warned: given }) },
    wake: (id: string) => void done.push(id),
  };
  // All that it touches.
  await noteAbsence(context as unknown as EngineContext);
  return done;
}

test.each([
  ['a first start', {}],
  ['a first start beside a process whose clock is behind', { awayMs: 16 * minute }],
  ['a short absence', { lastAt: 7, awayMs: 15 * minute }],
])('after %s nothing is held', async (_, before) => {
  expect(await noteAfter(before)).toEqual(['noted']);
});

test('after a long absence, requests decided up to ten seconds after the last note are held, and then a process is noted', async () => {
  const awayMs = 15 * minute + 1;
  expect(await noteAfter({ lastAt: 7, awayMs, held: ['op1', 'op2'] })).toEqual([
    ['The bot was offline for 15 min.', 10_007],
    { warned: [{ offlineMs: awayMs, held: 2 }, 'the bot was offline: earlier decisions wait for a person'] },
    'op1',
    'op2',
    'noted',
  ]);
});

test('the log says nothing of an absence after which nothing waits', async () => {
  const done = await noteAfter({ lastAt: 7, awayMs: 16 * minute });
  expect(done).toEqual([['The bot was offline for 16 min.', 10_007], 'noted']);
});
