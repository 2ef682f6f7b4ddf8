import { describe, expect, test } from 'vitest';
import { policySchema } from '../../../src/core/policy/policy.ts';
import type { Vote } from '../../../src/core/view/intent.ts';
import type { Button } from '../../../src/core/view/view.ts';
import { ops, opsGroup, people } from '../../support/fake-slack.ts';
import { openOperations } from '../../support/open-operations.ts';
import { formOf, startTestBot, type TestBot, type TestBotOptions } from '../../support/test-bot.ts';
import { readView } from '../../support/view-text.ts';

// Votes: the clicks that count, their audit entries, and the messages to other people.

const everyone = { to: ['everyone'], can: ['read', 'operate'] };
const by = [`group:${opsGroup}`];
const rule = (disruptive: object) => policySchema.parse({ grants: [everyone], rules: { disruptive } });
const idOf = (name: string) => people[name] ?? '';

/** A restart that waits for people, and its id. */
async function asked(bot: TestBot): Promise<string> {
  await bot.say('operator', 'restart web-1');
  await bot.settle();
  const [row] = await openOperations(bot.store);
  return row?.id ?? '';
}

const linesOf = async (bot: TestBot, ...kinds: string[]) =>
  (await bot.store.audit.list({ limit: 50 })).filter(({ kind }) => kinds.includes(kind)).toReversed();

test('a vote whose process was killed before its audit entry is recorded when the next vote is counted', async () => {
  const bot = await startTestBot({ replicas: 1, policy: rule({ approve: 2, by }) });
  bot.groups.get(opsGroup)?.add(idOf('reader'));
  const operation = await asked(bot);
  await bot.store.votes.cast({ operationId: operation, userId: idOf('reader'), vote: 'approve' });
  // Votes of one millisecond are in the order of their user ids.
  bot.skip(1);
  await bot.press('lead', 'Approve');
  await bot.settle();
  expect(bot.story()).toContain('[done');
  const lines = await linesOf(bot, 'vote', 'started');
  expect(lines.map(({ kind, actor }) => `${kind} ${actor}`)).toEqual([
    `vote ${idOf('reader')}`,
    `vote ${idOf('lead')}`,
    `started ${idOf('operator')}`,
  ]);
});

test('a void vote is in the audit once, with its time and its reason, also when it is stored late', async () => {
  const bot = await startTestBot({ replicas: 1, policy: rule({ approve: 2, by }) });
  bot.groups.get(opsGroup)?.add(idOf('reader'));
  const operation = await asked(bot);
  await bot.press('reader', 'Approve');
  const [cast] = await bot.store.votes.list(operation);
  bot.groups.get(opsGroup)?.delete(idOf('reader'));
  const { votes } = bot.store;
  const makeVoid = votes.void;
  let hiccups = 0;
  votes.void = async (...given) => {
    if (hiccups++ === 0) throw new Error('a hiccup');
    return makeVoid(...given);
  };
  await bot.press('lead', 'Approve');
  await bot.until(() => hiccups > 0, 'the hiccup');
  await bot.pass(10_000);
  await bot.until(() => bot.story().includes('The approval of @reader no longer counts'), 'the card to wait again');
  const [line, ...others] = await linesOf(bot, 'vote_void');
  expect(others).toEqual([]);
  expect(line).toMatchObject({ actor: idOf('reader'), operationId: operation });
  expect(line?.data).toEqual({ text: 'only an approver of this channel may do this', vote: cast?.at });
  // Back in the group, approved again, and out of the group again: another vote, with a separate audit entry.
  bot.groups.get(opsGroup)?.add(idOf('reader'));
  const now = bot.store.operations.move;
  bot.store.operations.move = async (id, from, to, ...rest) => {
    if (to === 'approved') bot.groups.get(opsGroup)?.delete(idOf('reader'));
    return now(id, from, to, ...rest);
  };
  await bot.press('reader', 'Approve');
  await bot.until(async () => (await linesOf(bot, 'vote_void')).length === 2, 'the second line');
  expect(bot.writes()).toEqual([]);
});

test('the groups of the rule under which a request was made are looked up, although the policy no longer names them', async () => {
  const bot = await startTestBot({ policy: rule({ approve: 1, by }) });
  const operation = await asked(bot);
  await bot.savePolicy(ops, rule({ approve: 1, by: [`user:${idOf('reader')}`] }), 1);
  await bot.press('lead', 'Approve');
  expect((await bot.store.votes.list(operation)).map(({ userId }) => userId)).toEqual([idOf('lead')]);
});

