import { expect, test } from 'vitest';
import type { AnyAction } from '../../../src/engine/context/dependencies.ts';
import type { EngineContext } from '../../../src/engine/context/engine-context.ts';
import { readOperation, readStep } from '../../../src/engine/operation/read-operation.ts';
import { pollStep } from '../../../src/engine/run/poll-step.ts';
import { asked } from '../asked.ts';

type State = 'accepted' | 'verifying' | 'reading';

/** A step in this state, with some other parts, and polls of it. */
async function followed(state: State, own: object = {}) {
  const { bot, id, row } = await asked();
  const { steps, durations } = bot.store;
  await steps.move(id, 0, 'pending', 'running');
  await steps.move(id, 0, 'running', state);
  const ended: number[] = [];
  const job = { isDone: true };
  const logDetails = async () => ({ job_state: job.isDone ? 'done' : 'started', completed: job.isDone, note: '' });
  const reader = { vps: { logDetails } };
  const step = () => ({ follow: () => undefined, ...own });
  const command = { kind: 'action', path: 'restart', step } as unknown as AnyAction;
  // A look reads nothing else of it.
  const context = {
    store: bot.store,
    now: bot.now,
    meter: { watched: (ms: number) => void ended.push(ms) },
    accessOf: async () => ({}),
    readContext: async () => ({ reader }),
  } as unknown as EngineContext;
  const stored = await row();
  if (stored === undefined) throw new Error('no operation');
  const operation = readOperation(stored);
  const rowOfStep = async () => (await steps.list(id))[0];
  const look = async (dueTime = bot.now) => {
    const step = await rowOfStep();
    if (step === undefined) throw new Error('no step');
    const how = { dueTime, paced: (ms: number) => ms, random: () => 0 };
    return pollStep(context, operation, command, { ...readStep(step), state }, how);
  };
  return { look, job, ended, row: rowOfStep, durations, now: bot.now };
}

const unsure = { verify: async () => ({ is: 'unsure', text: 'not read yet' }) };

test('a poll that does not end the step stores when the next one is due', async () => {
  const { look, row, now } = await followed('verifying', unsure);
  expect(await look()).toBe(1_000);
  expect(await row()).toMatchObject({ state: 'verifying', looks: 1 });
  expect((await row())?.nextLookAt).toBeGreaterThan(now() - 10_000);
  expect(await look()).toBe(2_000);
});

test('a poll passes on whether the server was seen going down, and stores it', async () => {
  const seen: unknown[] = [];
  const { look, row } = await followed('accepted', {
    follow: () => ({ kind: 'transition', timeoutMs: 60_000 }),
    verify: async (_: unknown, __: unknown, evidence: unknown) => {
      seen.push(evidence);
      return { is: 'unsure', text: 'not read yet', isOffline: seen.length === 1 };
    },
  });
  await look();
  await look();
  expect(seen).toEqual([{ wasOffline: false }, { wasOffline: true }]);
  expect((await row())?.seenAway).toBe(1);
});

test('the end of a job reports the time since the last poll, and stores the duration of the job', async () => {
  const { look, job, ended, row, durations } = await followed('accepted', {
    follow: () => ({ kind: 'job', orderId: '34-12345', jobId: 812, action: 'restart' }),
  });
  job.isDone = false;
  expect(await look()).toBeGreaterThan(0);
  expect(ended).toEqual([]);
  const lookedAt = (await row())?.lookedAt ?? Number.NaN;
  job.isDone = true;
  expect(await look(() => lookedAt + 7_000)).toBe('moved');
  expect(await row()).toMatchObject({ state: 'verifying', looks: 0, nextLookAt: 0 });
  expect(ended).toEqual([7_000]);
  expect(await durations.recent('restart')).toHaveLength(1);
});
