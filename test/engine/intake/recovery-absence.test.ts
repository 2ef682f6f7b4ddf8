import { expect, test } from 'vitest';
import type { EngineContext } from '../../../src/engine/context/engine-context.ts';
import { noteAbsence } from '../../../src/engine/intake/recovery.ts';

// A long time in which no process ran, on a store that records its calls.

const minute = 60_000;

async function noteAfter({ lastAt, awayMs, held = [] }: { lastAt?: number; awayMs?: number; held?: string[] }) {
  const done: unknown[] = [];
  const context = {
    store: {
      presence: {
        lastAt: async () => lastAt,
        absentMs: async () => awayMs,
        note: async () => void done.push('noted'),
      },
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
