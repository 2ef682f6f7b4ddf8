import { beforeEach, expect, test } from 'vitest';
import { StoreUnavailable } from '../../../src/core/view/errors.ts';
import type { EngineContext } from '../../../src/engine/context/engine-context.ts';
import type { Request } from '../../../src/engine/context/request.ts';
import { createIntake } from '../../../src/engine/intake/intake.ts';
import type { Store } from '../../../src/store/database.ts';
import { openAlone } from '../../store/conformance.ts';
import type { TestDatabase } from '../../support/database/databases.ts';

// Two processes share a database, and one of them has acknowledged a request. The clock is the test's.

const clock = { at: 1_000_000 };
let database: TestDatabase;
let store: Store;

beforeEach(async () => {
  ({ database, store } = await openAlone('sqlite', { now: () => clock.at }));
});

const request: Request = {
  id: 'click',
  actor: 'U1',
  place: { channel: 'C1', kind: 'channel' },
  at: clock.at,
  ask: { kind: 'intent', intent: { do: 'vote', operation: 'op', vote: 'confirm' } },
};

/** A process that works on its request without end. */
function openProcess(owner: string) {
  const begun = Promise.withResolvers<void>();
  let hasBegun = false;
  const inbox = { ...store.inbox };
  const context = {
    store: { ...store, inbox },
    owner,
    settings: { requestsPerMinute: 100 },
    now: () => clock.at,
    elapsed: () => clock.at,
    log: { warn: () => {}, error: () => {} },
  };
  const unused = () => Promise.reject(new Error('not asked for here'));
  const handle = () => {
    hasBegun = true;
    begun.resolve();
    return new Promise<void>(() => {});
  };
  // Taking a click in uses nothing else of it.
  const intake = createIntake(context as unknown as EngineContext, { handle, form: unused, submit: unused });
  return { ...intake, inbox, begun: begun.promise, hasBegun: () => hasBegun };
}

async function openBoth() {
  const [first, second] = [openProcess('first'), openProcess('second')];
  const { stored, run } = first.accept(request);
  expect(await stored).toBe(true);
  void run();
  await first.begun;
  return { first, second };
}

const claims = () => database.run('select claimed_by as owner, begun from inbox');
const isOfFirst = [{ owner: 'first', begun: 1 }];
const isOfSecond = [{ owner: 'second', begun: 2 }];
const pass = (ms: number) => {
  clock.at += ms;
};

type Process = ReturnType<typeof openProcess>;
/** Rounds of these processes, each after this time. */
async function rounds(count: number, ms: number, ...processes: readonly Process[]): Promise<void> {
  for (let round = 0; round < count; round += 1) {
    pass(ms);
    for (const each of processes) await each.resume();
  }
}

/** A process that stored a request and was frozen for a minute before it began. */
async function frozen() {
  const first = openProcess('first');
  const { stored, run } = first.accept(request);
  expect(await stored).toBe(true);
  pass(60_000);
  return { first, run };
}

test('another process begins the request of a killed process within ten seconds, and not while it may still live', async () => {
  const { second } = await openBoth();
  let since = 0;
  // A round each second, out of step with the claim.
  for (pass(900); (await claims())[0]?.owner === 'first'; since += 1_000) {
    await second.resume();
    pass(1_000);
  }
  expect(since).toBeGreaterThan(5_000);
  expect(since).toBeLessThan(10_000);
  await second.begun;
  expect(await claims()).toEqual(isOfSecond);
});

test('a process that was frozen before it began does not begin a request that another process has begun', async () => {
  const { first, run } = await frozen();
  const second = openProcess('second');
  await second.resume();
  await rounds(1, 2_000, second);
  await second.begun;
  await run();
  expect(first.hasBegun()).toBe(false);
});

test('a process that was frozen before it began still begins its request when no other process has', async () => {
  const { first, run } = await frozen();
  void run();
  await first.begun;
  expect(await claims()).toEqual(isOfFirst);
});

test('a request that two processes have begun is not given up while the second may only be frozen', async () => {
  const { second } = await openBoth();
  await rounds(1, 6_000, second);
  await rounds(1, 2_000, second);
  await second.begun;
  pass(4_000);
  await rounds(10, 1_000, openProcess('third'));
  expect(await claims()).toEqual(isOfSecond);
});

test('a request stays with its process for as long as that works on it', async () => {
  const { first, second } = await openBoth();
  await rounds(20, 4_000, first, second);
  expect(await claims()).toEqual(isOfFirst);
});

test('a process repeats with the next round a renewal that failed', async () => {
  const { first, second } = await openBoth();
  const { keep } = first.inbox;
  for (let round = 0; round < 9; round += 1) {
    pass(1_000);
    const fails = round % 3 < 2;
    first.inbox.keep = fails ? () => Promise.reject(new StoreUnavailable('away')) : keep;
    if (fails) await expect(first.resume()).rejects.toThrow('away');
    else await first.resume();
    await second.resume();
  }
  expect(await claims()).toEqual(isOfFirst);
});

test('when the database comes back, a process renews its claim before another one takes the request', async () => {
  const { first, second } = await openBoth();
  await rounds(1, 120_000, second);
  await rounds(1, 1_500, first);
  await rounds(3, 1_000, second);
  expect(await claims()).toEqual(isOfFirst);
});

test('a process that starts with a SQLite file begins what it finds there at once', async () => {
  const { second } = await openBoth();
  await store.leases.releaseAll();
  await second.resume();
  await second.begun;
  expect(await claims()).toEqual(isOfSecond);
});
