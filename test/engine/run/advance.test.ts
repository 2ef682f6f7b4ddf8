import { describe, expect, test } from 'vitest';
import { people } from '../../support/fake-slack.ts';
import { openOperations } from '../../support/open-operations.ts';
import { startTestBot } from '../../support/test-bot.ts';
import { untilItRests } from '../pass-with-turn.ts';
import { openRunner } from './runner-alone.ts';

describe('a request that waits for a decision', () => {
  const now = 1_000;
  test.each([
    ['until it has waited for ten minutes', { createdAt: now - 60_000 }, 540_005],
    ['until it expires', { createdAt: now - 600_010, expiresAt: now + 5_000 }, 5_005],
    ['until the first of the two', { createdAt: now - 599_000, expiresAt: now + 5_000 }, 1_005],
    ['ten minutes at most', { createdAt: now - 700_000, expiresAt: now + 3_600_000 }, 600_000],
    ['for no time that has passed', { createdAt: now - 600_005, expiresAt: now + 10_000 }, 10_005],
  ])('rests %s', async (_, row, waitMs) => {
    const { runner, rows, calls, pass, settle } = await openRunner();
    await pass(now);
    rows.set('one', row);
    runner.wake('one');
    await settle();
    expect(calls.at(-1)).toBe(`give back one ${waitMs}`);
  });

  test('ends when its time is over, and the same turn announces the end', async () => {
    const { runner, rows, store, taken, calls, settle } = await openRunner();
    rows.set('one', { expiresAt: 0 });
    const ends: unknown[] = [];
    Object.assign(store.operations, {
      move: async (id: string, from: string, to: string) => {
        ends.push([id, from, to]);
        store.operations.find = async () => undefined as never;
        return true;
      },
    });
    runner.wake('one');
    await settle();
    expect(ends).toEqual([['one', 'waiting', 'expired']]);
    expect(taken).toEqual(['one']);
    expect(calls.at(-1)).toBe('give back one null');
  });
});

test.each([
  ['is sent to the approvers when nobody has voted on it', [], 1],
  ['is not sent to them when somebody has voted on it', [{ userId: 'U1', vote: 'approve', at: 0, isVoid: false }], 0],
  ['is sent to them when the only vote on it became void', [{ userId: 'U1', vote: 'approve', at: 0, isVoid: true }], 1],
])('after ten minutes a request %s', async (_, given, times) => {
  const { runner, store, rows, settle } = await openRunner();
  rows.set('one', { createdAt: -600_000, rule: { rule: { approve: 2, by: [] }, isSolo: false } });
  Object.assign(store.votes, { list: async () => given });
  const asked: object[] = [];
  // Notifying begins with a read of earlier notifications.
  const audit = { list: async (what: object) => asked.push(what) > 0 && [what] };
  Object.assign(store, { audit });
  runner.wake('one');
  await settle();
  expect(asked).toEqual(Array(times).fill({ operationId: 'one', kind: 'approvers_notified', limit: 1 }));
});

async function ask(line: string) {
  const bot = await startTestBot({ replicas: 1, engine: 'sqlite' });
  await bot.say('operator', line);
  await bot.settle();
  const [row] = await openOperations(bot.store);
  const id = row?.id ?? '';
  await untilItRests(bot, id);
  return { bot, id };
}

test('a request that is held does not begin by itself', async () => {
  const { bot, id } = await ask('restart web-1');
  const { operations, votes, turns } = bot.store;
  turns.claimDue = async () => [];
  await votes.cast({ operationId: id, userId: people.operator ?? '', vote: 'confirm' });
  await operations.move(id, 'waiting', 'approved');
  await operations.holdAll('The bot was offline.', bot.now());
  bot.replicas[0]?.wake(id);
  await bot.until(() => bot.story().includes('[waiting for "Continue"]'), 'the card');
  await untilItRests(bot, id);
  expect((await operations.find(id))?.state).toBe('approved');
});

test('the first step uses the check after the approval, and each later step has a separate check', async () => {
  const { bot } = await ask('restart web-1 web-2 db-1');
  let looks = 0;
  const { active } = bot.store.freezes;
  bot.store.freezes.active = async (now) => {
    looks += 1;
    return active(now);
  };
  await bot.press('operator', 'Confirm');
  await bot.settle();
  expect(bot.writes()).toHaveLength(3);
  expect(looks).toBe(3);
});

test('a step after a lost response that arrived late has a separate check', async () => {
  const { bot, id } = await ask('restart web-1 web-2');
  await bot.say('lead', 'freeze tag:prod "in doubt"');
  await bot.until(() => bot.story().includes('Frozen: in doubt'), 'the freeze');
  const { steps, operations, votes, turns } = bot.store;
  // The next turn of the request is the one below.
  turns.claimDue = async () => [];
  for (const [from, to] of [
    ['pending', 'running'],
    ['running', 'verifying'],
    ['verifying', 'done'],
  ] as const)
    await steps.move(id, 0, from, to);
  await votes.cast({ operationId: id, userId: people.operator ?? '', vote: 'confirm' });
  await operations.move(id, 'waiting', 'approved');
  await operations.move(id, 'approved', 'running');
  await operations.move(id, 'running', 'reading');
  bot.replicas[0]?.wake(id);
  await bot.settle();
  expect(bot.story()).toContain('1 of 2 done; not started: web-2, because tag:prod is frozen: in doubt');
  expect(bot.writes()).toEqual([]);
});
