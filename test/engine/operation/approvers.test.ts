import { expect, it } from 'vitest';
import { minute } from '../../../src/core/text/words.ts';
import { opsGroup, people } from '../../support/fake-slack.ts';
import { usualPolicy } from '../../support/policy.ts';
import { startTestBot, type TestBot } from '../../support/test-bot.ts';
import { mentionsIn, readView } from '../../support/view-text.ts';

const messagesOf = (bot: TestBot, kind: string) => bot.posted.filter(({ key }) => key.startsWith(`${kind}:`));
const cardOf = (bot: TestBot) => messagesOf(bot, 'card').at(-1)?.view;
const told = (bot: TestBot) => {
  const { view } = bot.posted.findLast(({ onlyFor }) => onlyFor !== undefined) ?? { view: undefined };
  return view === undefined ? '' : readView(view, bot.nameOf);
};

it('a card that waits for approval mentions who can approve, and the person who asked is a plain name', async () => {
  const bot = await startTestBot();
  await bot.say('operator', 'hard-reset web-1');
  await bot.settle();
  const view = cardOf(bot);
  expect(mentionsIn(view?.parts)).toEqual([opsGroup]);
  expect(view && readView(view, bot.nameOf)).toMatch(/\nNeeds 1 of: @ops or an admin\.\n· Asked by @operator · /);
  await bot.press('lead', 'Approve');
  await bot.settle();
  expect(mentionsIn(cardOf(bot)?.parts)).toEqual([people.operator, people.lead]);
});

it('only the button that approves something destructive is red', async () => {
  const bot = await startTestBot();
  await bot.say('operator', 'hard-reset web-1');
  await bot.settle();
  expect(bot.findButton('Approve').button.style).toBe('primary');
  await bot.say('operator', 'cancel wiki-1');
  await bot.settle();
  expect(bot.findButton('Approve').button.style).toBe('danger');
});

it('a card that waits for the confirmation of its requester mentions nobody', async () => {
  const bot = await startTestBot();
  await bot.say('operator', 'restart web-1');
  await bot.settle();
  expect(mentionsIn(cardOf(bot)?.parts)).toEqual([]);
});

it('a card mentions five approvers at most, never the requester, and the admins where the rule names nobody', async () => {
  const by = Array.from({ length: 8 }, (_, n) => `user:U0APPROVER${n}` as const);
  const policy = { ...usualPolicy(opsGroup), rules: {} };
  const own = `user:${people.operator}` as const;
  const many = { dangerous: { approve: 2, by: [own, ...by], typed: false } };
  const bot = await startTestBot({ policy: { ...policy, rules: many } });
  await bot.say('operator', 'hard-reset web-1');
  await bot.settle();
  expect(mentionsIn(cardOf(bot)?.parts)).toEqual([0, 1, 2, 3, 4].map((n) => `U0APPROVER${n}`));
  expect(cardOf(bot) && readView(cardOf(bot) ?? { summary: '', parts: [] }, bot.nameOf)).toContain(
    'Needs 2 of: @U0APPROVER0, @U0APPROVER1, @U0APPROVER2, @U0APPROVER3, @U0APPROVER4, 3 more or an admin.',
  );
  const other = await startTestBot({ policy });
  await other.say('operator', 'hard-reset web-1');
  await other.settle();
  expect(mentionsIn(cardOf(other)?.parts)).toEqual([people.admin]);
});

it('a card says how many more approvals it needs', async () => {
  const two = { dangerous: { approve: 2, by: [`group:${opsGroup}` as const], typed: false } };
  const bot = await startTestBot({ policy: { ...usualPolicy(opsGroup), rules: two } });
  await bot.say('operator', 'hard-reset web-1');
  await bot.press('lead', 'Approve');
  await bot.settle();
  const view = cardOf(bot);
  expect(view && readView(view, bot.nameOf)).toContain('Needs 1 more of: @ops or an admin.');
});

