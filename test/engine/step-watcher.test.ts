import { describe, expect, test, vi } from 'vitest';
import { openWatcher as open } from './watcher-alone.ts';

// The moments of looks and leases, who hears of an end, and the stop. step-phases.test.ts has what one look finds.

describe('the looks at a step', () => {
  test('the first is made at once, each later one when it says, and after its end no more', async () => {
    const { watcher, times, moves, woken, logged, pass } = open();
    watcher.arm('op1', 0);
    watcher.arm('op1', 0);
    expect(watcher.count()).toBe(1);
    await pass(29_999);
    expect(times()).toEqual([0, 1_000, 3_000, 7_000, 15_000]);
    expect([watcher.count(), woken]).toEqual([1, []]);
    await pass(1);
    expect(moves).toEqual([['op1', 0, 'verifying', 'unverified', { note: 'not read yet' }]]);
    expect([watcher.count(), woken]).toEqual([0, ['op1']]);
    await pass(600_000);
    expect(times()).toHaveLength(6);
    expect(logged).toEqual([]);
  });

  test('each step of each request is looked at on its own', async () => {
    const { watcher, rows, looks, pass } = open();
    rows.set(1, {});
    watcher.arm('op1', 0);
    watcher.arm('op1', 1);
    watcher.arm('op2', 1);
    await pass(0);
    expect(watcher.count()).toBe(3);
    expect(looks).toEqual([
      [0, 0],
      [1, 0],
      [1, 0],
    ]);
  });

  test('all times are shorter in the measure that is given', async () => {
    const { watcher, times, claims, pass } = open({ timeScale: 0.5 });
    watcher.arm('op1', 0);
    await pass(15_000);
    expect(times()).toEqual([0, 500, 1_500, 3_500, 7_500, 15_000]);
    expect(claims).toEqual([
      [0, 'op1', 0, 'me', 20_000],
      [7_500, 'op1', 0, 'me', 27_500],
    ]);
  });

  test('a change of its state is looked at again at once, and its looks are counted anew', async () => {
    const { watcher, rows, times, claims, answers, pass } = open();
    rows.set(0, { state: 'accepted', acceptedAt: 1_000_000 });
    answers.follow = () => ({ kind: 'until', action: 'restart', timeoutMs: 3_000 });
    watcher.arm('op1', 0);
    // Three seconds are over with the look after six. The fake clock lets what is due at once begin a moment later.
    await pass(6_001);
    expect(times()).toEqual([0, 1_000, 3_000, 6_000, 6_001]);
    expect(claims).toHaveLength(1);
    await pass(1_000);
    expect(times().at(-1)).toBe(7_001);
  });

  test('a step that was called lost is looked at once the thread was told', async () => {
    const { watcher, rows, moves, woken, told, pass } = open();
    rows.set(0, { state: 'reading' });
    watcher.arm('op1', 0);
    await pass(999);
    expect(woken).toEqual(['op1']);
    await pass(1);
    expect(woken).toEqual(['op1', 'op1']);
    expect(moves).toEqual([]);
    told.add('lost:op1:0');
    await pass(1_000);
    expect(moves).toMatchObject([['op1', 0, 'reading', 'failed', {}]]);
    expect([watcher.count(), woken]).toEqual([0, ['op1', 'op1', 'op1']]);
  });

  test.each([
    ['is gone', undefined],
    ['has ended', { state: 'done' }],
  ])('a step that %s is looked at no more, and its request is woken', async (_, row) => {
    const { watcher, rows, moves, woken, logged, pass } = open();
    rows.set(0, row);
    watcher.arm('op1', 0);
    await pass(600_000);
    expect([watcher.count(), woken, moves, logged]).toEqual([0, ['op1'], [], []]);
  });

  test('a look that goes wrong is logged, and made again after five seconds', async () => {
    const { watcher, times, logged, answers, pass } = open();
    const wrong = new Error('wrong');
    answers.verify = async () => {
      throw wrong;
    };
    watcher.arm('op1', 0);
    await pass(4_999);
    expect(times()).toEqual([0]);
    expect(logged).toEqual([[{ err: wrong, operation: 'op1' }, 'watching: a look went wrong, it goes on']]);
    await pass(1);
    expect(times()).toEqual([0, 5_000]);
  });

  test('the end of a job is measured from its acceptance, and from the look before', async () => {
    const { watcher, rows, measured, answers, pass } = open();
    rows.set(0, { state: 'accepted', acceptedAt: 1_004_000 });
    await pass(5_000);
    answers.follow = () => ({ kind: 'job', orderId: '34-1', jobId: 8, action: 'restart' });
    watcher.arm('op1', 0);
    await pass(999);
    answers.job = async () => ({ job_state: 'done', completed: true, note: '' });
    await pass(1);
    expect(measured).toEqual([1_000, ['restart', 2_000]]);
  });

  test('the end of a job that the first look finds is measured from its acceptance', async () => {
    const { watcher, rows, measured, answers, pass } = open();
    rows.set(0, { state: 'accepted', acceptedAt: 993_000 });
    answers.follow = () => ({ kind: 'job', orderId: '34-1', jobId: 8, action: 'restart' });
    answers.job = async () => ({ job_state: 'done', completed: true, note: '' });
    watcher.arm('op1', 0);
    await pass(0);
    expect(measured).toEqual([7_000, ['restart', 7_000]]);
  });
});

