import { expect, it } from 'vitest';
import type { ApproverNotice, Policy } from '../../../src/core/policy/policy.ts';
import { minute } from '../../../src/core/text/words.ts';
import { setNotifications } from '../../../src/engine/access/notifications.ts';
import { ops, opsGroup, people } from '../../support/bot/fake-slack.ts';
import { openOperations } from '../../support/bot/open-operations.ts';
import { usualPolicy } from '../../support/bot/policy.ts';
import { startTestBot, type TestBot } from '../../support/bot/test-bot.ts';
import { mentionsIn } from '../../support/bot/view-text.ts';
import { passWithTurn } from '../pass-with-turn.ts';
import { cardOf, confirm, formIn, messagesOf, policyOf, pressAndSettle, requested, told, wordsOf } from '../told.ts';

/** `notify` of a rule: how the bot notifies the approvers of a request. */

function policyWith(notify: ApproverNotice | undefined): Policy {
  const rule = { approve: 1, by: [`group:${opsGroup}` as const], typed: false };
  return { ...usualPolicy(opsGroup), rules: { dangerous: notify === undefined ? rule : { ...rule, notify } } };
}

const asked = (notify: ApproverNotice | undefined) => requested('hard-reset web-1', { policy: policyWith(notify) });
const sentTo = (bot: TestBot, kind: string) => messagesOf(bot, kind).map(({ channel }) => bot.nameOf(channel));
const mentioned = (bot: TestBot) => mentionsIn(messagesOf(bot, 'card').at(-1)?.view.parts ?? []);

it.each([undefined, 'mention'] as const)(
  'with notify %s, the card mentions the approvers, and after ten minutes they get a direct message',
  async (notify) => {
    const bot = await asked(notify);
    expect(mentioned(bot)).toEqual([opsGroup]);
    expect(messagesOf(bot, 'unanswered')).toEqual([]);
    await passWithTurn(bot, 11 * minute);
    expect(sentTo(bot, 'unanswered')).toEqual(['lead']);
  },
);

it('with notify dm, the approvers get a direct message at once, once, and the card shows their names without a mention', async () => {
  const bot = await asked('dm');
  await bot.until(() => messagesOf(bot, 'unanswered').length > 0, 'the direct message');
  expect(sentTo(bot, 'unanswered')).toEqual(['lead']);
  expect(wordsOf(bot, messagesOf(bot, 'unanswered')[0]?.view)).toMatch(
    /^Hard reset web-1, asked by @operator in #ops, has waited for approval since .*\n.*\n\[Review…\] \[Notifications…\]$/,
  );
  expect(mentioned(bot)).toEqual([]);
  expect(cardOf(bot)).toContain('\nNeeds 1 of: @ops or an admin.\n');
  await passWithTurn(bot, 11 * minute);
  expect(sentTo(bot, 'unanswered')).toEqual(['lead']);
  // Each new drawing of the waiting card keeps the plain names.
  await bot.restart();
  await passWithTurn(bot, 11 * minute);
  expect(mentioned(bot)).toEqual([]);
  await pressAndSettle(bot, 'lead', 'Approve');
  expect(bot.writes()).toEqual(['POST /vps/34-12345/hard_reset/']);
});

it('with notify dm, Remind approvers sends the direct message again, once in ten minutes', async () => {
  const bot = await asked('dm');
  await pressAndSettle(bot, 'operator', 'Remind approvers');
  expect(sentTo(bot, 'remind')).toEqual(['lead']);
  expect(messagesOf(bot, 'remind')[0]?.threadTs).toBeNull();
  expect(told(bot)).toBe('A direct message was sent to 1 approver. You can remind them again in 10 minutes.');
  await pressAndSettle(bot, 'operator', 'Remind approvers');
  expect(sentTo(bot, 'remind')).toEqual(['lead']);
});

it('with notify dm and no approver who accepts direct messages, the thread of the card mentions them, once', async () => {
  const bot = await startTestBot({ policy: policyWith('dm') });
  await setNotifications(bot, people.lead ?? '', { isOn: false });
  await bot.say('operator', 'hard-reset web-1');
  await bot.until(() => messagesOf(bot, 'unanswered').length > 0, 'the mention');
  await passWithTurn(bot, 11 * minute);
  const [mention, ...more] = messagesOf(bot, 'unanswered');
  expect(more).toEqual([]);
  expect(mention).toMatchObject({ channel: ops, threadTs: messagesOf(bot, 'card')[0]?.ts });
  expect(mentionsIn(mention?.view.parts ?? [])).toEqual([opsGroup]);
  expect(wordsOf(bot, mention?.view)).toMatch(
    /^Hard reset web-1 needs 1 approval: @ops or an admin can approve until .*\. No approver could be sent a direct message, so they are mentioned here\.$/,
  );
  await pressAndSettle(bot, 'operator', 'Remind approvers');
  expect(told(bot)).toBe(
    'No approver could be sent a direct message. The approvers were reminded in the thread of the card. You can remind them again in 10 minutes.',
  );
  expect(mentionsIn(messagesOf(bot, 'remind')[0]?.view.parts ?? [])).toEqual([opsGroup]);
  // An approver who accepts direct messages again gets one.
  await setNotifications(bot, people.lead ?? '', { isOn: true });
  await passWithTurn(bot, 11 * minute);
  expect(sentTo(bot, 'unanswered')).toContain('lead');
});

