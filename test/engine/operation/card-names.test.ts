import { expect, it } from 'vitest';
import { opsGroup, people } from '../../support/bot/fake-slack.ts';
import { usualPolicy } from '../../support/bot/policy.ts';
import { startTestBot, type TestBot } from '../../support/bot/test-bot.ts';
import { mentionsIn } from '../../support/bot/view-text.ts';
import { cardOf, messagesOf, pressAndSettle, requested, sayAndSettle } from '../told.ts';

const partsOf = (bot: TestBot) => messagesOf(bot, 'card').at(-1)?.view.parts;

it('a card that waits for approval mentions who can approve, and the person who asked is a plain name', async () => {
  const bot = await requested('hard-reset web-1');
  expect(mentionsIn(partsOf(bot))).toEqual([opsGroup]);
  expect(cardOf(bot)).toMatch(/\nNeeds 1 of: @ops or an admin\.\n· Asked by @operator · /);
  expect(bot.findButton('Approve').button.style).toBe('primary');
  await pressAndSettle(bot, 'lead', 'Approve');
  expect(mentionsIn(partsOf(bot))).toEqual([people.operator, people.lead]);
  // Only the button that approves something destructive is red.
  await sayAndSettle(bot, 'operator', 'cancel wiki-1');
  expect(bot.findButton('Approve').button.style).toBe('danger');
  // A card that waits for the confirmation of its requester mentions nobody.
  await sayAndSettle(bot, 'operator', 'restart web-2');
  expect(mentionsIn(partsOf(bot))).toEqual([]);
});

it('a card mentions five approvers at most, never the requester, and the admins where the rule names nobody', async () => {
  const by = Array.from({ length: 8 }, (_, n) => `user:U0APPROVER${n}` as const);
  const policy = { ...usualPolicy(opsGroup), rules: {} };
  const own = `user:${people.operator}` as const;
  const many = { dangerous: { approve: 2, by: [own, ...by], typed: false } };
  const bot = await requested('hard-reset web-1', { policy: { ...policy, rules: many } });
  expect(mentionsIn(partsOf(bot))).toEqual([0, 1, 2, 3, 4].map((n) => `U0APPROVER${n}`));
  expect(cardOf(bot)).toContain(
    'Needs 2 of: @U0APPROVER0, @U0APPROVER1, @U0APPROVER2, @U0APPROVER3, @U0APPROVER4, 3 more or an admin.',
  );
  const other = await startTestBot({ policy });
  await sayAndSettle(other, 'operator', 'hard-reset web-1');
  expect(mentionsIn(partsOf(other))).toEqual([people.admin]);
});
