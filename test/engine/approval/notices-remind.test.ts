import { test as base, expect } from 'vitest';
import type { Approval, Policy } from '../../../src/core/policy/policy.ts';
import { hour, minute } from '../../../src/core/text/words.ts';
import { setNotifications } from '../../../src/engine/access/notifications.ts';
import { approveWithinMs } from '../../../src/engine/context/time-limits.ts';
import { opsGroup, people } from '../../support/bot/fake-slack.ts';
import { openOperations } from '../../support/bot/open-operations.ts';
import { usualPolicy } from '../../support/bot/policy.ts';
import { startTestBot, type TestBot, type TestBotOptions } from '../../support/bot/test-bot.ts';
import { mentionsIn } from '../../support/bot/view-text.ts';
import { passWithTurn, untilItRests } from '../pass-with-turn.ts';
import { messagesOf, pressAndSettle, requested, sayAndSettle, told, wordsOf } from '../told.ts';

/** Approvers whose vote is missing are reminded at half of the time of a request, and the admins at three quarters. */

const { lead, reader } = people;
const half = approveWithinMs / 2;

function approvedBy(more: Partial<Approval> = {}): Policy {
  const by = [`user:${lead}` as const, `user:${reader}` as const];
  const rule = { approve: 1, by, typed: false, ...more };
  return { ...usualPolicy(opsGroup), rules: { dangerous: rule, destructive: rule } };
}

const asked = (options: TestBotOptions = {}) => requested('hard-reset web-1', { policy: approvedBy(), ...options });
const it = base.extend('bot', () => asked());

const reminders = (bot: TestBot) => bot.posted.filter(({ key }) => /^remind:[^:]+:(half|admins):/.test(key));
const reminded = (bot: TestBot, time: 'half' | 'admins') =>
  reminders(bot)
    .filter(({ key }) => key.includes(`:${time}:`))
    .map(({ channel }) => bot.nameOf(channel))
    .toSorted();
const entries = (bot: TestBot) => bot.store.audit.list({ kind: 'approver_reminded', limit: 9 });

it('approvers are reminded at half of the time, the admins at three quarters, and once each', async ({ bot }) => {
  await passWithTurn(bot, half - minute);
  expect(reminders(bot)).toEqual([]);
  await passWithTurn(bot, 2 * minute);
  expect(reminded(bot, 'half')).toEqual(['lead', 'reader']);
  const [first] = reminders(bot);
  expect(wordsOf(bot, first?.view)).toMatch(
    /^Hard reset web-1, asked by @operator in #ops, still waits for your approval\. It expires .*\.\n· .+\n\[Review…\] \[Notifications…\]$/,
  );
  await passWithTurn(bot, half / 2 - 2 * minute);
  expect(reminded(bot, 'admins')).toEqual([]);
  await passWithTurn(bot, 2 * minute);
  await passWithTurn(bot, approveWithinMs / 4 - 5 * minute);
  expect([reminded(bot, 'half'), reminded(bot, 'admins')]).toEqual([['lead', 'reader'], ['admin']]);
  expect(await entries(bot)).toHaveLength(3);
});

it('the row of a request is due at its reminder, so that any process sends it', async ({ bot }) => {
  const [row] = await openOperations(bot.store);
  await untilItRests(bot, row?.id ?? '');
  bot.skip(half + minute);
  await bot.until(() => reminders(bot).length === 2, 'the reminders');
});

it('only those whose vote is missing are reminded, and after the decision their message has no button', async () => {
  const bot = await asked({ policy: approvedBy({ approve: 2 }) });
  await bot.press('lead', 'Approve');
  await passWithTurn(bot, half + minute);
  expect(reminded(bot, 'half')).toEqual(['reader']);
  await pressAndSettle(bot, 'reader', 'Approve');
  const said = () => reminders(bot).map(({ view }) => wordsOf(bot, view));
  await bot.until(() => said().every((words) => words.includes('no longer waits')), 'the edit');
  expect(said()).toEqual(['Hard reset web-1 no longer waits for an approval.\n[Show it]']);
});

it('a person is reminded in the way they chose: by direct message, in the thread of the card, or not at all', async () => {
  const silent = await asked();
  await setNotifications(silent, lead ?? '', { isOn: false });
  await passWithTurn(silent, half + minute);
  expect(reminded(silent, 'half')).toEqual(['reader']);
  const bot = await asked();
  await setNotifications(bot, lead ?? '', { reminders: 'thread' });
  await setNotifications(bot, reader ?? '', { reminders: 'none' });
  await passWithTurn(bot, half + minute);
  const [mention, ...others] = reminders(bot);
  expect(others).toEqual([]);
  expect(mention).toMatchObject({ threadTs: messagesOf(bot, 'card')[0]?.ts });
  expect(mentionsIn(mention?.view.parts ?? [])).toEqual([lead]);
  expect(wordsOf(bot, mention?.view)).toMatch(
    /^@lead Hard reset web-1 needs 1 approval, and yours is missing\. It expires .*\.$/,
  );
});