it('with notify none, neither the card nor a message notifies the approvers, and there is no button to remind them', async () => {
  const bot = await asked('none');
  expect(mentioned(bot)).toEqual([]);
  expect(cardOf(bot)).toContain('\nNeeds 1 of: @ops or an admin.\n');
  expect(cardOf(bot)).not.toContain('Remind');
  await bot.press('operator', 'Approve');
  expect(told(bot)).toMatch(/somebody else must approve/);
  expect(told(bot)).not.toContain('Remind');
  await passWithTurn(bot, 11 * minute);
  expect(messagesOf(bot, 'unanswered')).toEqual([]);
  const [row] = await openOperations(bot.store);
  await bot.click('operator', { label: '', intent: { do: 'remind', operation: row?.id ?? '' } });
  expect(told(bot)).toMatch(/^The rule of this channel notifies no approver: talk to one of them\./);
  expect(messagesOf(bot, 'remind')).toEqual([]);
});

it('a change of notify does not make a rule stricter: a decided request runs', async () => {
  const bot = await requested('hard-reset web-1', { policy: policyWith(undefined), config: { isPaused: true } });
  await bot.press('lead', 'Approve');
  expect(await bot.savePolicy(ops, { ...policyWith('none'), version: 1 }, 1)).toBe(true);
  bot.pause(false);
  await bot.restart();
  await bot.press('lead', 'Continue');
  await bot.until(() => bot.writes().length > 0, 'the write');
  await bot.settle();
  expect(messagesOf(bot, 'card')).toHaveLength(1);
});

it('notify is set by a typed line and in the dialog, shown with the rule, and reset by leaving it out', async () => {
  const bot = await startTestBot({ policy: policyWith(undefined) });
  const rule = async () => (await policyOf(bot))?.rules.dangerous;
  await bot.say('admin', 'access rule dangerous approve 1 by=@ops notify=dm');
  expect(bot.story()).toContain(
    'Rule for dangerous: one approval from @ops or an admin → one approval from @ops or an admin, notified by direct message',
  );
  await pressAndSettle(bot, 'admin', 'Confirm');
  expect(await rule()).toEqual({ approve: 1, by: [`group:${opsGroup}`], typed: false, notify: 'dm' });
  await bot.say('admin', 'access');
  expect(bot.story()).toContain('dangerous: one approval from @ops or an admin, notified by direct message');
  const form = await bot.open('admin', { button: 'Rule…' });
  expect(formIn(form).fields.find(({ name }) => name === 'notify')).toMatchObject({
    initial: 'mention',
    options: [{ value: 'mention' }, { value: 'dm' }, { value: 'none' }],
  });
  const values = { risk: 'dangerous', rule: 'approve 1', by: [people.lead ?? ''], notify: 'none' };
  expect(await bot.submit('admin', form, values)).toEqual({ kind: 'accepted' });
  await pressAndSettle(bot, 'admin', 'Confirm');
  expect(await rule()).toEqual({ approve: 1, by: [`user:${people.lead}`], typed: false, notify: 'none' });
  await confirm(bot, 'admin', 'access rule dangerous approve 1 by=@ops');
  expect(await rule()).toEqual({ approve: 1, by: [`group:${opsGroup}`], typed: false });
  await confirm(bot, 'admin', 'access rule dangerous approve 1 by @ops notify none');
  expect(await rule()).toMatchObject({ by: [`group:${opsGroup}`], notify: 'none' });
  for (const passedOver of ['approve 1 notfiy=dm', 'approve 1 dm', 'confirm dm']) {
    await bot.say('admin', `access rule dangerous ${passedOver}`);
    expect(told(bot)).toMatch(/is not a rule\. Write none|has no option notfiy/);
  }
  await bot.say('admin', 'access rule dangerous confirm notify=dm');
  expect(told(bot)).toMatch(/^With the rule confirm there are no approvers to notify\./);
});
