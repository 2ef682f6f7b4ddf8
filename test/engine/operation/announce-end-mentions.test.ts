import { expect, it } from 'vitest';
import { people } from '../../support/bot/fake-slack.ts';
import { startTestBot } from '../../support/bot/test-bot.ts';
import { mentionsIn } from '../../support/bot/view-text.ts';
import { cardOf, confirm, messagesOf, wordsOf } from '../told.ts';

// The reply about an end mentions the requester, and no person who saw the end.

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
