import { expect, onTestFinished, test } from 'vitest';
import type { EngineContext } from '../../src/engine/context/engine-context.ts';
import { createRunner } from '../../src/engine/run/runner.ts';

/**
 * A process beside other replicas. Rows are of commands that it does not know, so that a turn ends at once; those of `long`
 * end when they are let go.
 */
async function openRunner({ concurrency, long }: { concurrency: number; long: readonly string[] }) {
  const claims: string[] = [];
  const asked: string[] = [];
  const told: string[] = [];
  let looks = 0;
  let tell: ((operation: string) => Promise<void>) | undefined;
  const ends = new Map(long.map((id) => [id, Promise.withResolvers<void>()]));
  const turns = {
    claim: async (id: string, _owner: string, _leaseMs: number, isAsked: boolean) => {
      claims.push(`${id} ${isAsked ? 'asked' : 'due'}`);
      await ends.get(id)?.promise;
      return { id, command: 'unknown', updatedAt: 0, turnFailures: 0 };
    },
    giveBack: async () => false,
    ask: async (id: string) => void asked.push(id),
    due: async () => {
      looks += 1;
      return [];
    },
  };
  const context = {
    store: { turns, operations: {} },
    commands: [],
    now: () => 0,
    log: { debug() {}, info() {}, warn() {}, error() {} },
    owner: 'me',
  };
  const runner = createRunner(
    // A turn of an unknown command touches nothing else.
    context as unknown as EngineContext,
    () => {
      throw new Error('nothing is watched');
    },
    {
      isLocal: false,
      ask: async (operation) => void told.push(operation),
      start: async (take) => {
        tell = take;
      },
      stop: async () => {},
    },
    { concurrency },
  );
  await runner.start();
  const goOn = (id: string) => ends.get(id)?.resolve();
  onTestFinished(() => {
    for (const id of long) goOn(id);
    return runner.stop();
  });
  return { runner, claims, asked, told, goOn, looks: () => looks, tell: async (id: string) => tell?.(id) };
}

const roomForOne = { concurrency: 1, long: ['first'] };

test('a runner at its limit notifies the others once, and runs what waits as soon as it has room', async () => {
  const { runner, claims, asked, told, goOn } = await openRunner(roomForOne);
  runner.wake('first');
  for (const operation of ['second', 'third', 'fourth']) runner.wake(operation, true);
  await expect.poll(() => told).toEqual(['second']);
  expect(claims).toEqual(['first asked']);
  goOn('first');
  await expect.poll(() => claims).toEqual(['first asked', 'second due', 'third due', 'fourth due']);
  expect(told).toEqual(['second']);
  expect(asked).toEqual([]);
});

test('a runner at its limit marks an operation as due when its row does not say so', async () => {
  const { runner, claims, asked, goOn } = await openRunner(roomForOne);
  runner.wake('first');
  runner.wake('second');
  await expect.poll(() => asked).toEqual(['second']);
  goOn('first');
  await expect.poll(() => claims).toEqual(['first asked', 'second due']);
});

test('a runner that is notified by a runner at its limit looks for more operations than the one in the notification', async () => {
  const { claims, looks, tell } = await openRunner(roomForOne);
  expect(looks()).toBe(1);
  await tell('one');
  // Before the clock would make it look, in a second.
  await expect.poll(looks, { timeout: 500 }).toBe(2);
  expect(claims).toEqual(['one asked']);
});

test('a long turn that is asked for again does not keep the room that others leave', async () => {
  const { runner, claims, looks, goOn } = await openRunner({ concurrency: 3, long: ['first', 'second', 'third'] });
  for (const operation of ['first', 'second', 'third', 'first', 'second']) runner.wake(operation);
  for (const operation of ['fourth', 'fifth', 'sixth']) runner.wake(operation, true);
  await expect.poll(() => claims).toHaveLength(3);
  goOn('third');
  await expect.poll(() => claims.slice(3), { timeout: 500 }).toEqual(['fourth due', 'fifth due', 'sixth due']);
  expect(looks()).toBe(1);
});
