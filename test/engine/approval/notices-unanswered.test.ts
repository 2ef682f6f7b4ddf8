import { describe, expect, it } from 'vitest';
import type { Policy } from '../../../src/core/policy/policy.ts';
import { minute } from '../../../src/core/text/words.ts';
import { opsGroup, people } from '../../support/bot/fake-slack.ts';
import { openOperations } from '../../support/bot/open-operations.ts';
import { usualPolicy } from '../../support/bot/policy.ts';
import type { TestBot, TestBotOptions } from '../../support/bot/test-bot.ts';
import { passWithTurn, untilItRests } from '../pass-with-turn.ts';
import { messagesOf, passAndSettle, pressAndSettle, requested, wordsOf } from '../told.ts';

/** A request that waits for approval, and that nobody answers, is sent to the people who can approve it. */

const messages = (bot: TestBot) => messagesOf(bot, 'unanswered');
const notified = (bot: TestBot) => messages(bot).map(({ channel }) => bot.nameOf(channel));
const entries = (bot: TestBot) => bot.store.audit.list({ kind: 'approvers_notified', limit: 9 });

const waiting = (options: TestBotOptions = {}) => requested('hard-reset web-1', options);

async function passUntilNotified(bot: TestBot): Promise<void> {
  await bot.pass(11 * minute);
  await bot.until(async () => (await entries(bot)).length > 0, 'the approvers to be notified');
  await bot.settle();
}

function approvedBy(names: readonly (string | undefined)[], more: Partial<Policy> = {}): Policy {
  const by = names.map((name) => `user:${name}` as const);
  return { ...usualPolicy(opsGroup), rules: { dangerous: { approve: 1, by, typed: false } }, ...more };
}

it('an unanswered request is sent to the approvers after ten minutes, not before, and once', async () => {
  const bot = await waiting();
  await passWithTurn(bot, 9 * minute);
  expect(notified(bot)).toEqual([]);
  await bot.pass(2 * minute);
  await bot.until(async () => (await entries(bot)).length > 0, 'the approvers to be notified');
  await bot.settle();
  expect(notified(bot)).toEqual(['lead']);
  expect(wordsOf(bot, messages(bot)[0]?.view)).toMatch(
    /^Hard reset web-1, asked by @operator in #ops, has waited for approval since \d.*\.\n· .+\n\[Review…\] \[Notifications…\]$/,
  );
  expect(await bot.open('lead', { button: 'Review…' })).toMatchObject({ title: 'Approve' });
  bot.groups.get(opsGroup)?.add(people.reader ?? '');
  await passWithTurn(bot, 20 * minute);
  expect(notified(bot)).toEqual(['lead']);
  expect(await entries(bot)).toMatchObject([{ actor: null, data: { people: [people.lead] } }]);
});

it('the direct message about a request loses its button when the request no longer waits', async () => {
  for (const [who, label] of Object.entries({ lead: 'Approve', operator: 'Withdraw' })) {
    const bot = await waiting();
    await bot.pass(11 * minute);
    await bot.until(() => messages(bot).length > 0, 'the approvers to be notified');
    await pressAndSettle(bot, who, label);
    const said = () => messages(bot).map(({ view }) => wordsOf(bot, view));
    await bot.until(() => said().some((words) => words.includes('no longer waits')), 'the edit');
    expect(said()).toEqual(['Hard reset web-1 no longer waits for an approval.\n[Show it]']);
  }
});

it('a direct message by Remind loses its button when the request no longer waits', async () => {
  const rule = { approve: 1, by: [`group:${opsGroup}` as const], typed: false, notify: 'dm' as const };
  const policy = { ...usualPolicy(opsGroup), rules: { dangerous: rule } };
  const bot = await waiting({ policy });
  await bot.press('operator', 'Remind approvers');
  const words = () => messagesOf(bot, 'remind').map(({ view }) => wordsOf(bot, view));
  await bot.until(() => words().length > 0, 'the reminder');
  expect(words()).toEqual([expect.stringContaining('[Review…]')]);
  await bot.press('operator', 'Withdraw');
  await bot.until(() => words().every((one) => !one.includes('[Review…]')), 'the button to go');
  expect(words()).toEqual([expect.stringContaining('Hard reset web-1 no longer waits for an approval.')]);
});

