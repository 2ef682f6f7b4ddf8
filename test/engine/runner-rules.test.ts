import { describe, expect, test, vi } from 'vitest';
import { openRunner, restMs, unavailable } from './runner-alone.ts';

// One turn of a request after the other, by a runner with room; runner.test.ts has the limit.

const wentWrong = 'a turn of an operation went wrong; it is taken again';

describe('an operation that is woken', () => {
  test('its turn is taken, and the row says when the next one is due', async () => {
    const { claims, leases, taken, returned, logged, wake, settle } = await openRunner();
    wake('one');
    await settle();
    expect(claims).toEqual(['one asked']);
    expect([...leases]).toEqual([20_000]);
    expect(taken).toEqual(['one']);
    expect(returned).toEqual([['one', { waitMs: restMs }]]);
    expect(logged).toEqual([]);
  });

  test.each([
    [1_234.4, 1_239],
    [0.3, 5],
    [-4.8, 1],
  ])('a turn that is due again in %d ms and 5 more rests for %d ms', async (ms, waitMs) => {
    const { rows, returned, wake, settle } = await openRunner();
    rows.set('one', { createdAt: ms - 600_000 });
    wake('one');
    await settle();
    expect(returned).toEqual([['one', { waitMs }]]);
  });

  test('woken during its turn, it has another one under the same lease', async () => {
    const { claims, taken, returned, hold, letGo, wake, settle } = await openRunner();
    hold('one');
    wake('one');
    await settle();
    wake('one', 'one');
    letGo('one');
    await settle();
    expect(claims).toEqual(['one asked']);
    expect(taken).toEqual(['one', 'one']);
    expect(returned).toEqual([['one', { waitMs: restMs }]]);
  });

  test('the log has each turn, and whether another one follows', async () => {
    const { traced, hold, letGo, wake, settle } = await openRunner();
    hold('one');
    wake('one');
    await settle();
    wake('one');
    letGo('one');
    await settle();
    const begins = ['a turn begins', { operation: 'one', state: 'waiting' }];
    const follows = ['another turn follows', { operation: 'one' }];
    expect(traced).toEqual([begins, follows, begins, ['no turn follows', { operation: 'one' }]]);
  });

  test('woken while it is being claimed, it has one turn', async () => {
    const { taken, claims, wake, settle } = await openRunner();
    wake('one', 'one');
    await settle();
    expect(taken).toEqual(['one']);
    expect(claims).toEqual(['one asked']);
  });

  test('woken during the turn in which it ends, it has no other one', async () => {
    const { rows, remove, claims, taken, returned, hold, letGo, wake, settle } = await openRunner();
    rows.set('one', { rule: { rule: 'none', isSolo: false } });
    hold('one');
    wake('one');
    await settle();
    wake('one');
    remove('one');
    letGo('one');
    await settle();
    expect(taken).toEqual(['one']);
    expect(claims).toEqual(['one asked']);
    expect(returned).toEqual([['one', { waitMs: null }]]);
  });

  test('deleted while it is woken again, it is left alone', async () => {
    const { remove, taken, returned, logged, hold, letGo, wake, settle } = await openRunner();
    hold('one');
    wake('one');
    await settle();
    wake('one');
    remove('one');
    letGo('one');
    await settle();
    expect([taken, returned, logged]).toEqual([['one'], [], []]);
  });

  test('asked for by another replica during its turn, it has another one at once', async () => {
    const { store, claims, wake, settle } = await openRunner();
    let returns = 0;
    store.turns.giveBack = async () => ++returns === 1;
    wake('one');
    await settle();
    expect(claims).toEqual(['one asked', 'one asked']);
  });

  test('held by another replica, it is marked as due, once', async () => {
    const { store, asked, taken, wake, settle } = await openRunner();
    let claims = 0;
    store.turns.claim = async () => {
      claims += 1;
      return undefined;
    };
    wake('one');
    await settle();
    expect([asked, taken, claims]).toEqual([['one'], [], 1]);
  });

  test('only due and held by another replica meanwhile, it is not marked', async () => {
    const { store, asked, found, pass } = await openRunner();
    let claims = 0;
    store.turns.claim = async () => {
      claims += 1;
      return undefined;
    };
    found.push(['one']);
    await pass(1_000);
    expect([asked, claims]).toEqual([[], 1]);
  });

  test('kept back at the limit and held by another replica when there is room, it is marked as due, once', async () => {
    const { store, claims, asked, hold, letGo, wake, settle } = await openRunner({ concurrency: 1, isLocal: true });
    const { claim } = store.turns;
    hold('first');
    wake('first', 'second');
    await settle();
    store.turns.claim = async (...given) => void (await claim(...given));
    letGo('first');
    await settle();
    expect(claims).toEqual(['first asked', 'second asked']);
    expect(asked).toEqual(['second']);
  });

  test('before the start and after the stop, nothing is taken', async () => {
    const { runner, claims, wake, settle } = await openRunner({ isStarted: false });
    wake('early');
    await settle();
    await runner.start();
    wake('one');
    await runner.stop();
    wake('late');
    await settle();
    expect(claims).toEqual(['one asked']);
  });
});