it("a person's own quiet hours of the notifications dialog count, in their time zone", async ({ bot }) => {
  // The people of this workspace live in Amsterdam.
  const clock = (ms: number) =>
    new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Amsterdam', hour: '2-digit', minute: '2-digit' }).format(ms);
  const at = bot.now() + half;
  const form = await bot.open('lead', { line: 'notifications' });
  const values = { direct: ['approvals'], reminders: 'direct', ends: 'usual' };
  expect(await bot.submit('lead', form, { ...values, quiet: 'at night' })).toEqual({
    kind: 'errors',
    errors: { quiet: 'Write the hours like 22:00-07:00, or leave this empty.' },
  });
  const quiet = `${clock(at - hour)}-${clock(at + hour)}`;
  expect(await bot.submit('lead', form, { ...values, quiet })).toEqual({ kind: 'accepted' });
  await passWithTurn(bot, half + minute);
  expect(reminded(bot, 'half')).toEqual(['reader']);
  await passWithTurn(bot, hour);
  expect(reminded(bot, 'half')).toEqual(['lead', 'reader']);
});

it('quiet hours do not hold back the reminder of a request that destroys', async () => {
  const bot = await startTestBot({ policy: approvedBy() });
  await setNotifications(bot, lead ?? '', { quiet: { from: '00:00', to: '00:00' } });
  await sayAndSettle(bot, 'operator', 'cancel web-1');
  await passWithTurn(bot, half + minute);
  expect(reminded(bot, 'half')).toEqual(['lead', 'reader']);
});

it('where the rule notifies nobody, nobody is reminded', async () => {
  const bot = await asked({ policy: approvedBy({ notify: 'none' }) });
  await passWithTurn(bot, half + minute);
  await passWithTurn(bot, half - 10 * minute);
  expect(reminders(bot)).toEqual([]);
});

it('two replicas and a restart send one reminder', async () => {
  const bot = await asked({ replicas: 2 });
  const [row] = await openOperations(bot.store);
  bot.skip(half + minute);
  for (const replica of bot.replicas) replica.wake(row?.id ?? '');
  await bot.until(() => reminders(bot).length === 2, 'the reminders');
  await bot.restart();
  await passWithTurn(bot, 5 * minute);
  expect(reminded(bot, 'half')).toEqual(['lead', 'reader']);
  expect(await entries(bot)).toHaveLength(2);
});

it('after an absence over both times, only the admins are reminded, and their approval counts', async ({ bot }) => {
  await passWithTurn(bot, approveWithinMs - 10 * minute);
  expect([reminded(bot, 'half'), reminded(bot, 'admins')]).toEqual([[], ['admin']]);
  await bot.press('admin', 'Approve');
  await bot.until(() => bot.story().includes('reset'), 'the end');
  await bot.settle();
});

it('Remind approvers mentions the approvers in the thread, once in ten minutes, and says when that was', async () => {
  const bot = await requested('hard-reset web-1');
  await pressAndSettle(bot, 'operator', 'Remind approvers');
  const [first] = messagesOf(bot, 'remind');
  expect(mentionsIn(first?.view.parts)).toEqual([opsGroup]);
  expect(wordsOf(bot, first?.view)).toMatch(
    /^Hard reset web-1 still needs 1 approval: @ops or an admin can approve until /,
  );
  expect(first?.threadTs).toBe(messagesOf(bot, 'card')[0]?.ts);
  await bot.pass(9 * minute);
  await bot.press('operator', 'Remind approvers');
  expect(told(bot)).toMatch(/^The approvers were last reminded \d.*\. You can remind them again \d/);
  await bot.pass(2 * minute);
  await pressAndSettle(bot, 'operator', 'Remind approvers');
  expect(messagesOf(bot, 'remind')).toHaveLength(2);
  const seen = (await bot.store.audit.list({ kind: 'reminded', limit: 9 })).map(({ actor }) => actor);
  expect(seen).toEqual([people.operator, people.operator]);
});

it('only the requester or an admin can remind the approvers, and nobody after the decision', async () => {
  const bot = await requested('hard-reset web-1');
  const { button, message } = bot.findButton('Remind approvers');
  const place = bot.placeOfClick(message);
  await bot.click('reader', button, { place });
  expect(told(bot)).toBe('Only the person who asked, or an admin, can remind the approvers.\n[Show the request]');
  await pressAndSettle(bot, 'operator', 'Withdraw');
  await bot.click('operator', button, { place });
  expect(told(bot)).toBe('This request no longer waits for an approval.\n[Show the request]');
  expect(messagesOf(bot, 'remind')).toEqual([]);
});
