import { expect, it } from 'vitest';
import type { ApproverNotice, Policy } from '../../../src/core/policy/policy.ts';
import { minute } from '../../../src/core/text/words.ts';
import { setNotifications } from '../../../src/engine/access/notifications.ts';
import { createPolicies } from '../../../src/engine/access/policies.ts';
import { ops, opsGroup, people } from '../../support/fake-slack.ts';
import { openOperations } from '../../support/open-operations.ts';
import { usualPolicy } from '../../support/policy.ts';
import { startTestBot, type TestBot } from '../../support/test-bot.ts';
import { mentionsIn, readView } from '../../support/view-text.ts';
import { passWithTurn } from '../pass-with-turn.ts';

/** `notify` of a rule: how the bot notifies the approvers of a request. */

function policyWith(notify: ApproverNotice | undefined): Policy {
  const rule = { approve: 1, by: [`group:${opsGroup}` as const], typed: false };
  return { ...usualPolicy(opsGroup), rules: { dangerous: notify === undefined ? rule : { ...rule, notify } } };
}

async function asked(notify: ApproverNotice | undefined): Promise<TestBot> {
  const bot = await startTestBot({ policy: policyWith(notify) });
  await bot.say('operator', 'hard-reset web-1');
  await bot.settle();
  return bot;
}

const of = (bot: TestBot, kind: string) => bot.posted.filter(({ key }) => key.startsWith(`${kind}:`));
const sentTo = (bot: TestBot, kind: string) => of(bot, kind).map(({ channel }) => bot.nameOf(channel));
const cardOf = (bot: TestBot) => of(bot, 'card').at(-1)?.view ?? { summary: '', parts: [] };
const told = (bot: TestBot) => {
  const { view } = bot.posted.findLast(({ onlyFor }) => onlyFor !== undefined) ?? { view: undefined };
  return view === undefined ? '' : readView(view, bot.nameOf);
};

it.each([undefined, 'mention'] as const)(
  'with notify %s, the card mentions the approvers, and after ten minutes they get a direct message',
  async (notify) => {
    const bot = await asked(notify);
    expect(mentionsIn(cardOf(bot).parts)).toEqual([opsGroup]);
    expect(of(bot, 'unanswered')).toEqual([]);
    await passWithTurn(bot, 11 * minute);
    expect(sentTo(bot, 'unanswered')).toEqual(['lead']);
  },
);

it('with notify dm, the approvers get a direct message at once, once, and the card shows their names without a mention', async () => {
  const bot = await asked('dm');
  await bot.until(() => of(bot, 'unanswered').length > 0, 'the direct message');
  expect(sentTo(bot, 'unanswered')).toEqual(['lead']);
  expect(readView(of(bot, 'unanswered')[0]?.view ?? cardOf(bot), bot.nameOf)).toMatch(
    /^Hard reset web-1, asked by @operator in #ops, has waited for approval since .*\n.*\n\[Review…\] \[Notifications…\]$/,
  );
  expect(mentionsIn(cardOf(bot).parts)).toEqual([]);
  expect(readView(cardOf(bot), bot.nameOf)).toContain('\nNeeds 1 of: @ops or an admin.\n');
  await passWithTurn(bot, 11 * minute);
  expect(sentTo(bot, 'unanswered')).toEqual(['lead']);
  // Each new drawing of the waiting card keeps the plain names.
  await bot.restart();
  await passWithTurn(bot, 11 * minute);
  expect(mentionsIn(cardOf(bot).parts)).toEqual([]);
  await bot.press('lead', 'Approve');
  await bot.settle();
  expect(bot.writes()).toEqual(['POST /vps/34-12345/hard_reset/']);
});

it('with notify dm, Remind approvers sends the direct message again, once in ten minutes', async () => {
  const bot = await asked('dm');
  await bot.press('operator', 'Remind approvers');
  await bot.settle();
  expect(sentTo(bot, 'remind')).toEqual(['lead']);
  expect(of(bot, 'remind')[0]?.threadTs).toBeNull();
  expect(told(bot)).toBe('A direct message was sent to 1 approver. You can remind them again in 10 minutes.');
  await bot.press('operator', 'Remind approvers');
  await bot.settle();
  expect(sentTo(bot, 'remind')).toEqual(['lead']);
});

it('with notify dm and no approver who accepts direct messages, the thread of the card mentions them, once', async () => {
  const bot = await startTestBot({ policy: policyWith('dm') });
  await setNotifications(bot, people.lead ?? '', { isOn: false });
  await bot.say('operator', 'hard-reset web-1');
  await bot.until(() => of(bot, 'unanswered').length > 0, 'the mention');
  await passWithTurn(bot, 11 * minute);
  const [mention, ...more] = of(bot, 'unanswered');
  expect(more).toEqual([]);
  expect(mention).toMatchObject({ channel: ops, threadTs: of(bot, 'card')[0]?.ts });
  expect(mentionsIn(mention?.view.parts ?? [])).toEqual([opsGroup]);
  expect(mention && readView(mention.view, bot.nameOf)).toMatch(
    /^Hard reset web-1 needs 1 approval: @ops or an admin can approve until .*\. No approver could be sent a direct message, so they are mentioned here\.$/,
  );
  await bot.press('operator', 'Remind approvers');
  await bot.settle();
  expect(told(bot)).toBe(
    'No approver could be sent a direct message. The approvers were reminded in the thread of the card. You can remind them again in 10 minutes.',
  );
  expect(mentionsIn(of(bot, 'remind')[0]?.view.parts ?? [])).toEqual([opsGroup]);
  // An approver who accepts direct messages again gets one.
  await setNotifications(bot, people.lead ?? '', { isOn: true });
  await passWithTurn(bot, 11 * minute);
  expect(sentTo(bot, 'unanswered')).toContain('lead');
});