it('Remind approvers mentions the approvers in the thread, once in ten minutes, and says when that was', async () => {
  const bot = await startTestBot();
  await bot.say('operator', 'hard-reset web-1');
  await bot.press('operator', 'Remind approvers');
  await bot.settle();
  const [first] = messagesOf(bot, 'remind');
  expect(mentionsIn(first?.view.parts)).toEqual([opsGroup]);
  expect(first && readView(first.view, bot.nameOf)).toMatch(
    /^Hard reset web-1 still needs 1 approval: @ops or an admin can approve until /,
  );
  expect(first?.threadTs).toBe(messagesOf(bot, 'card')[0]?.ts);
  await bot.pass(9 * minute);
  await bot.press('operator', 'Remind approvers');
  expect(told(bot)).toMatch(/^The approvers were last reminded \d.*\. You can remind them again \d/);
  await bot.pass(2 * minute);
  await bot.press('operator', 'Remind approvers');
  await bot.settle();
  expect(messagesOf(bot, 'remind')).toHaveLength(2);
  expect((await bot.store.audit.list({ kind: 'reminded', limit: 9 })).map(({ actor }) => actor)).toEqual([
    people.operator,
    people.operator,
  ]);
});

it('only the requester or an admin can remind the approvers, and nobody after the decision', async () => {
  const bot = await startTestBot();
  await bot.say('operator', 'hard-reset web-1');
  const { button, message } = await bot
    .until(() => messagesOf(bot, 'card').length > 0)
    .then(() => bot.findButton('Remind approvers'));
  const place = bot.placeOfClick(message);
  await bot.click('reader', button, { place });
  expect(told(bot)).toBe('Only the person who asked, or an admin, can remind the approvers.\n[Show the request]');
  await bot.press('operator', 'Withdraw');
  await bot.settle();
  await bot.click('operator', button, { place });
  expect(told(bot)).toBe('This request no longer waits for an approval.\n[Show the request]');
  expect(messagesOf(bot, 'remind')).toEqual([]);
});

it('people who cannot approve their own request read who can, with a button that reminds the approvers', async () => {
  const bot = await startTestBot();
  await bot.say('operator', 'hard-reset web-1');
  await bot.press('operator', 'Approve');
  expect(told(bot)).toMatch(
    /somebody else must approve[\s\S]*\n@ops or an admin can approve it\.\n\[Remind approvers\]$/,
  );
  await bot.press('reader', 'Approve');
  expect(told(bot)).toMatch(/@ops or an admin can approve it\.\n\[Show the request\]$/);
});

it('a request that its requester confirmed and that was done at once gets one reply in the thread, which mentions nobody', async () => {
  const bot = await startTestBot();
  await bot.say('operator', 'restart web-1');
  await bot.press('operator', 'Confirm');
  await bot.settle();
  expect(messagesOf(bot, 'end').map(({ view }) => readView(view, bot.nameOf))).toEqual([
    'web-1 restarted; the power is on.',
  ]);
  expect(cardOf(bot) && readView(cardOf(bot) ?? { summary: '', parts: [] }, bot.nameOf)).toContain('web-1 restarted;');
});

it('after a lost response the end is posted in the thread, however soon it is known', async () => {
  const bot = await startTestBot({ timeScale: 0.001 });
  bot.sim.fault({ kind: 'lose', match: 'POST /vps/{order_id}/stop/', times: 1 });
  await bot.say('operator', 'stop web-1');
  await bot.press('operator', 'Confirm');
  await bot.settle();
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
  expect(end && readView(end.view, bot.nameOf)).toMatch(/web-1 (restarted|was reset)/);
});

it('a reply about a request that was not done mentions the requester', async () => {
  const bot = await startTestBot();
  await bot.say('operator', 'restart web-1');
  await bot.settle();
  await bot.pass(16 * minute);
  await bot.until(() => messagesOf(bot, 'end').length > 0);
  expect(mentionsIn(messagesOf(bot, 'end')[0]?.view.parts)).toEqual([people.operator]);
});
