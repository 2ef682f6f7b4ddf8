import { describe, expect } from 'vitest';
import { policySchema } from '../../../src/core/policy/policy.ts';
import type { Vote } from '../../../src/core/view/intent.ts';
import type { Button } from '../../../src/core/view/view.ts';
import { ops, opsGroup } from '../../support/bot/fake-slack.ts';
import { openOperations } from '../../support/bot/open-operations.ts';
import { granting } from '../../support/bot/policy.ts';
import { startTestBot, type TestBot, type TestBotOptions } from '../../support/bot/test-bot.ts';
import { asked, rules, test } from '../asked.ts';
import {
  clickAndSettle,
  fillIn,
  idOf,
  messagesOf,
  pressAndSettle,
  requested,
  submitAndSettle,
  told,
  wordsOf,
} from '../told.ts';

// Votes: the clicks that count, their audit entries, and the messages to other people.

const by = [`group:${opsGroup}`];
const one = rules({ approve: 1, by });
const two = rules({ approve: 2, by });

const linesOf = async (bot: TestBot, ...kinds: string[]) =>
  (await bot.store.audit.list({ limit: 50 })).filter(({ kind }) => kinds.includes(kind)).toReversed();
const vote = (operation: string, cast: Vote): Button => ({
  label: cast,
  intent: { do: 'vote', operation, vote: cast },
});

test('a vote whose process was killed before its audit entry is recorded when the next vote is counted', async () => {
  const { bot, id } = await asked({ policy: two });
  bot.groups.get(opsGroup)?.add(idOf('reader'));
  await bot.store.votes.cast({ operationId: id, userId: idOf('reader'), vote: 'approve' });
  // Votes of one millisecond are in the order of their user ids.
  bot.skip(1);
  await pressAndSettle(bot, 'lead', 'Approve');
  expect(bot.story()).toContain('[done');
  const lines = await linesOf(bot, 'vote', 'started');
  expect(lines.map(({ kind, actor, data }) => [kind, actor, Object(data).text])).toEqual([
    ['vote', idOf('reader'), 'approved: Restart web-1'],
    ['vote', idOf('lead'), 'approved: Restart web-1'],
    ['started', idOf('operator'), expect.anything()],
  ]);
});

test('the groups of the rule under which a request was made are looked up, although the policy no longer names them', async () => {
  const { bot, id } = await asked({ policy: one });
  await bot.savePolicy(ops, rules({ approve: 1, by: [`user:${idOf('reader')}`] }), 1);
  await bot.press('lead', 'Approve');
  expect((await bot.store.votes.list(id)).map(({ userId }) => userId)).toEqual([idOf('lead')]);
});

test('the people whom a rule names are not looked up as groups', async () => {
  const bot = await startTestBot({ policy: rules({ approve: 1, by: [`user:${idOf('lead')}`, ...by] }) });
  const { groupMembers } = bot.directory;
  Object.assign(bot.directory, {
    groupMembers: async (group: string) => {
      if (group !== opsGroup) throw new Error('no_such_subteam');
      return groupMembers(group);
    },
  });
  await bot.say('operator', 'restart web-1');
  await bot.press('reader', 'Approve');
  expect(told(bot, 'reader')).toContain('You cannot approve this: only an approver of this channel may do this.');
});

test('a waiting request can be neither stopped nor continued', async ({ bot, id }) => {
  await bot.click('operator', vote(id, 'stop'));
  expect(told(bot, 'operator')).toContain('Restart web-1 waits for a decision and is not running.');
  expect(told(bot, 'operator')).toContain('Decline or withdraw it on its card.');
  await bot.click('operator', vote(id, 'continue'));
  expect(told(bot, 'operator')).toContain('Restart web-1 is not waiting for anybody; it continues.');
  expect(await linesOf(bot, 'stop', 'continued')).toEqual([]);
});

test('a click on an ended request says how it ended, posts no second card after a month, and is answered when it is gone', async () => {
  const { bot, id } = await asked();
  await pressAndSettle(bot, 'operator', 'Withdraw');
  await bot.click('operator', vote(id, 'confirm'));
  const closed = 'This has ended already. Restart web-1: withdrawn. Nothing was done.';
  expect(told(bot, 'operator')).toContain(closed);
  expect(await bot.open('lead', { intent: vote(id, 'decline').intent })).toMatchObject({ summary: closed });
  for (const days of [28, 3]) {
    bot.skip(days * 86_400_000);
    await bot.store.retention.prune('messages', bot.now() - 30 * 86_400_000);
    await clickAndSettle(bot, 'operator', vote(id, 'stop'));
  }
  expect(messagesOf(bot, 'card')).toHaveLength(1);
  expect(await bot.store.messages.find(`card:${id}`)).toBeUndefined();
  const gone = 'This request is no longer available.';
  expect(await bot.open('lead', { intent: vote('nothere123', 'decline').intent })).toMatchObject({ summary: gone });
  await bot.click('operator', vote('nothere123', 'confirm'));
  expect(told(bot, 'operator')).toContain(gone);
});

