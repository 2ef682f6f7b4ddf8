import { describe, expect, test } from 'vitest';
import { asked, moveRow } from '../asked.ts';
import { untilItRests } from '../pass-with-turn.ts';
import { pressAndSettle } from '../told.ts';
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
    const { rows, calls, pass, wake } = await openRunner();
    await pass(now);
    rows.set('one', row);
    await wake('one');
    expect(calls.at(-1)).toBe(`give back one ${waitMs}`);
  });
});

test.each([
  ['is sent to the approvers when nobody has voted on it', [], 1],
  ['is not sent to them when somebody has voted on it', [{ userId: 'U1', vote: 'approve', at: 0, isVoid: false }], 0],
  ['is sent to them when the only vote on it became void', [{ userId: 'U1', vote: 'approve', at: 0, isVoid: true }], 1],
])('after ten minutes a request %s', async (_, given, times) => {
  const { store, rows, wake } = await openRunner();
  rows.set('one', { createdAt: -600_000, rule: { rule: { approve: 2, by: [] }, isSolo: false } });
  Object.assign(store.votes, { list: async () => given });
  const asked: object[] = [];
  // Notifying begins with a read of earlier notifications.
  const audit = { list: async (what: object) => asked.push(what) > 0 && [what] };
  Object.assign(store, { audit });
  await wake('one');
  expect(asked).toEqual(Array(times).fill({ operationId: 'one', kind: 'approvers_notified', limit: 1 }));
});

test('the first step uses the check after the approval, and each later step has a separate check', async () => {
  const { bot } = await asked({}, 'restart web-1 web-2 db-1');
  let looks = 0;
  const { active } = bot.store.freezes;
  bot.store.freezes.active = async (now) => {
    looks += 1;
    return active(now);
  };
  await pressAndSettle(bot, 'operator', 'Confirm');
  expect(bot.writes()).toHaveLength(3);
  expect(looks).toBe(3);
});

test('a step after a lost response that arrived late has a separate check', async () => {
  const { bot, id, wake } = await asked({}, 'restart web-1 web-2');
  await untilItRests(bot, id);
  await bot.say('lead', 'freeze tag:prod "in doubt"');
  await bot.until(() => bot.story().includes('Frozen: in doubt'), 'the freeze');
  const { steps, turns } = bot.store;
  // The next turn of the request is the one below.
  turns.claimDue = async () => [];
  const states = ['pending', 'running', 'verifying', 'done'] as const;
  for (const n of [1, 2, 3]) await steps.move(id, 0, states[n - 1] ?? 'pending', states[n] ?? 'done');
  await moveRow(bot, id, 'approved', 'running', 'reading');
  wake();
  await bot.settle();
  expect(bot.story()).toContain('1 of 2 done; not started: web-2, because tag:prod is frozen: in doubt');
  expect(bot.writes()).toEqual([]);
});