test('the people whom a rule names are not looked up as groups', async () => {
  const bot = await startTestBot({ policy: rule({ approve: 1, by: [`user:${idOf('lead')}`, ...by] }) });
  const { groupMembers } = bot.directory;
  Object.assign(bot.directory, {
    groupMembers: async (group: string) => {
      if (group !== opsGroup) throw new Error('no_such_subteam');
      return groupMembers(group);
    },
  });
  await asked(bot);
  await bot.press('reader', 'Approve');
  expect(bot.transcript()).toContain(
    '(only @reader) You cannot approve this: only an approver of this channel may do this.',
  );
});

const vote = (operation: string, vote: Vote): Button => ({ label: vote, intent: { do: 'vote', operation, vote } });
/** The last message that only this person sees. */
const told = (bot: TestBot, user: string) =>
  bot.transcript().split(`(only @${user}) `).at(-1)?.split('\n(only')[0] ?? '';

describe('a click on a request', () => {
  test('a click on a request that is no longer in the store is answered', async () => {
    const bot = await startTestBot({ replicas: 1 });
    await bot.click('operator', vote('nothere123', 'confirm'));
    expect(told(bot, 'operator')).toContain('This request is no longer available.');
  });

  test('a waiting request can be neither stopped nor continued', async () => {
    const bot = await startTestBot({ replicas: 1 });
    const operation = await asked(bot);
    await bot.click('operator', vote(operation, 'stop'));
    expect(told(bot, 'operator')).toContain('Restart web-1 waits for a decision and is not running.');
    expect(told(bot, 'operator')).toContain('Decline or withdraw it on its card.');
    await bot.click('operator', vote(operation, 'continue'));
    expect(told(bot, 'operator')).toContain('Restart web-1 is not waiting for anybody; it continues.');
    expect(await linesOf(bot, 'stop', 'continued')).toEqual([]);
  });

  test('a click on a running request says that it was decided already', async () => {
    const bot = await startTestBot({ replicas: 1, jobMs: 60_000 });
    const operation = await asked(bot);
    await bot.press('operator', 'Confirm');
    await bot.until(() => bot.story().includes('accepted by the provider'), 'the job');
    for (const late of ['confirm', 'decline', 'withdraw'] as const) {
      await bot.click('operator', vote(operation, late));
      expect(told(bot, 'operator')).toContain(`Restart web-1 has been decided already and is under way.`);
    }
    expect((await bot.store.votes.list(operation)).length).toBe(1);
  });

  test('a click on an ended request says how it ended, and posts no second card after a month', async () => {
    const bot = await startTestBot({ replicas: 1 });
    const operation = await asked(bot);
    await bot.press('operator', 'Withdraw');
    await bot.settle();
    await bot.click('operator', vote(operation, 'confirm'));
    expect(told(bot, 'operator')).toContain(`This has ended already. Restart web-1: withdrawn. Nothing was done.`);
    for (const days of [28, 3]) {
      bot.skip(days * 86_400_000);
      await bot.store.messages.prune(bot.now() - 30 * 86_400_000);
      await bot.click('operator', vote(operation, 'stop'));
      await bot.settle();
    }
    expect(bot.posted.filter(({ key }) => key === `card:${operation}`)).toHaveLength(1);
    expect(await bot.store.messages.find(`card:${operation}`)).toBeUndefined();
  });
});

describe('stopping a request', () => {
  const may = policySchema.parse({
    grants: [
      { to: ['everyone'], can: ['read'] },
      { to: [`group:${opsGroup}`], can: ['read', 'operate'] },
    ],
    rules: { disruptive: { approve: 1, by: [`user:${idOf('reader')}`, `user:${idOf('lead')}`] } },
  });
  const running = async () => {
    const bot = await startTestBot({ replicas: 1, policy: may, jobMs: 60_000 });
    await bot.say('operator', 'restart web-1 web-2');
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
    bot.roster.set('U0OTHER', { name: 'other', standing: 'member' });
    const [row] = await openOperations(bot.store);
    await bot.click('U0OTHER', vote(row?.id ?? '', 'stop'));
    expect(bot.transcript()).toContain(
      'You may not stop Restart web-1 and web-2: only its requester, its approvers and people who may ask for the same here may.',
    );
    expect((await openOperations(bot.store))[0]?.stopBy).toBeNull();
  });
});