it('with notify none, neither the card nor a message notifies the approvers, and there is no button to remind them', async () => {
  const bot = await asked('none');
  const { button } = await asked(undefined).then((other) => other.findButton('Remind approvers'));
  expect(mentionsIn(cardOf(bot).parts)).toEqual([]);
  expect(readView(cardOf(bot), bot.nameOf)).toContain('\nNeeds 1 of: @ops or an admin.\n');
  expect(readView(cardOf(bot), bot.nameOf)).not.toContain('Remind');
  await bot.press('operator', 'Approve');
  expect(told(bot)).toMatch(/somebody else must approve/);
  expect(told(bot)).not.toContain('Remind');
  await passWithTurn(bot, 11 * minute);
  expect(of(bot, 'unanswered')).toEqual([]);
  const [row] = await openOperations(bot.store);
  await bot.click('operator', { ...button, intent: { do: 'remind', operation: row?.id ?? '' } });
  expect(told(bot)).toMatch(/^The rule of this channel notifies no approver: talk to one of them\./);
  expect(of(bot, 'remind')).toEqual([]);
});

it('a change of notify does not make a rule stricter: a decided request runs', async () => {
  const bot = await startTestBot({ policy: policyWith(undefined), isPaused: true });
  await bot.say('operator', 'hard-reset web-1');
  await bot.press('lead', 'Approve');
  expect(await bot.savePolicy(ops, { ...policyWith('none'), version: 1 }, 1)).toBe(true);
  bot.pause(false);
  await bot.restart();
  await bot.press('lead', 'Continue');
  await bot.until(() => bot.writes().length > 0, 'the write');
  await bot.settle();
  expect(of(bot, 'card')).toHaveLength(1);
});

it('notify is set by a typed line and in the dialog, shown with the rule, and reset by leaving it out', async () => {
  const bot = await startTestBot({ policy: policyWith(undefined), replicas: 1 });
  const rule = async () => (await createPolicies(bot.store, bot.directory).get(ops))?.rules.dangerous;
  await bot.say('admin', 'access rule dangerous approve 1 by=@ops notify=dm');
  await bot.settle();
  expect(bot.story()).toContain(
    'Rule for dangerous: one approval from @ops or an admin → one approval from @ops or an admin, notified by direct message',
  );
  await bot.press('admin', 'Confirm');
  await bot.settle();
  expect(await rule()).toEqual({ approve: 1, by: [`group:${opsGroup}`], typed: false, notify: 'dm' });
  await bot.say('admin', 'access');
  expect(bot.story()).toContain('dangerous: one approval from @ops or an admin, notified by direct message');

  const form = await bot.open('admin', { button: 'Rule…' });
  const fields = 'fields' in form ? form.fields : [];
  expect(fields.find(({ name }) => name === 'notify')).toMatchObject({
    widget: 'choice',
    initial: 'mention',
    options: [{ value: 'mention' }, { value: 'dm' }, { value: 'none' }],
  });
  const values = { risk: 'dangerous', rule: 'approve 1', by: [people.lead ?? ''], notify: 'none' };
  expect(await bot.submit('admin', form, values)).toEqual({ kind: 'accepted' });
  await bot.press('admin', 'Confirm');
  await bot.settle();
  expect(await rule()).toEqual({ approve: 1, by: [`user:${people.lead}`], typed: false, notify: 'none' });

  await bot.say('admin', 'access rule dangerous approve 1 by=@ops');
  await bot.press('admin', 'Confirm');
  await bot.settle();
  expect(await rule()).toEqual({ approve: 1, by: [`group:${opsGroup}`], typed: false });
  await bot.say('admin', 'access rule dangerous approve 1 by @ops notify none');
  await bot.press('admin', 'Confirm');
  await bot.settle();
  expect(await rule()).toMatchObject({ by: [`group:${opsGroup}`], notify: 'none' });
  for (const passedOver of ['approve 1 notfiy=dm', 'approve 1 dm', 'confirm dm']) {
    await bot.say('admin', `access rule dangerous ${passedOver}`);
    expect(told(bot)).toMatch(/is not a rule\. Write none|has no option notfiy/);
  }
  await bot.say('admin', 'access rule dangerous confirm notify=dm');
  expect(told(bot)).toMatch(/^With the rule confirm there are no approvers to notify\./);
});