describe('many steps at a time', () => {
  /** So many other steps, which have no rows: they end with their first look. */
  const arm = (watcher: ReturnType<typeof open>['watcher'], from: number, to: number) => {
    for (let n = from; n <= to; n++) watcher.arm('op1', n);
  };

  test.each([
    [98, 0],
    [99, 500],
    [499, 2_500],
    [999, 2_500],
  ])('with %i others the first look is made after %i ms', async (others, ms) => {
    const { watcher, times, pass } = open();
    arm(watcher, 1, others);
    watcher.arm('op1', 0);
    if (ms > 0) await pass(ms - 1);
    expect(times()).toEqual([]);
    await pass(ms > 0 ? 1 : 0);
    expect(times()).toEqual([ms]);
  });

  test.each([
    [0, 3_600],
    [0.5, 4_000],
    [1, 4_400],
  ])('four hundred are not looked at more than a hundred times a second, spread by %f', async (chance, ms) => {
    let next = 0;
    const { watcher, rows, times, pass } = open({ random: () => next });
    rows.clear();
    for (let n = 0; n < 400; n++) rows.set(n, {});
    arm(watcher, 0, 399);
    next = chance;
    await pass(ms - 1);
    expect(times()).toEqual([0]);
    await pass(1);
    expect(times()).toEqual([0, ms]);
  });
});

describe('the lease of a step', () => {
  test('it lasts until twenty seconds after the next look, and is renewed ten seconds before', async () => {
    const { watcher, claims, pass } = open();
    watcher.arm('op1', 0);
    await pass(600_000);
    expect(claims).toEqual([
      [0, 'op1', 0, 'me', 20_000],
      [7_000, 'op1', 0, 'me', 28_000],
      [15_000, 'op1', 0, 'me', 35_000],
    ]);
  });

  test.each([
    [10_000, 21_000],
    [9_999, 20_000],
  ])('a step that is ours for %i ms when its watch begins is claimed for %i ms', async (leasedMs, claimedMs) => {
    const { watcher, claims, pass } = open();
    await pass(5_000);
    watcher.arm('op1', 0, leasedMs);
    await pass(0);
    expect(claims).toEqual([[5_000, 'op1', 0, 'me', claimedMs]]);
  });

  test('a step that another process looks after is left to it', async () => {
    const { watcher, times, woken, logged, answers, pass } = open();
    answers.claim = async () => false;
    watcher.arm('op1', 0);
    await pass(600_000);
    expect([times(), watcher.count(), woken, logged]).toEqual([[], 0, [], []]);
  });

  test('a lease that is lost during a look ends the watch with the next', async () => {
    const { watcher, times, claims, answers, pass } = open();
    watcher.arm('op1', 0);
    await pass(6_999);
    answers.claim = async () => false;
    await pass(600_000);
    expect(times()).toEqual([0, 1_000, 3_000, 7_000]);
    expect(claims.map(([at]) => at)).toEqual([0, 7_000, 15_000]);
    expect(watcher.count()).toBe(0);
  });
});

