import { describe, expect, test } from 'vitest';
import { policySchema } from '../../../src/core/policy/policy.ts';
import { ops, opsGroup } from '../../support/fake-slack.ts';
import { ticketPolicy } from '../../support/policy.ts';
import type { TestBot } from '../../support/test-bot.ts';
import { asked, waitsOf } from '../asked.ts';

// Requests that wait for a time, or for a person: their audit entries, and their next turns.

const minute = 60_000;
const hour = 60 * minute;
const web2 = 'order:34-12399';
const paused = 'The bot is paused (HOSTLER_PAUSED) and begins nothing.';

test('a held request has one audit entry, and its next turn is due when its day ends', async () => {
  const { bot, id, row, wake } = await asked({ isPaused: true });
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

test('a request that waits for the provider has a turn every ten seconds, and its card is drawn once for one reason', async () => {
  const { bot, id, wake } = await asked();
  const waits = waitsOf(bot, id);
  const reasons: unknown[] = [];
  const { patch } = bot.store.operations;
  bot.store.operations.patch = async (request, fields) => {
    reasons.push(fields.delayWhy);
    return patch(request, fields);
  };
  bot.sim.fault({ kind: 'answer', match: 'GET /orders/', status: 503, body: { detail: 'Maintenance.' } });
  await bot.press('operator', 'Confirm');
  await bot.until(() => bot.story().includes('Maintenance.'), 'the card to say so');
  await bot.until(() => waits.length === 1, 'the turn');
  wake();
  await bot.until(() => waits.length === 2, 'another turn');
  expect(waits).toEqual([10_000, 10_000]);
  expect(reasons).toEqual([expect.stringContaining('Maintenance.')]);
});

describe('after "Continue" between two steps', () => {
  /** The first of two servers is done, the second waits for a click in a bot that is no longer paused. */
  const heldBetween = async () => {
    const { bot, id } = await asked({ jobMs: minute }, 'restart web-1 web-2');
    await bot.press('operator', 'Confirm');
    await bot.until(() => bot.story().includes('· accepted'), 'the first step');
    bot.pause(true);
    await bot.crash();
    bot.sim.advance(minute);
    await bot.until(() => bot.story().includes('[waiting for "Continue"]'), 'the hold');
    bot.pause(false);
    await bot.crash();
    return { bot, id };
  };
  const lockOf = async (bot: TestBot, target: string) =>
    (await bot.store.locks.list()).find((lock) => lock.target === target)?.operationId;

  test('the servers of the request are locked again', async () => {
    const { bot, id } = await heldBetween();
    expect(await bot.store.locks.list()).toEqual([]);
    await bot.press('operator', 'Continue');
    await bot.until(() => bot.writes().length === 2, 'the second restart');
    expect(await lockOf(bot, web2)).toBe(id);
  });

  test('the next step is not started while another request has its server', async () => {
    const { bot, id } = await heldBetween();
    await bot.say('lead', 'stop web-2');
    await bot.press('lead', 'Confirm');
    await bot.until(() => bot.writes().length === 2, 'the stop');
    await bot.press('operator', 'Continue');
    const end = async () => (await bot.store.operations.find(id))?.endText;
    await bot.until(async () => typeof (await end()) === 'string', 'its end');
    expect(await end()).toMatch(/1 of 2 done; not started: web-2, because web-2 is locked by .*Stop web-2/);
    expect(bot.writes()).toEqual(['POST /vps/34-12345/restart/', 'POST /vps/34-12399/stop/']);
  });

  test('the end names a lost right, and not the person who has the server', async () => {
    const { bot, id } = await heldBetween();
    await bot.store.locks.acquire([web2], { operationId: 'another', owner: 'U0LEAD', reason: 'Stop web-2' });
    await bot.store.operations.release(id, bot.now());
    await bot.savePolicy(ops, policySchema.parse({ grants: [{ to: ['everyone'], can: ['read'] }] }), 1);
    bot.replicas[0]?.wake(id);
    await bot.settle();
    expect(bot.story()).toContain('not started: web-2, because you need “operate”');
  });
});

test('a paused bot begins nothing that is about more than the channel itself', async () => {
  const options = { isPaused: true, policy: ticketPolicy(opsGroup), publicUrl: 'https://bot.example' };
  const { bot } = await asked(options, 'ticket webhook set');
  await bot.press('operator', 'Confirm');
  await bot.until(() => bot.story().includes('[waiting for "Continue"]'), 'the hold');
  expect(bot.writes()).toEqual([]);
});
