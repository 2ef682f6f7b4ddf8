import { describe, expect, test } from 'vitest';
import { openRunner } from './runner-alone.ts';

// Requests that a runner is asked for, and the room that it has for them; runner-rules.test.ts has the turns themselves.

/** Its only place is taken. */
async function openFull(isLocal = false) {
  const all = await openRunner({ concurrency: 1, isLocal });
  all.hold('first');
  all.wake('first');
  await all.settle();
  return all;
}

describe('a runner at its limit', () => {
  test('a runner at its limit notifies the others once, and runs what waits as soon as it has room', async () => {
    const { runner, claims, asked, told, settle, letGo } = await openFull();
    for (const operation of ['second', 'third', 'fourth']) runner.wake(operation, true);
    await settle();
    expect(told).toEqual(['second']);
    expect(claims).toEqual(['first asked']);
    letGo('first');
    await settle();
    expect(claims).toEqual(['first asked', 'second due', 'third due', 'fourth due']);
    expect(told).toEqual(['second']);
    expect(asked).toEqual([]);
  });

  test('a runner at its limit notifies the others again after a tenth of a second', async () => {
    const { runner, told, pass } = await openFull();
    runner.wake('second', true);
    await pass(99);
    runner.wake('third', true);
    await pass(1);
    runner.wake('fourth', true);
    await pass(99);
    runner.wake('fifth', true);
    await pass(0);
    expect(told).toEqual(['second', 'fourth']);
  });

  test('a runner at its limit marks an operation as due when its row does not say so', async () => {
    const { claims, asked, wake, settle, letGo } = await openFull();
    wake('second');
    await settle();
    expect(asked).toEqual(['second']);
    letGo('first');
    await settle();
    expect(claims).toEqual(['first asked', 'second due']);
  });

  test('what the others cannot be told is taken here as asked for, before what is only due', async () => {
    const { runner, runs, claims, logged, settle, letGo } = await openFull();
    runner.wake('second', true);
    await settle();
    runs.ask = () => Promise.reject(new Error('no connection'));
    runner.wake('third', true);
    await settle();
    expect(logged).toEqual([]);
    runs.ask = async () => {};
    letGo('first');
    await settle();
    expect(claims).toEqual(['first asked', 'second due', 'third due']);
  });

  test('an operation is taken as asked for when the others cannot be told of it', async () => {
    const { runs, claims, logged, wake, settle, letGo } = await openFull();
    const error = new Error('no connection');
    runs.ask = () => Promise.reject(error);
    wake('second');
    await settle();
    expect(logged).toEqual([['asking for a turn: it is taken here', error]]);
    letGo('first');
    await settle();
    expect(claims).toEqual(['first asked', 'second asked']);
  });

  test('an operation is taken as asked for when the queue has not answered for five seconds', async () => {
    const { runs, claims, logged, wake, pass, settle, letGo } = await openFull();
    runs.ask = () => new Promise(() => {});
    wake('second');
    await pass(4_999);
    expect(logged).toEqual([]);
    await pass(1);
    expect(logged).toEqual([['asking for a turn: it is taken here', new Error('asking for a turn: no answer')]]);
    letGo('first');
    await settle();
    expect(claims).toEqual(['first asked', 'second asked']);
  });

  test('a runner that is alone keeps what it is asked for at its limit, and tells nobody', async () => {
    const { claims, asked, told, wake, settle, letGo } = await openFull(true);
    wake('second', 'third');
    await settle();
    expect([claims, asked, told]).toEqual([['first asked'], [], []]);
    letGo('first');
    await settle();
    expect(claims).toEqual(['first asked', 'second asked', 'third asked']);
  });

  test('a runner at its limit repeats a turn under way itself, and tells nobody', async () => {
    const { claims, asked, told, taken, wake, settle, letGo } = await openFull();
    wake('first');
    await settle();
    letGo('first');
    await settle();
    expect([claims, asked, told]).toEqual([['first asked'], [], []]);
    expect(taken).toEqual(['first', 'first']);
  });

  test('a long turn that is asked for again does not keep the room that others leave', async () => {
    const { runner, claims, looks, hold, wake, settle, letGo } = await openRunner({ concurrency: 3 });
    hold('first', 'second', 'third');
    wake('first', 'second', 'third', 'first', 'second');
    for (const operation of ['fourth', 'fifth', 'sixth']) runner.wake(operation, true);
    await settle();
    expect(claims).toHaveLength(3);
    letGo('third');
    await settle();
    expect(claims.slice(3)).toEqual(['fourth due', 'fifth due', 'sixth due']);
    expect(looks).toHaveLength(1);
  });

  test('a runner takes 64 turns at a time', async () => {
    const { claims, hold, wake, settle } = await openRunner({ isLocal: true });
    const many = Array.from({ length: 70 }, (_, n) => `operation-${n}`);
    hold(...many);
    wake(...many);
    await settle();
    expect(claims).toHaveLength(64);
  });
});