test('a vote that is stored after the time was over counts for nothing, although it came in time', async ({ bot }) => {
  const { cast } = bot.store.votes;
  bot.store.votes.cast = async (given) => {
    bot.skip(16 * 60_000);
    return cast(given);
  };
  await pressAndSettle(bot, 'operator', 'Confirm');
  expect(bot.story()).toContain('Expired: nobody confirmed it in time.');
  expect(bot.writes()).toEqual([]);
});

describe('stopping a request', () => {
  const may = policySchema.parse({
    grants: [
      { to: ['everyone'], can: ['read'] },
      { to: by, can: ['read', 'operate'] },
    ],
    rules: { disruptive: { approve: 1, by: [`user:${idOf('reader')}`, `user:${idOf('lead')}`] } },
  });
  const running = async () => {
    const bot = await requested('restart web-1 web-2', { policy: may, provider: { jobMs: 60_000 } });
    await bot.press('lead', 'Approve');
    await bot.until(() => bot.story().includes('· accepted'), 'the first step');
    return bot;
  };

  test.each([
    ['the person who asked, who lost the right', 'operator'],
    ['an admin', 'admin'],
    ['an approver who may not ask for it', 'reader'],
    ['somebody who may ask for the same', 'lead'],
  ])('%s can stop a request, and the stop is in the audit once', async (_, who) => {
    const bot = await running();
    if (who === 'operator') bot.groups.get(opsGroup)?.delete(idOf('operator'));
    await bot.press(who, 'Stop after this step', { first: true });
    const [row] = await openOperations(bot.store);
    await bot.click(who, vote(row?.id ?? '', 'stop'));
    expect(row?.stopBy).toBe(idOf(who));
    const lines = await linesOf(bot, 'stop');
    const data = { text: 'stopped: Restart web-1 and web-2' };
    expect(lines).toMatchObject([{ actor: idOf(who), channel: ops, operationId: row?.id, data }]);
    expect(bot.story()).toContain('no further step begins');
  });

  test('other people cannot stop a request', async () => {
    const bot = await running();
    bot.roster.set('U0OTHER', { name: 'other', membership: 'member' });
    const [row] = await openOperations(bot.store);
    await bot.click('U0OTHER', vote(row?.id ?? '', 'stop'));
    expect(bot.transcript()).toContain(
      'You may not stop Restart web-1 and web-2: only its requester, its approvers and people who may ask for the same here may.',
    );
    expect((await openOperations(bot.store))[0]?.stopBy).toBeNull();
  });
});

describe('the name of a target that is destroyed', () => {
  const policy = granting({ everyone: 'read destroy' }, { destructive: { approve: 1, by, typed: true } });
  const cancel = (options: TestBotOptions = {}) => asked({ policy, ...options }, 'cancel web-1');

  test('the name is typed before the approval counts, in any case and with spaces around it', async () => {
    const { bot, id } = await cancel();
    await bot.click('lead', vote(id, 'approve'));
    expect(told(bot, 'lead')).toContain('Deciding on this needs the name of what is destroyed.');
    const form = await bot.open('lead', { button: 'Approve' });
    expect(form).toMatchObject({
      title: 'Approve',
      submit: 'Approve',
      notes: [expect.stringMatching(/^End web-1 on /), expect.anything()],
      fields: [{ name: 'words', label: 'Type web-1 to approve', optional: false }],
    });
    const answer = await bot.submit('lead', form, { words: 'web-2' });
    expect(answer).toEqual({ kind: 'errors', errors: { words: 'That is not the name. Type web-1 exactly.' } });
    expect(await bot.store.votes.list(id)).toEqual([]);
    expect(await submitAndSettle(bot, 'lead', form, { words: '  WEB-1 ' })).toEqual({ kind: 'accepted' });
    expect(bot.writes()).toEqual(['POST /orders/34-12345/cancel/']);
  });

  test('the name is typed again before the request continues', async () => {
    const { bot, id, row } = await cancel({ config: { isPaused: true } });
    await bot.submit('lead', await bot.open('lead', { button: 'Approve' }), { words: 'web-1' });
    await bot.until(() => bot.story().includes('[waiting for "Continue"]'), 'the hold');
    const since = (await row())?.heldAt;
    bot.pause(false);
    await bot.crash();
    const form = await bot.open('lead', { button: 'Continue' });
    expect(form).toMatchObject({
      title: 'Continue',
      submit: 'Continue',
      fields: [{ label: 'Type web-1 to continue' }],
    });
    expect(await bot.submit('lead', form, { words: 'web' })).toMatchObject({ kind: 'errors' });
    expect(bot.writes()).toEqual([]);
    await submitAndSettle(bot, 'lead', form, { words: 'web-1' });
    expect(bot.writes()).toEqual(['POST /orders/34-12345/cancel/']);
    const [line, ...others] = await linesOf(bot, 'continued');
    expect(others).toEqual([]);
    expect(line).toMatchObject({ actor: idOf('lead'), channel: ops, operationId: id });
    expect(line?.data).toEqual({ text: expect.stringMatching(/^continued: End web-1 on /), since });
  });
});

