import { expect, test } from 'vitest';
import { loadCommands } from '../../src/commands/all.ts';
import type { Evidence } from '../../src/core/plan.ts';
import { type LoadedStep, load, look } from '../../src/engine/run/step-phases.ts';
import { asked } from './asked.ts';

// A watch reads its step from the rows, which another process may have changed or removed.

test('a step is read with its request, and a step that is gone or that this version cannot follow is not found', async () => {
  const { bot, id } = await asked();
  const commands = await loadCommands();
  const read = (request: string, n: number) => load({ commands, store: bot.store }, request, n);
  expect(await read(id, 0)).toMatchObject({ operation: { id }, step: { n: 0, state: 'pending' } });
  expect(await read('gone', 0)).toBeUndefined();
  expect(await read(id, 1)).toBeUndefined();
  for (const command of ['teleport', 'status']) {
    await bot.database.run(`update operations set command = '${command}'`);
    expect(await read(id, 0)).toBeUndefined();
  }
});

test('a step that has ended is not found, also when this version cannot read its request', async () => {
  const { bot, id } = await asked();
  const commands = await loadCommands();
  await bot.database.run(`update operations set plan = '{"title":"Restart web-1","subject":7}'`);
  await expect(load({ commands, store: bot.store }, id, 0)).rejects.toThrow();
  await bot.store.steps.move(id, 0, 'pending', 'skipped');
  expect(await load({ commands, store: bot.store }, id, 0)).toBeUndefined();
});

/** A step that was read from its row, of which parts are otherwise, and looks at it. */
async function watched(own: Partial<LoadedStep['closed']> = {}) {
  const { bot, id } = await asked();
  const found = await load({ commands: await loadCommands(), store: bot.store }, id, 0);
  if (found === undefined) throw new Error('no step');
  const ended: number[] = [];
  const reader = { vps: { logDetails: async () => ({ job_state: 'done', completed: true, note: '' }) } };
  // A look reads nothing else of it.
  const context = {
    store: bot.store,
    meter: { watched: (ms: number) => void ended.push(ms) },
    accessOf: async () => ({}),
    readContext: async () => ({ reader }),
  } as unknown as Parameters<typeof look>[0];
  const lookAt = (
    state: Parameters<typeof look>[2],
    { seenAway = 0, isSeveral = false, looks = 1 }: { seenAway?: 0 | 1; isSeveral?: boolean; looks?: number } = {},
  ) => {
    const plan = { ...found.operation.plan, isSeveral };
    const loaded = {
      operation: { ...found.operation, plan },
      step: { ...found.step, seenAway },
      closed: { ...found.closed, ...own },
    };
    return look(context, loaded, state, { looks, elapsedMs: 7, sinceLookMs: 5, random: () => 0 });
  };
  return { lookAt, ended, row: async () => (await bot.store.steps.list(id))[0], durations: bot.store.durations };
}

test('a look passes on whether its server was seen to go away, and notes nothing that it did not see', async () => {
  const seen: Evidence[] = [];
  const { lookAt, row } = await watched({
    verify: async (_, __, evidence) => {
      seen.push(evidence);
      return { is: 'unsure', text: 'not read yet' };
    },
  });
  await lookAt('verifying', { seenAway: 0 });
  await lookAt('verifying', { seenAway: 1 });
  expect(seen).toEqual([{ wasAway: false }, { wasAway: true }]);
  expect((await row())?.seenAway).toBe(0);
});

test('a change that cannot be read is looked at for longer where other steps wait for it', async () => {
  const { lookAt } = await watched({ verify: async () => ({ is: 'unsure', text: 'not read yet' }) });
  expect(await lookAt('verifying', { looks: 6, isSeveral: true })).toBe(30_000);
  const single = await watched({ verify: async () => ({ is: 'unsure', text: 'not read yet' }) });
  expect(await single.lookAt('verifying', { looks: 5, isSeveral: false })).toBe(15_000);
  expect(await single.lookAt('verifying', { looks: 6, isSeveral: false })).toBe('over');
});

test('the end of a job is measured: the time since the last look, and how long it took', async () => {
  const { lookAt, ended, durations } = await watched({
    follow: () => ({ kind: 'job', orderId: '34-12345', jobId: 812, action: 'restart' }),
  });
  expect(await lookAt('accepted')).toBe('next');
  expect(ended).toEqual([5]);
  expect(await durations.recent('restart', 5)).toEqual([7]);
});