describe('the name of a target that is destroyed', () => {
  const policy = policySchema.parse({
    grants: [{ to: ['everyone'], can: ['read', 'destroy'] }],
    rules: { destructive: { approve: 1, by, typed: true } },
  });
  const cancel = async (options: TestBotOptions = {}) => {
    const bot = await startTestBot({ replicas: 1, policy, ...options });
    await bot.say('operator', 'cancel web-1');
    await bot.settle();
    const [row] = await openOperations(bot.store);
    return { bot, operation: row?.id ?? '' };
  };

  test('the name is typed before the approval counts, in any case and with spaces around it', async () => {
    const { bot, operation } = await cancel();
    const form = await bot.open('lead', { button: 'Approve' });
    expect(form).toMatchObject({
      title: 'Approve',
      submit: 'Approve',
      notes: [expect.stringMatching(/^End web-1 on /), expect.anything()],
    });
    expect(form).toMatchObject({ fields: [{ name: 'words', label: 'Type web-1 to approve', optional: false }] });
    expect(await bot.submit('lead', form, { words: 'web-2' })).toEqual({
      kind: 'errors',
      errors: { words: 'That is not the name. Type web-1 exactly.' },
    });
    expect(await bot.store.votes.list(operation)).toEqual([]);
    expect(await bot.submit('lead', form, { words: '  WEB-1 ' })).toEqual({ kind: 'accepted' });
    await bot.settle();
    expect(bot.writes()).toEqual(['POST /orders/34-12345/cancel/']);
  });

  test('the name is typed again before the request continues', async () => {
    const { bot, operation } = await cancel({ isPaused: true });
    await bot.submit('lead', await bot.open('lead', { button: 'Approve' }), { words: 'web-1' });
    await bot.until(() => bot.story().includes('[waiting for "Continue"]'), 'the hold');
    const since = (await bot.store.operations.find(operation))?.heldAt;
    bot.pause(false);
    await bot.crash();
    const form = await bot.open('lead', { button: 'Continue' });
    expect(form).toMatchObject({ title: 'Continue', submit: 'Continue' });
    expect(form).toMatchObject({ fields: [{ label: 'Type web-1 to continue' }] });
    expect(await bot.submit('lead', form, { words: 'web' })).toMatchObject({ kind: 'errors' });
    expect(bot.writes()).toEqual([]);
    await bot.submit('lead', form, { words: 'web-1' });
    await bot.settle();
    expect(bot.writes()).toEqual(['POST /orders/34-12345/cancel/']);
    const [line, ...others] = await linesOf(bot, 'continued');
    expect(others).toEqual([]);
    expect(line).toMatchObject({ actor: idOf('lead'), channel: ops, operationId: operation });
    expect(line?.data).toEqual({ text: expect.stringMatching(/^continued: End web-1 on /), since });
  });
});

describe('declining a request', () => {
  test('declining asks for a reason, and shows it', async () => {
    const bot = await startTestBot({ replicas: 1, policy: rule({ approve: 1, by }) });
    await asked(bot);
    const form = await bot.open('lead', { button: 'Decline…' });
    expect(form).toMatchObject({ title: 'Decline', submit: 'Decline', notes: ['Restart web-1'] });
    expect(form).toMatchObject({
      fields: [
        {
          name: 'words',
          label: 'Why not?',
          hint: 'Shown on the card and to the person who asked.',
          widget: 'multiline',
          optional: false,
        },
      ],
    });
    await bot.submit('lead', form, { words: ' Not today. ' });
    await bot.settle();
    expect(bot.story()).toContain('Declined by @lead: Not today. Nothing was done.');
    const [line] = await linesOf(bot, 'declined');
    expect(line?.actor).toBe(idOf('lead'));
  });

  test('more words than a card shows whole are refused, and a secret among them is removed', async () => {
    const bot = await startTestBot({ replicas: 1, policy: rule({ approve: 1, by }) });
    await asked(bot);
    const form = await bot.open('lead', { button: 'Decline…' });
    expect(await bot.submit('lead', form, { words: 'no '.repeat(200) })).toEqual({
      kind: 'errors',
      errors: { words: 'This has 599 characters. Say it in at most 500.' },
    });
    await bot.submit('lead', form, { words: 'not with password=hunter2secret' });
    await bot.settle();
    expect(bot.transcript()).toContain('Declined by @lead: not with ');
    expect(bot.transcript()).not.toContain('hunter2secret');
  });

  test('the requester can decline, and other people cannot', async () => {
    const bot = await startTestBot({ replicas: 1, policy: rule({ approve: 1, by }) });
    const operation = await asked(bot);
    await bot.click('reader', vote(operation, 'decline'));
    expect(told(bot, 'reader')).toContain('You cannot decline this: only an approver of this channel may do this.');
    const [refused] = await linesOf(bot, 'vote_refused');
    const data = { text: 'decline: only an approver of this channel may do this' };
    expect(refused).toMatchObject({ actor: idOf('reader'), channel: ops, operationId: operation, data });
    const form = await bot.open('operator', { button: 'Decline…' });
    await bot.submit('operator', form, { words: 'I was wrong' });
    await bot.settle();
    expect(bot.story()).toContain('Declined by @operator: I was wrong. Nothing was done.');
  });

  test('a requester who left the team cannot decline', async () => {
    const bot = await startTestBot({ replicas: 1, policy: rule({ approve: 1, by: [`user:${idOf('lead')}`] }) });
    const operation = await asked(bot);
    bot.roster.set(idOf('operator'), { name: 'operator', standing: 'deactivated' });
    const refused = await bot.open('operator', { intent: vote(operation, 'decline').intent });
    expect(JSON.stringify(refused)).toContain('You cannot decline this: this account is deactivated.');
    expect((await bot.store.operations.find(operation))?.state).toBe('waiting');
  });
});