test('declining asks for a reason without a secret that the card shows whole, and shows it', async () => {
  const { bot } = await asked({ policy: one });
  const form = await bot.open('lead', { button: 'Decline…' });
  expect(form).toMatchObject({
    title: 'Decline',
    submit: 'Decline',
    notes: ['Restart web-1'],
    fields: [{ label: 'Why not?', hint: 'Shown on the card and to the person who asked.', optional: false }],
  });
  const answer = await bot.submit('lead', form, { words: 'no '.repeat(200) });
  expect(answer).toEqual({ kind: 'errors', errors: { words: 'This has 599 characters. Say it in at most 500.' } });
  await submitAndSettle(bot, 'lead', form, { words: ' Not with password=hunter2secret ' });
  expect(bot.story()).toMatch(/Declined by @lead: Not with .*\. Nothing was done\./);
  expect(bot.transcript()).not.toContain('hunter2secret');
  expect((await linesOf(bot, 'declined')).map(({ actor }) => actor)).toEqual([idOf('lead')]);
});

test('the requester can decline, and other people cannot', async () => {
  const { bot, id } = await asked({ policy: one });
  await bot.click('reader', vote(id, 'decline'));
  expect(told(bot, 'reader')).toContain('You cannot decline this: only an approver of this channel may do this.');
  const [refused] = await linesOf(bot, 'vote_refused');
  const data = { text: 'decline: only an approver of this channel may do this' };
  expect(refused).toMatchObject({ actor: idOf('reader'), channel: ops, operationId: id, data });
  await fillIn(bot, 'operator', 'Decline…', { words: 'I was wrong' });
  expect(bot.story()).toContain('Declined by @operator: I was wrong. Nothing was done.');
});

test('a requester who left the team cannot decline', async () => {
  const { bot, id, row } = await asked({ policy: rules({ approve: 1, by: [`user:${idOf('lead')}`] }) });
  bot.roster.set(idOf('operator'), { name: 'operator', membership: 'deactivated' });
  const refused = await bot.open('operator', { intent: vote(id, 'decline').intent });
  expect(JSON.stringify(refused)).toContain('You cannot decline this: this account is deactivated.');
  expect((await row())?.state).toBe('waiting');
});

test('the requester and admins can withdraw a request', async ({ bot, id, row }) => {
  await bot.click('lead', vote(id, 'withdraw'));
  expect(told(bot, 'lead')).toContain('Only the person who asked can withdraw this.');
  expect((await row())?.state).toBe('waiting');
  const form = await bot.open('operator', { button: 'Withdraw' });
  expect(form).toMatchObject({ title: 'Withdraw', submit: 'Withdraw', notes: ['Restart web-1'], fields: [] });
  await clickAndSettle(bot, 'admin', vote(id, 'withdraw'));
  expect((await linesOf(bot, 'withdrawn')).map(({ actor }) => actor)).toEqual([idOf('admin')]);
  // Another person ended the request, so the requester is mentioned.
  expect(wordsOf(bot, messagesOf(bot, 'end')[0]?.view)).toContain(
    '@operator Restart web-1: withdrawn by @admin. Nothing was done.',
  );
  expect(bot.transcript()).not.toContain('(only @admin)');
});

test('withdrawing after an earlier vote is refused', async () => {
  const { bot, id } = await asked({ provider: { jobMs: 60_000 } });
  const { move } = bot.store.operations;
  bot.store.operations.move = async (operation, from, to, ...rest) => {
    if (to === 'withdrawn') {
      await bot.store.votes.cast({ operationId: id, userId: idOf('operator'), vote: 'confirm' });
      await move(operation, 'waiting', 'approved');
    }
    return move(operation, from, to, ...rest);
  };
  await bot.click('operator', vote(id, 'withdraw'));
  expect(told(bot, 'operator')).toContain('has been decided already and is under way.');
  await bot.until(() => bot.writes().length === 1, 'the confirmed restart');
  expect(await linesOf(bot, 'ended')).toEqual([]);
  expect(messagesOf(bot, 'end')).toEqual([]);
});