describe('a runner that another one notifies', () => {
  test('it takes the operation of the notification, and looks for more at once', async () => {
    const { claims, looks, hold, tell, settle } = await openRunner();
    expect(looks).toHaveLength(1);
    hold('one');
    await tell('one');
    await settle();
    expect(looks).toHaveLength(2);
    expect(claims).toEqual(['one asked']);
  });

  test('it looks for more when its turn ends, in case it had no room before', async () => {
    const { looks, hold, letGo, tell, settle } = await openRunner({ concurrency: 1 });
    hold('one');
    await tell('one');
    await settle();
    expect(looks).toHaveLength(1);
    letGo('one');
    await settle();
    expect(looks).toHaveLength(2);
  });

  test('at its limit it leaves the operation to others until it has room', async () => {
    const { claims, letGo, tell, settle } = await openFull();
    let isTaken = false;
    const telling = tell('second')?.then(() => {
      isTaken = true;
    });
    await settle();
    expect(isTaken).toBe(false);
    expect(claims).toEqual(['first asked']);
    letGo('first');
    await telling;
    await settle();
    expect(claims).toEqual(['first asked', 'second asked']);
  });

  test('a runner that is alone takes note of it at its limit', async () => {
    const { claims, letGo, tell, settle } = await openFull(true);
    await tell('second');
    expect(claims).toEqual(['first asked']);
    letGo('first');
    await settle();
    expect(claims).toEqual(['first asked', 'second asked']);
  });

  test('at its limit it leaves the operation alone when it is stopped meanwhile', async () => {
    const { runner, claims, hold, letGo, wake, tell, settle } = await openRunner({ concurrency: 2 });
    hold('first', 'second');
    wake('first', 'second');
    const telling = tell('third');
    await settle();
    const stopping = runner.stop();
    letGo('first');
    letGo('second');
    await Promise.all([telling, stopping]);
    expect(claims).toEqual(['first asked', 'second asked']);
  });
});

describe('looking for what is due', () => {
  test('a runner looks at its start and every second, for as many as it has room for', async () => {
    const { looks, hold, wake, pass } = await openRunner({ concurrency: 4 });
    hold('one');
    await pass(999);
    expect(looks).toEqual([4]);
    wake('one');
    await pass(1);
    expect(looks).toEqual([4, 3]);
    await pass(1_000);
    expect(looks).toEqual([4, 3, 3]);
  });

  test('what is found is taken as due, and what is under way already is not taken again', async () => {
    const { claims, taken, found, hold, letGo, wake, pass } = await openRunner({ concurrency: 4 });
    hold('one');
    wake('one');
    found.push(['one', 'two']);
    await pass(1_000);
    letGo('one');
    await pass(0);
    expect(claims).toEqual(['one asked', 'two due']);
    expect(taken).toEqual(['one', 'two']);
  });

  test('a runner without room does not look', async () => {
    const { looks, pass } = await openFull();
    await pass(3_000);
    expect(looks).toHaveLength(1);
  });

  test('a runner that found as many as it had room for looks again as soon as half of them have ended', async () => {
    const { looks, claims, found, hold, letGo, pass, settle } = await openRunner({ concurrency: 4 });
    const four = ['one', 'two', 'three', 'four'];
    hold(...four);
    found.push(four);
    await pass(1_000);
    expect(claims).toHaveLength(4);
    letGo('one');
    await settle();
    expect(looks).toEqual([4, 4]);
    letGo('two');
    await settle();
    expect(looks).toEqual([4, 4, 2]);
    letGo('three');
    await settle();
    expect(looks).toEqual([4, 4, 2]);
  });

  test('a look that takes long is not begun a second time beside itself', async () => {
    const { store, pass } = await openRunner({ concurrency: 4 });
    let looks = 0;
    const answer = Promise.withResolvers<string[]>();
    store.turns.due = () => {
      looks += 1;
      return answer.promise;
    };
    await pass(3_000);
    expect(looks).toBe(1);
    answer.resolve([]);
    await pass(0);
    expect(looks).toBe(2);
  });

  test('a turn that ends during the first look leads to no other look', async () => {
    const { runner, store, wake, settle } = await openRunner({ isStarted: false });
    let looks = 0;
    const answer = Promise.withResolvers<string[]>();
    store.turns.due = () => {
      looks += 1;
      return answer.promise;
    };
    await runner.start();
    wake('one');
    await settle();
    answer.resolve([]);
    await settle();
    expect(looks).toBe(1);
  });
});