describe('a turn that goes wrong', () => {
  test('while the database is away, the turn is taken again after five seconds, and is no failure', async () => {
    const { store, returned, logged, wake, settle } = await openRunner();
    store.votes.list = () => Promise.reject(unavailable);
    wake('one');
    await settle();
    expect(returned).toEqual([['one', { waitMs: 5_000 }]]);
    expect(logged).toEqual([[wentWrong, unavailable]]);
  });

  const bug = new Error('a bug');

  test('any other error is a failure, and the turn is taken again after five seconds', async () => {
    const { store, rows, returned, logged, wake, settle } = await openRunner();
    store.votes.list = () => Promise.reject(bug);
    rows.set('one', { turnFailures: 23 });
    wake('one');
    await settle();
    expect(returned).toEqual([['one', { waitMs: 5_000, hasFailed: true }]]);
    expect(logged).toEqual([[wentWrong, bug]]);
  });

  test('after 24 failures the operation is given up, and its end is announced at once', async () => {
    const { store, rows, returned, logged, wake, settle } = await openRunner();
    store.votes.list = () => Promise.reject(bug);
    rows.set('one', { turnFailures: 24 });
    const moves: unknown[] = [];
    Object.assign(store.operations, { move: async (...given: unknown[]) => moves.push(given.slice(0, 3)) > 0 });
    wake('one');
    await settle();
    expect(moves).toEqual([['one', 'waiting', 'refused']]);
    expect(returned).toEqual([['one', { waitMs: 1 }]]);
    expect(logged.map(([words]) => words)).toEqual([wentWrong, 'an operation is given up: its turns only go wrong']);
  });

  test('an operation that cannot be given up is looked at again at once, and the log says why', async () => {
    const { store, rows, returned, logged, wake, settle } = await openRunner();
    store.votes.list = () => Promise.reject(bug);
    store.operations.find = () => Promise.reject(unavailable);
    rows.set('one', { turnFailures: 24 });
    wake('one');
    await settle();
    expect(returned).toEqual([['one', { waitMs: 1 }]]);
    expect(logged).toEqual([
      [wentWrong, bug],
      ['giving an operation up', unavailable],
    ]);
  });

  test('a claim that fails is logged, and what waits for room is taken', async () => {
    const { store, claims, logged, hold, letGo, wake, settle } = await openRunner({ concurrency: 1, isLocal: true });
    const { claim } = store.turns;
    hold('first');
    wake('first', 'second', 'third');
    await settle();
    store.turns.claim = () => {
      store.turns.claim = claim;
      return Promise.reject(unavailable);
    };
    letGo('first');
    await settle();
    expect(claims).toEqual(['first asked', 'third asked']);
    expect(logged).toEqual([['a turn could not be taken; it is due again in its row', unavailable]]);
  });
});

describe('an operation whose command this version does not know', () => {
  const unknown = { command: 'teleport', updatedAt: 1_000 };

  test('it is left to newer versions for ten minutes, and looked at every 30 seconds', async () => {
    const { rows, taken, returned, logged, pass, wake } = await openRunner();
    rows.set('one', unknown);
    wake('one');
    await pass(600_999);
    wake('one');
    await pass(0);
    expect(returned).toEqual([
      ['one', { waitMs: 30_000 }],
      ['one', { waitMs: 30_000 }],
    ]);
    expect([taken, logged]).toEqual([[], []]);
  });

  test('after ten minutes its turns are taken here', async () => {
    const { rows, taken, pass, wake } = await openRunner();
    rows.set('one', unknown);
    await pass(601_000);
    wake('one');
    await pass(0);
    expect(taken).toEqual(['one']);
  });
});

describe('the leases of turns under way', () => {
  test('they are extended every five seconds, and not when nothing is under way', async () => {
    const { kept, hold, letGo, wake, pass } = await openRunner();
    await pass(5_000);
    expect(kept).toEqual([]);
    hold('one');
    wake('one');
    await pass(4_999);
    expect(kept).toEqual([]);
    await pass(5_001);
    expect(kept).toEqual([
      ['me', 20_000, ['one']],
      ['me', 20_000, ['one']],
    ]);
    letGo('one');
    await pass(10_000);
    expect(kept).toHaveLength(2);
  });

  test('the lease of a turn that ended without being given back is left to lapse', async () => {
    const { store, kept, hold, wake, pass } = await openRunner();
    store.turns.giveBack = () => Promise.reject(unavailable);
    hold('busy');
    wake('busy', 'left');
    await pass(5_000);
    expect(kept).toEqual([['me', 20_000, ['busy']]]);
  });

  test('a failure to extend them is logged', async () => {
    const { store, logged, hold, wake, pass } = await openRunner();
    store.turns.keep = () => Promise.reject(unavailable);
    hold('one');
    wake('one');
    await pass(5_000);
    expect(logged).toEqual([['keeping what is under way', unavailable]]);
  });
});

