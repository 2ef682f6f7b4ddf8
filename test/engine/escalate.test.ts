import { expect, it } from 'vitest';
import { type Approval, approvalSchema, type Policy } from '../../src/core/policy/policy.ts';
import { minute } from '../../src/core/text/words.ts';
import { createPolicies } from '../../src/engine/access/policies.ts';
import { ops, opsGroup, people } from '../support/fake-slack.ts';
import { openOperations } from '../support/open-operations.ts';
import { usualPolicy } from '../support/policy.ts';
import { startTestBot, type TestBot, type TestBotOptions } from '../support/test-bot.ts';
import { mentionsIn, readView } from '../support/view-text.ts';
import { passWithTurn } from './pass-with-turn.ts';

/** `escalate` of a rule: after a time without a decision, a second group may approve, too, and is asked. */

const leads = 'S0LEADS';

function policyWith(more: Partial<Approval> = {}): Policy {
  const rule = {
    approve: 1,
    by: [`user:${people.lead}` as const],
    typed: false,
    escalate: { after: '30m', to: [`group:${leads}` as const] },
    ...more,
  };
  return { ...usualPolicy(opsGroup), rules: { dangerous: rule } };
}

async function asked(options: TestBotOptions = {}): Promise<TestBot> {
  const bot = await startTestBot({ policy: policyWith(), ...options });
  bot.groups.set(leads, new Set([people.reader ?? '']));
  await bot.say('operator', 'hard-reset web-1');
  await bot.settle();
  return bot;
}

const of = (bot: TestBot, kind: string) => bot.posted.filter(({ key }) => key.startsWith(`${kind}:`));
const cardOf = (bot: TestBot) => {
  const card = of(bot, 'card').at(-1);
  return card === undefined ? '' : readView(card.view, bot.nameOf);
};
const told = (bot: TestBot) => {
  const view = bot.posted.findLast(({ onlyFor }) => onlyFor !== undefined)?.view;
  return view === undefined ? '' : readView(view, bot.nameOf);
};
const entries = (bot: TestBot) => bot.store.audit.list({ kind: 'escalated', limit: 9 });

async function passEscalation(bot: TestBot): Promise<void> {
  await passWithTurn(bot, 31 * minute);
  await bot.until(async () => (await entries(bot)).length > 0, 'the escalation');
  await bot.settle();
}

it('the second group may not approve before the time, and the card says from when, without a mention', async () => {
  const bot = await asked();
  await passWithTurn(bot, 20 * minute);
  await bot.press('reader', 'Approve');
  expect(told(bot)).toMatch(/^You cannot approve this: only an approver of this channel may do this\./);
  expect(cardOf(bot)).toMatch(/\nNeeds 1 of: @lead or an admin\. From \d.*, a user group may approve, too\.\n/);
  expect(mentionsIn(of(bot, 'card')[0]?.view.parts ?? [])).not.toContain(leads);
  expect(of(bot, 'escalate')).toEqual([]);
});

it('after the time the second group is asked once and may approve, and the request runs', async () => {
  const bot = await asked();
  await passEscalation(bot);
  const [message, ...others] = of(bot, 'escalate');
  expect(others).toEqual([]);
  expect(message).toMatchObject({ threadTs: of(bot, 'card')[0]?.ts });
  expect(mentionsIn(message?.view.parts ?? [])).toEqual([leads]);
  expect(message && readView(message.view, bot.nameOf)).toMatch(
    /^Hard reset web-1 was not decided within 30 min: @S0LEADS may approve it as well until .*\.$/,
  );
  expect(cardOf(bot)).toContain('or an admin. It was not decided in time, so more people may approve.');
  await bot.restart();
  await passWithTurn(bot, 20 * minute);
  expect(of(bot, 'escalate')).toHaveLength(1);
  await bot.press('reader', 'Approve');
  await bot.settle();
  // The rule of the channel is the same: the added approvers do not make it a stricter one.
  expect(bot.writes()).toEqual(['POST /vps/34-12345/hard_reset/']);
});

it('a request that was decided in time is not escalated', async () => {
  const bot = await asked();
  await bot.press('lead', 'Approve');
  await bot.settle();
  await bot.pass(40 * minute);
  await bot.settle();
  expect(of(bot, 'escalate')).toEqual([]);
});

it('with notify dm the second group gets direct messages, which lose their button at the end', async () => {
  const bot = await asked({ policy: policyWith({ notify: 'dm' }) });
  await passEscalation(bot);
  expect(of(bot, 'escalate').map(({ channel }) => bot.nameOf(channel))).toEqual(['reader']);
  await bot.press('lead', 'Approve');
  await bot.settle();
  const said = () => of(bot, 'escalate').map(({ view }) => readView(view, bot.nameOf));
  await bot.until(() => said().some((words) => words.includes('no longer waits')), 'the edit');
});

it('two replicas escalate a request once', async () => {
  const bot = await asked({ replicas: 2 });
  const [row] = await openOperations(bot.store);
  bot.skip(31 * minute);
  for (const replica of bot.replicas) replica.wake(row?.id ?? '');
  await bot.until(async () => (await entries(bot)).length > 0, 'the escalation');
  await bot.restart();
  await passWithTurn(bot, 5 * minute);
  expect([of(bot, 'escalate').length, (await entries(bot)).length]).toEqual([1, 1]);
});

it('a changed second group is a stricter rule: the request asks again', async () => {
  const bot = await asked({ isPaused: true });
  await passEscalation(bot);
  await bot.press('reader', 'Approve');
  const other = policyWith({ escalate: { after: '30m', to: [`user:${people.operator}`] } });
  expect(await bot.savePolicy(ops, { ...other, version: 1 }, 1)).toBe(true);
  bot.pause(false);
  await bot.restart();
  await bot.press('reader', 'Continue');
  await bot.until(() => of(bot, 'card').length > 1, 'the new card');
  await bot.settle();
  expect(bot.writes()).toEqual([]);
});

it('escalate is set by a typed line, and the rule says it', async () => {
  const bot = await startTestBot({ replicas: 1 });
  await bot.say('admin', 'access rule dangerous approve 1 by=@lead escalate=@ops after=45m');
  await bot.settle();
  expect(bot.story()).toContain('one approval from @lead or an admin, after 45m also from @ops');
  await bot.press('admin', 'Confirm');
  await bot.settle();
  const { rules } = (await createPolicies(bot.store, bot.directory).get(ops)) ?? {};
  expect(rules?.dangerous).toMatchObject({ escalate: { after: '45m', to: [`group:${opsGroup}`] } });
  await bot.say('operator', 'why hard-reset web-1');
  expect(told(bot)).toContain('after 45m also from @ops');
  await bot.say('admin', 'access rule routine confirm escalate=@ops');
  expect(told(bot)).toMatch(/^With the rule confirm there are no approvers to notify\. Leave escalate out/);
});

it.each([
  ['30m', true],
  ['23h', true],
  ['5m', false],
  ['2d', false],
  ['soon', false],
])('an escalation after %s is a rule: %s', (after, isOne) => {
  const rule = { approve: 1, escalate: { after, to: ['group:S0LEADS'] } };
  expect(approvalSchema.safeParse(rule).success).toBe(isOne);
});