it('an approver whose vote is counted while others are waited for reads that in the direct message', async () => {
  const rules = { dangerous: { approve: 2, by: [`group:${opsGroup}` as const], typed: false, notify: 'dm' as const } };
  const bot = await waiting({ policy: { ...usualPolicy(opsGroup), rules } });
  await bot.until(() => messages(bot).length > 0, 'the approvers to be notified');
  await pressAndSettle(bot, 'lead', 'Approve');
  const said = () => messages(bot).map(({ view }) => wordsOf(bot, view));
  await bot.until(() => said().some((words) => words.includes('your vote is counted')), 'the edit');
  expect(said()).toEqual(['Hard reset web-1 waits for others: your vote is counted.\n[Show it]']);
});

it('the row of an unanswered request says when it is due, so that any process sends it', async () => {
  const bot = await waiting();
  const [row] = await openOperations(bot.store);
  await untilItRests(bot, row?.id ?? '');
  bot.skip(11 * minute);
  await bot.until(() => messages(bot).length > 0, 'the approvers to be notified');
  expect(notified(bot)).toEqual(['lead']);
});

it('two replicas send an unanswered request once', async () => {
  const bot = await waiting({ replicas: 2 });
  const [row] = await openOperations(bot.store);
  bot.skip(11 * minute);
  for (const replica of bot.replicas) replica.wake(row?.id ?? '');
  await bot.until(async () => (await entries(bot)).length > 0, 'the approvers to be notified');
  await bot.restart();
  await passWithTurn(bot, 5 * minute);
  expect(notified(bot)).toEqual(['lead']);
  expect(await entries(bot)).toHaveLength(1);
});

it('a request that somebody has voted on, or that was decided, is not sent to the approvers', async () => {
  const rules = { dangerous: { approve: 2, by: [`group:${opsGroup}` as const], typed: false } };
  const voted = await waiting({ policy: { ...usualPolicy(opsGroup), rules } });
  voted.groups.get(opsGroup)?.add(people.reader ?? '');
  await voted.press('lead', 'Approve');
  await passWithTurn(voted, 11 * minute);
  expect(notified(voted)).toEqual([]);
  const decided = await waiting();
  await pressAndSettle(decided, 'lead', 'Approve');
  await passAndSettle(decided, 11 * minute);
  expect(notified(decided)).toEqual([]);
});

it('an unanswered request is sent to the admins where the rule names nobody, and to five people at most', async () => {
  const admins = await waiting({ policy: approvedBy([]) });
  await passUntilNotified(admins);
  expect(notified(admins)).toEqual(['admin']);
  const many = Array.from({ length: 7 }, (_, n) => `U0APPROVER${n}`);
  const bot = await waiting({ policy: approvedBy(many) });
  for (const id of many) bot.roster.set(id, { name: id, membership: 'member' });
  await passUntilNotified(bot);
  expect(notified(bot).toSorted()).toEqual(many.slice(0, 5));
});

describe('people who are not notified of an unanswered request', () => {
  const { operator, guest, reader, lead } = people;
  const everything = usualPolicy(opsGroup).grants;
  const readsAll = { to: [`user:${lead}` as const], can: ['read' as const], on: ['all'] };
  const group = everything.slice(1);

  const namesGuest = [...everything, { to: [`user:${guest}` as const], can: ['read' as const], on: ['all'] }];

  it.each<[string, string | undefined, Partial<Policy>, (bot: TestBot) => void]>([
    ['the person who asked, even in a channel with solo', operator, { solo: true }, () => {}],
    ['a guest whom the policy names', guest, { grants: namesGuest }, () => {}],
    [
      'a person who is deactivated',
      reader,
      {},
      (bot) => bot.roster.set(reader ?? '', { name: 'reader', membership: 'deactivated' }),
    ],
    [
      'a person who may not read the target',
      reader,
      { grants: [...group, readsAll, { to: [`user:${reader}`], can: ['read'], on: ['order:34-12318'] }] },
      () => {},
    ],
    [
      'a person who is not in the channel',
      reader,
      {},
      (bot) => Object.assign(bot.directory, { isInChannel: async (_: string, user: string) => user !== reader }),
    ],
  ])('an unanswered request is not sent to %s', async (_, person, policy, change) => {
    const bot = await waiting({ policy: approvedBy([person, lead], policy) });
    change(bot);
    await passUntilNotified(bot);
    expect(notified(bot)).toEqual(['lead']);
  });
});