describe('how long ago a runner made progress', () => {
  test('it counts from its beginning, from each look and from each turn that ends', async () => {
    const { runner, hold, letGo, wake, pass, settle } = await openRunner({ isStarted: false });
    await pass(400);
    expect(runner.lookedAgoMs()).toBe(400);
    await runner.start();
    await settle();
    expect(runner.lookedAgoMs()).toBe(0);
    hold('one');
    wake('one');
    await pass(700);
    expect(runner.lookedAgoMs()).toBe(700);
    letGo('one');
    await settle();
    expect(runner.lookedAgoMs()).toBe(0);
    await pass(250);
    expect(runner.lookedAgoMs()).toBe(250);
    await pass(50);
    expect(runner.lookedAgoMs()).toBe(0);
  });

  test('a runner at its limit makes progress with each look that it need not take', async () => {
    const { runner, hold, wake, pass } = await openRunner({ concurrency: 1 });
    hold('one');
    wake('one');
    await pass(1_500);
    expect(runner.lookedAgoMs()).toBe(500);
  });

  test('a look that the database answers with an error is progress, one without an answer is none', async () => {
    const { runner, store, logged, pass } = await openRunner();
    store.turns.due = () => Promise.reject(unavailable);
    await pass(1_000);
    expect(runner.lookedAgoMs()).toBe(0);
    expect(logged).toEqual([['looking for turns that are due', unavailable]]);
    store.turns.due = () => new Promise(() => {});
    await pass(9_000);
    expect(runner.lookedAgoMs()).toBe(9_000);
  });

  test('a look that fails otherwise is none', async () => {
    const { runner, store, logged, pass } = await openRunner();
    store.turns.due = () => Promise.reject(new Error('a bug'));
    await pass(2_000);
    expect(runner.lookedAgoMs()).toBe(2_000);
    expect(logged).toHaveLength(2);
  });
});

describe('a runner that is stopped', () => {
  const isOver = (promise: Promise<unknown>) => {
    let isOver = false;
    void promise.then(() => {
      isOver = true;
    });
    return () => isOver;
  };

  test('it waits for the turns under way, and begins none of those that wait', async () => {
    const { runner, claims, returned, hold, letGo, wake, settle } = await openRunner({ concurrency: 1, isLocal: true });
    hold('first');
    wake('first', 'second');
    await settle();
    wake('first');
    const hasStopped = isOver(runner.stop());
    await settle();
    expect(hasStopped()).toBe(false);
    letGo('first');
    await settle();
    expect(hasStopped()).toBe(true);
    expect(claims).toEqual(['first asked']);
    // Not once more, although it was woken: the process has to end.
    expect(returned).toEqual([['first', { waitMs: restMs }]]);
  });

  test('it waits for a look under way, and begins nothing that the look finds', async () => {
    const { runner, store, claims, pass, settle } = await openRunner();
    const answer = Promise.withResolvers<string[]>();
    store.turns.due = () => answer.promise;
    await pass(1_000);
    const hasStopped = isOver(runner.stop());
    await settle();
    expect(hasStopped()).toBe(false);
    answer.resolve(['one']);
    await settle();
    expect(hasStopped()).toBe(true);
    expect(claims).toEqual([]);
  });

  test('it looks no more and keeps nothing, also when a turn ends after which it would have looked', async () => {
    const { runner, looks, kept, hold, letGo, tell, pass, settle } = await openRunner({ concurrency: 1 });
    hold('one');
    await tell('one');
    await settle();
    const stopping = runner.stop();
    await pass(20_000);
    letGo('one');
    await stopping;
    await settle();
    expect(looks).toHaveLength(1);
    expect(kept).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('it waits five seconds for a queue that does not stop', async () => {
    const { runner, runs, logged, pass } = await openRunner();
    runs.stop = () => new Promise(() => {});
    const hasStopped = isOver(runner.stop());
    await pass(4_999);
    expect(hasStopped()).toBe(false);
    await pass(1);
    expect(hasStopped()).toBe(true);
    expect(logged).toEqual([['stopping', new Error('stopping the queue of turns: no answer')]]);
  });
});

test('the timers of a runner do not keep a process alive that has nothing else to do', async () => {
  const { runner } = await openRunner({ isStarted: false });
  const { setInterval: begin } = globalThis;
  const timers: NodeJS.Timeout[] = [];
  const noting = (...given: Parameters<typeof begin>) => {
    const timer = begin(...given);
    timers.push(timer);
    return timer;
  };
  Object.assign(globalThis, { setInterval: noting });
  await runner.start();
  Object.assign(globalThis, { setInterval: begin });
  expect(timers.map((timer) => timer.hasRef())).toEqual([false, false]);
});