describe('who waits for the end of a step', () => {
  test('hears of it when it comes in time', async () => {
    const { watcher, answers, pass } = open();
    watcher.arm('op1', 0);
    const end = watcher.ends('op1', 0, 1_001);
    await pass(999);
    answers.verify = async () => ({ is: 'so', text: 'it is on' });
    await pass(1);
    expect(await end).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('goes on without it after so long, in the measure that is given', async () => {
    const { watcher, pass } = open({ timeScale: 0.5 });
    watcher.arm('op1', 0);
    const heard: boolean[] = [];
    void watcher.ends('op1', 0, 3_000).then((hasEnded) => heard.push(hasEnded));
    await pass(1_499);
    expect(heard).toEqual([]);
    await pass(1);
    expect(heard).toEqual([false]);
  });

  test('goes on at once where nobody looks, where another process looks, and after a stop', async () => {
    const { watcher, answers, pass } = open();
    expect(await watcher.ends('op1', 0, 1_000)).toBe(false);
    answers.claim = async () => false;
    watcher.arm('op1', 0);
    const end = watcher.ends('op1', 0, 1_000);
    await pass(0);
    expect(await end).toBe(false);
    answers.claim = async () => true;
    watcher.arm('op1', 0);
    await pass(0);
    watcher.stop();
    expect(await watcher.ends('op1', 0, 1_000)).toBe(false);
  });
});

describe('a stop', () => {
  test('begins no look any more, and answers who waits', async () => {
    const { watcher, times, answers, pass } = open();
    watcher.arm('op1', 0);
    watcher.arm('op1', 1);
    await pass(999);
    const end = watcher.ends('op1', 0, 60_000);
    const { promise, resolve } = Promise.withResolvers<object>();
    answers.verify = () => promise;
    await pass(1);
    watcher.stop();
    expect(await end).toBe(false);
    resolve({ is: 'unsure', text: '' });
    watcher.arm('op1', 2);
    await pass(600_000);
    expect(times()).toEqual([0, 1_000]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('makes no look that was due later', async () => {
    const { watcher, times, pass } = open();
    watcher.arm('op1', 0);
    await pass(0);
    watcher.stop();
    expect(vi.getTimerCount()).toBe(0);
    await pass(600_000);
    expect(times()).toEqual([0]);
  });

  test('gives each step back after the look that is under way, also where one cannot be given back', async () => {
    const { watcher, rows, claims, answers, pass } = open();
    rows.set(1, {});
    rows.set(2, {});
    for (const n of [0, 1, 2]) watcher.arm('op1', n);
    await pass(0);
    const { promise, resolve } = Promise.withResolvers<object>();
    answers.verify = () => promise;
    await pass(1_000);
    watcher.stop();
    claims.length = 0;
    answers.claim = async () => {
      throw new Error('the database is away');
    };
    // Armed by a turn that was under way.
    watcher.arm('op1', 3, 20_000);
    let isOver = false;
    const over = watcher.giveBack().then(() => {
      isOver = true;
    });
    await pass(0);
    expect([isOver, claims]).toEqual([false, []]);
    resolve({ is: 'unsure', text: '' });
    await over;
    expect(claims).toEqual([0, 1, 2, 3].map((n) => [1_000, 'op1', n, 'me', 0]));
  });

  test('stores the answers that are kept first', async () => {
    const { watcher, claims, woken } = open();
    watcher.arm('op1', 0);
    let isStored = false;
    await watcher.answers.keep({ operation: 'op1', n: 0, text: 'job 8' }, async () => {
      if (!isStored) throw new Error('the database is away');
    });
    watcher.stop();
    expect(claims).toEqual([]);
    isStored = true;
    await watcher.giveBack();
    expect(watcher.answers.has('op1', 0)).toBe(false);
    expect(woken).toEqual(['op1']);
    expect(claims).toEqual([[0, 'op1', 0, 'me', 0]]);
  });
});
