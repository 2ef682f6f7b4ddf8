import { expect, it } from 'vitest';
import { minute } from '../../../src/core/text/words.ts';
import { people } from '../../support/fake-slack.ts';
import { startTestBot } from '../../support/test-bot.ts';
import { mentionsIn } from '../../support/view-text.ts';
import { cardOf, confirm, messagesOf, requested, wordsOf } from '../told.ts';

// The reply about an end mentions the requester, who may not have read the card, and nobody who saw the end.

it('a request that its requester confirmed and that was done at once gets one reply in the thread, which mentions nobody', async () => {
  const bot = await startTestBot();
  await confirm(bot, 'operator', 'restart web-1');
  expect(messagesOf(bot, 'end').map(({ view }) => wordsOf(bot, view))).toEqual(['web-1 restarted; the power is on.']);
  expect(cardOf(bot)).toContain('web-1 restarted;');
});

it('after a lost response the end is posted in the thread, however soon it is known', async () => {
  const bot = await startTestBot({ process: { timeScale: 0.001 } });
  bot.sim.fault({ kind: 'lose', match: 'POST /vps/{order_id}/stop/', times: 1 });
  await confirm(bot, 'operator', 'stop web-1');
  expect(messagesOf(bot, 'lost')).toHaveLength(1);
  expect(messagesOf(bot, 'end').map(({ view }) => mentionsIn(view.parts))).toEqual([[people.operator]]);
});

it.each([
  ['one’s own click, done after a minute', 'operator', minute],
  ['a click of somebody else', 'lead', 0],
] as const)('the thread mentions the requester: %s', async (_, who, lateMs) => {
  const bot = await startTestBot();
  await bot.say('operator', who === 'lead' ? 'hard-reset web-1' : 'restart web-1');
  await bot.press(who, who === 'lead' ? 'Approve' : 'Confirm');
  if (lateMs > 0) {
    await bot.until(() => bot.writes().length === 1, 'the write');
    bot.skip(lateMs);
  }
  await bot.settle();
  const [end] = messagesOf(bot, 'end');
  expect(mentionsIn(end?.view.parts)).toEqual([people.operator]);
  expect(wordsOf(bot, end?.view)).toMatch(/web-1 (restarted|was reset)/);
});

it('a reply about a request that was not done mentions the requester', async () => {
  const bot = await requested('restart web-1');
  await bot.pass(16 * minute);
  await bot.until(() => messagesOf(bot, 'end').length > 0);
  expect(mentionsIn(messagesOf(bot, 'end')[0]?.view.parts)).toEqual([people.operator]);
});
