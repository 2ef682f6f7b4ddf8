import { expect } from 'vitest';
import { hour, minute } from '../../../src/core/text/words.ts';
import { test } from '../../support/bot/test-bot.ts';
import { sayAndPress } from '../told.ts';

// "done" needs evidence of a change: an ended job, a transition, a value read back.

test('a restart is not verified when its job never ends, although the power is on', async ({ bot }) => {
  bot.sim.fault({ kind: 'nextJob', match: 'POST /vps/{order_id}/restart/', end: 'hang', times: 1 });
  await sayAndPress(bot, 'operator', 'restart web-1');
  await bot.until(() => bot.story().includes('accepted by the provider'));
  bot.skip(2 * hour + minute);
  await bot.settle();
  expect(bot.story()).toContain('[not verified]');
  expect(bot.transcript()).toMatch(/the provider's job has not ended in 2 h( 1 min)?( \d+ s)?; the power is on\./);
});
