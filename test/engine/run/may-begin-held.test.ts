import { describe, expect } from 'vitest';
import { policySchema } from '../../../src/core/policy/policy.ts';
import { hour, minute } from '../../../src/core/text/words.ts';
import { ops } from '../../support/bot/fake-slack.ts';
import { asked, moveRow, test, underWay, waitsOf } from '../asked.ts';
import { clickAndSettle, pressAndSettle, sayAndPress } from '../told.ts';

// Requests that wait for a time, or for a person: their audit entries, and their next turns.

const web2 = 'order:34-12399';
const paused = 'The bot is paused (HOSTLER_PAUSED) and begins nothing.';

test('a held request has one audit entry, and its next turn is due when its day ends', async () => {
  const { bot, id, row, wake } = await asked({ config: { isPaused: true } });
  const waits = waitsOf(bot, id);
  await bot.press('operator', 'Confirm');
  await bot.until(() => bot.story().includes('[waiting for "Continue"]'), 'the hold');
  await bot.until(() => waits.length === 1, 'the turn');
  expect(waits[0]).toBeGreaterThan(23 * hour);
  expect(waits[0]).toBeLessThanOrEqual(24 * hour);
  bot.skip(24 * hour - 500);
  wake();
  await bot.until(() => waits.length === 2, 'another turn');
  expect(waits[1]).toBe(1_000);
  const lines = await bot.store.audit.list({ operationId: id, kind: 'held', limit: 5 });
  expect(lines.map(({ data }) => data)).toEqual([{ text: `Restart web-1: ${paused}`, since: (await row())?.heldAt }]);
});

describe('a request that is held between two steps', () => {
  const first = 'POST /vps/34-12345/restart/';
  /** The first of two servers is done, and the second waits for a click, in a bot that is no longer paused. */
  const heldBetween = async () => {
    const { bot, id } = await underWay();
    bot.pause(true);
    await bot.crash();
    bot.sim.advance(minute);
    await bot.until(() => bot.story().includes('[waiting for "Continue"]'), 'the hold');
    expect(bot.story()).toContain(paused);
    await bot.until(async () => (await bot.store.locks.list()).length === 0, 'the lock to be released');
    bot.pause(false);
    await bot.crash();
    return { bot, id };
  };

  test('begins its next step after Continue and not after a start without the pause, with its server locked', async () => {
    const { bot, id } = await heldBetween();
    const waits = waitsOf(bot, id);
    bot.replicas[0]?.wake(id);
    await bot.until(() => waits.length > 0, 'the turn');
    expect(await bot.store.operations.find(id)).toMatchObject({ heldWhy: paused });
    expect(bot.writes()).toEqual([first]);
    await bot.press('operator', 'Continue');
    await bot.until(() => bot.writes().length === 2, 'the second restart');
    expect((await bot.store.locks.list()).find(({ target }) => target === web2)?.operationId).toBe(id);
  });

  test('can be stopped', async () => {
    const { bot, id } = await heldBetween();
    await clickAndSettle(bot, 'lead', { label: 'Stop', intent: { do: 'vote', operation: id, vote: 'stop' } });
    expect(bot.story()).toContain('1 of 2 done; not started: web-2, because @lead stopped it');
    expect(bot.writes()).toEqual([first]);
  });

  test('does not continue while another request has its server', async () => {
    const { bot, id } = await heldBetween();
    await sayAndPress(bot, 'lead', 'stop web-2');
    await bot.until(() => bot.writes().length === 2, 'the stop');
    await bot.press('operator', 'Continue');
    const end = async () => (await bot.store.operations.find(id))?.endText;
    await bot.until(async () => typeof (await end()) === 'string', 'its end');
    expect(await end()).toMatch(/1 of 2 done; not started: web-2, because web-2 is locked by .*Stop web-2/);
    expect(bot.writes()).toEqual([first, 'POST /vps/34-12399/stop/']);
  });

  test('ends with the name of a lost right, and not with that of the person who has the server', async () => {
    const { bot, id } = await heldBetween();
    await bot.store.locks.acquire([web2], { operationId: 'another', owner: 'U0LEAD', reason: 'Stop web-2' });
    await bot.store.operations.release(id, bot.now());
    await bot.savePolicy(ops, policySchema.parse({ grants: [{ to: ['everyone'], can: ['read'] }] }), 1);
    bot.replicas[0]?.wake(id);
    await bot.settle();
    expect(bot.story()).toContain('not started: web-2, because you need “operate”');
  });

  test('is not held while another step is under way: that server stays locked until its step has ended', async () => {
    const { bot, id, row } = await asked({ provider: { jobMs: hour } }, 'restart web-1 web-2 db-1 --parallel 2');
    await bot.press('operator', 'Confirm');
    const states = async () => (await bot.store.steps.list(id)).map(({ state }) => state);
    await bot.until(async () => (await states()).slice(0, 2).every((state) => state === 'accepted'), 'two steps');
    const ended = async (n: number) => {
      await bot.store.steps.move(id, n, 'accepted', 'verifying');
      await bot.store.steps.move(id, n, 'verifying', 'done');
    };
    bot.pause(true);
    await bot.crash();
    await ended(1);
    bot.replicas[0]?.wake(id);
    await bot.until(() => /web-2.*done/.test(bot.story()), 'the card');
    await bot.until(async () => (await row())?.turnOwner === null, 'the turn');
    expect((await row())?.heldAt).toBeNull();
    expect((await bot.store.locks.list()).map(({ target }) => target)).toContain('order:34-12345');
    await ended(0);
    bot.replicas[0]?.wake(id);
    await bot.until(() => bot.story().includes('[waiting for "Continue"]'), 'the hold');
    await bot.until(async () => (await bot.store.locks.list()).length === 0, 'the lock to be released');
    expect(bot.writes()).toHaveLength(2);
  });
});

test('a decided request that nobody ran for three days waits for Continue', async ({ bot, id }) => {
  await moveRow(bot, id, 'approved');
  await bot.pass(3 * 24 * hour);
  await bot.until(() => bot.story().includes('The bot was offline for 3 days.'), 'the card to say so');
  expect(bot.writes()).toEqual([]);
  expect(await bot.store.locks.list()).toEqual([]);
  await bot.press('reader', 'Continue');
  expect(bot.story()).toContain('(only @reader) You cannot continue this: only the person who asked can confirm this.');
  expect(bot.writes()).toEqual([]);
  await pressAndSettle(bot, 'operator', 'Continue');
  expect(bot.story()).toContain('[done in ‹time›]');
  expect(bot.writes()).toHaveLength(1);
  const kinds = (await bot.store.audit.list({ limit: 20 })).map((line) => line.kind);
  expect(kinds.filter((kind) => kind === 'held' || kind === 'continued')).toEqual(['continued', 'held']);
});
