import { describe, expect, test, vi } from 'vitest';
import { StoreUnavailable } from '../../../src/core/view/errors.ts';
import { openRunner, restMs, untilPollMs } from './runner-alone.ts';

const unavailable = new StoreUnavailable('the database is offline');
const failed = 'a turn of an operation failed and will be repeated';

describe('an operation that is woken', () => {
  test('has a turn, and its row says when the next one is due', async () => {
    const { calls, taken, wake } = await openRunner();
    await wake('one');
    expect(calls).toEqual(['claim one', `give back one ${restMs}`]);
    expect(taken).toEqual(['one']);
  });

  test('has another turn under the same lease when it is woken during its turn', async () => {
    const { runner, calls, taken, hold, end, settle, wake } = await openRunner();
    hold('one');
    await wake('one');
    runner.wake('one');
    runner.wake('one');
    end('one');
    await settle();
    expect(taken).toEqual(['one', 'one']);
    expect(calls).toEqual(['claim one', `give back one ${restMs}`]);
  });

  test('waits for its hour by the time of the claim, also if the process was suspended during the claim', async () => {
    const { store, rows, calls, wake } = await openRunner();
    rows.set('one', { state: 'scheduled', startsAt: 600_000, stopBy: null, readyAt: null, updatedAt: -3_600_000 });
    const { claim } = store.turns;
    store.turns.claim = async (id) => {
      const turn = await claim(id);
      vi.setSystemTime(Date.now() + 60_000);
      return turn;
    };
    await wake('one');
    expect(calls).toEqual(['claim one', 'give back one 540000']);
  });

  test('is made due for the replica that has it', async () => {
    const { store, calls, wake } = await openRunner();
    store.turns.claim = async () => undefined;
    await wake('one');
    expect(calls).toEqual(['request one']);
  });

  test('is claimed again when its row says at the end that it is due', async () => {
    const { store, calls, wake } = await openRunner();
    let isDue = true;
    store.turns.giveBack = async () => {
      const was = isDue;
      isDue = false;
      return was;
    };
    await wake('one');
    expect(calls).toEqual(['claim one', 'claim one']);
  });
});

describe('a runner at its limit', () => {
  async function full() {
    const all = await openRunner({ concurrency: 1 });
    all.hold('first');
    await all.wake('first');
    all.calls.length = 0;
    return all;
  }

  test('makes a woken operation due for other replicas, and runs it as soon as there is room', async () => {
    const { runner, calls, taken, end, settle } = await full();
    for (const id of ['second', 'third']) runner.wake(id);
    await settle();
    expect(calls).toEqual(['request second', 'request third']);
    end('first');
    await settle();
    expect(taken).toEqual(['first', 'second', 'third']);
  });

  test('runs a woken operation also when it cannot be offered to other replicas', async () => {
    const { store, logged, taken, end, settle, wake } = await full();
    store.turns.request = () => Promise.reject(unavailable);
    await wake('second');
    expect(logged).toEqual([['could not offer a turn to other replicas', unavailable]]);
    end('first');
    await settle();
    expect(taken).toEqual(['first', 'second']);
  });
});

describe('turns that are due', () => {
  test('are claimed right after each full second, at which most hours begin, and no later after a slow start', async () => {
    const { calls, setDue, pass } = await openRunner({ startsAt: 20_300 });
    for (const hour of [21_000, 22_000, 23_000]) {
      await pass(hour - Date.now());
      setDue(String(hour));
      await pass(20);
      expect(calls).toContain(`claim due ${hour}`);
      await pass(500);
    }
  });

  test('leave a quarter of the room to operations that are woken', async () => {
    const { calls, taken, setDue, hold, pass, wake } = await openRunner({ concurrency: 4 });
    hold('a', 'b', 'c', 'd', 'woken');
    setDue('a', 'b', 'c', 'd');
    await pass(untilPollMs);
    expect(calls).toEqual(['claim due a b c']);
    await wake('woken');
    expect(taken).toEqual(['a', 'b', 'c', 'woken']);
  });

  test('that were claimed as the process stopped are given back', async () => {
    const { runner, store, calls, taken, settle, pass } = await openRunner();
    const claiming = Promise.withResolvers<unknown[]>();
    store.turns.claimDue = () => claiming.promise;
    await pass(untilPollMs);
    const stopped = runner.stop();
    claiming.resolve([{ operation: { id: 'one' }, at: 0 }]);
    await settle();
    await stopped;
    expect(calls).toEqual([`give back one -${untilPollMs}`]);
    expect(taken).toEqual([]);
  });

  test('do not begin twice when a lease expired while the process was frozen', async () => {
    const { runner, calls, taken, hold, end, setDue, pass, settle } = await openRunner();
    hold('one');
    runner.wake('one');
    setDue('one');
    await pass(untilPollMs);
    expect(taken).toEqual(['one']);
    end('one');
    await settle();
    expect(taken).toEqual(['one', 'one']);
    expect(calls.filter((call) => call.startsWith('give back'))).toHaveLength(1);
  });
});

test('a turn that was claimed, and has ended before the answer to that claim, is claimed anew', async () => {
  const { store, calls, settle, pass, wake } = await openRunner();
  const claiming = Promise.withResolvers<unknown[]>();
  store.turns.claimDue = () => claiming.promise;
  await pass(untilPollMs);
  await wake('one');
  expect(calls).toEqual(['claim one', expect.stringContaining('give back one')]);
  claiming.resolve([await store.turns.claim('one')]);
  calls.length = 0;
  await settle();
  expect(calls).toEqual(['claim one', expect.stringContaining('give back one')]);
});

test('the leases of turns under way are extended every two seconds', async () => {
  const { runner, calls, hold, pass } = await openRunner();
  hold('one', 'two');
  runner.wake('one');
  runner.wake('two');
  await pass(2_000);
  expect(calls).toContain('keep one two');
});

test.each([
  ['an error of the database counts as no failure', unavailable, 'give back one 5000'],
  ['any other error counts as a failure', new Error('a bug'), 'give back one 5000 failed'],
])('a turn that fails is repeated after five seconds; %s', async (_, error, expected) => {
  const { store, calls, logged, wake } = await openRunner();
  store.votes.list = () => Promise.reject(error);
  await wake('one');
  expect(calls).toEqual(['claim one', expected]);
  expect(logged).toEqual([[failed, error]]);
});

test('a database that answers with errors is no hang, and one that does not answer is', async () => {
  const { runner, store, pass } = await openRunner();
  store.turns.claimDue = () => Promise.reject(unavailable);
  await pass(5_000);
  expect(runner.polledAgoMs()).toBeLessThan(1_500);
  store.turns.claimDue = () => new Promise(() => {});
  await pass(60_000);
  expect(runner.polledAgoMs()).toBeGreaterThan(50_000);
});
