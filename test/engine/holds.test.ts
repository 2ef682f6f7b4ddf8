import { expect, test } from 'vitest';
import { asked, waitsOf } from './asked.ts';

// Requests that wait for a moment, or for a person: what is recorded of it, and when they are looked at again.

const hour = 3_600_000;
const paused = 'The bot is paused (HOSTLER_PAUSED) and begins nothing.';

test('a held request is recorded once, and is looked at again when its day ends', async () => {
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

test('a request that waits for the provider is looked at every ten seconds, and its card is drawn once for one reason', async () => {
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