describe('withdrawing a request', () => {
  test('the requester and admins can withdraw a request', async () => {
    const bot = await startTestBot({ replicas: 1 });
    const operation = await asked(bot);
    await bot.click('lead', vote(operation, 'withdraw'));
    expect(told(bot, 'lead')).toContain('Only the person who asked can withdraw this.');
    expect((await bot.store.operations.find(operation))?.state).toBe('waiting');
    const form = await bot.open('operator', { button: 'Withdraw' });
    expect(form).toMatchObject({ title: 'Withdraw', submit: 'Withdraw', notes: ['Restart web-1'], fields: [] });
    await bot.click('admin', vote(operation, 'withdraw'));
    await bot.settle();
    expect((await linesOf(bot, 'withdrawn')).map(({ actor }) => actor)).toEqual([idOf('admin')]);
    // Another person ended the request, so the requester is mentioned.
    const reply = bot.posted.find(({ key }) => key === `end:${operation}`)?.view;
    expect(reply && readView(reply, bot.nameOf)).toContain(
      '@operator Restart web-1: withdrawn by @admin. Nothing was done.',
    );
    expect(bot.transcript()).not.toContain('(only @admin)');
  });

  test('withdrawing after an earlier vote is refused', async () => {
    const bot = await startTestBot({ replicas: 1, jobMs: 60_000 });
    const operation = await asked(bot);
    const { move } = bot.store.operations;
    bot.store.operations.move = async (id, from, to, ...rest) => {
      if (to === 'withdrawn') {
        await bot.store.votes.cast({ operationId: operation, userId: idOf('operator'), vote: 'confirm' });
        await move(id, 'waiting', 'approved');
      }
      return move(id, from, to, ...rest);
    };
    await bot.click('operator', vote(operation, 'withdraw'));
    expect(told(bot, 'operator')).toContain('has been decided already and is under way.');
    await bot.until(() => bot.writes().length === 1, 'the confirmed restart');
    expect(await linesOf(bot, 'ended')).toEqual([]);
    expect(bot.posted.filter(({ key }) => key === `end:${operation}`)).toEqual([]);
  });
});

test('a second click of the same person does not count', async () => {
  const bot = await startTestBot({ replicas: 1, policy: rule({ approve: 2, by }) });
  const operation = await asked(bot);
  for (let n = 0; n < 2; n++) await bot.click('lead', vote(operation, 'approve'));
  expect(told(bot, 'lead')).toContain('Your vote on this is counted already.');
  expect((await bot.store.votes.list(operation)).length).toBe(1);
  expect((await linesOf(bot, 'vote')).map(({ actor }) => actor)).toEqual([idOf('lead')]);
});

test('a form for a request that was decided meanwhile is not shown', async () => {
  const bot = await startTestBot({ replicas: 1, policy: rule({ approve: 1, by }) });
  const operation = await asked(bot);
  await bot.click('operator', vote(operation, 'withdraw'));
  await bot.settle();
  const open = async (id: string) => {
    const place = { channel: ops, kind: 'channel' } as const;
    const ask = { kind: 'intent', intent: vote(id, 'decline').intent } as const;
    const accepted = bot.replicas[0]?.engine.accept({ id, actor: idOf('lead'), place, at: bot.now(), ask }, 'wanted');
    if (accepted === undefined) throw new Error('no replica');
    return formOf(accepted);
  };
  const closed = `This has ended already. Restart web-1: withdrawn. Nothing was done.`;
  expect(await open(operation)).toMatchObject({ view: { summary: closed } });
  expect(await open('nothere123')).toMatchObject({ view: { summary: 'This request is no longer available.' } });
});

test('a vote whose row is written after the time was over counts for nothing, although the click came in time', async () => {
  const bot = await startTestBot({ replicas: 1, engine: 'sqlite' });
  await asked(bot);
  const { cast } = bot.store.votes;
  bot.store.votes.cast = async (vote) => {
    bot.skip(16 * 60_000);
    return cast(vote);
  };
  await bot.press('operator', 'Confirm');
  await bot.settle();
  expect(bot.story()).toContain('Expired: nobody confirmed it in time.');
  expect(bot.writes()).toEqual([]);
});
