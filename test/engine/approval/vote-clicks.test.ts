import { describe, expect } from 'vitest';
import { policySchema } from '../../../src/core/policy/policy.ts';
import type { Vote } from '../../../src/core/view/intent.ts';
import { ops, opsGroup } from '../../support/bot/fake-slack.ts';
import type { TestBot } from '../../support/bot/test-bot.ts';
import { asked, rules, test, waitsOf } from '../asked.ts';
import { fillIn, idOf, messagesOf } from '../told.ts';

// Late and repeated clicks: clicks under way in a killed process, and clicks on old cards.

const minute = 60_000;
const restarted = 'POST /vps/34-12345/restart/';
const by = [`group:${opsGroup}`];
const one = rules({ approve: 1, by });
const two = rules({ approve: 2, by });
const intent = (operation: string, vote: Vote) => ({ do: 'vote', operation, vote }) as const;

/** A click that a process had stored when it was killed; the next process finds it. */
async function interrupted(bot: TestBot, user: string, operation: string, vote: Vote): Promise<void> {
  const request = {
    id: `interrupted: ${vote} of ${user}`,
    actor: idOf(user),
    place: { channel: ops, kind: 'channel' },
    at: bot.now(),
    ask: { kind: 'intent', intent: intent(operation, vote) },
  };
  const claim = { owner: 'a process that ended', forMs: 1 };
  await bot.store.inbox.receive({ key: request.id, body: JSON.stringify(request), claim });
  await bot.takeUp();
  await bot.until(async () => (await bot.store.inbox.unfinished(1, 3_600_000)).length === 0, 'the click');
}

/** The messages that only this person sees. */
const told = (bot: TestBot, user: string) =>
  bot
    .transcript()
    .split('\n(only ')
    .filter((part) => part.startsWith(`@${user})`) || part.startsWith(`(only @${user})`));
const press = (bot: TestBot, user: string, operation: string, vote: Vote) =>
  bot.click(user, { label: vote, intent: intent(operation, vote) });
const cast = (bot: TestBot, operationId: string, user: string, vote: 'approve' | 'confirm') =>
  bot.store.votes.cast({ operationId, userId: idOf(user), vote });
const untilHeld = (bot: TestBot) => bot.until(() => bot.story().includes('[waiting for "Continue"]'), 'the hold');

/** A request that a paused bot holds after its decision. */
async function held(policy: Parameters<typeof asked>[0] = {}, user = 'operator', vote: Vote = 'confirm') {
  const found = await asked({ config: { isPaused: true }, ...policy });
  await press(found.bot, user, found.id, vote);
  await untilHeld(found.bot);
  return found;
}

/** A restart whose job is under way. */
async function running() {
  const found = await asked({ provider: { jobMs: minute } });
  await press(found.bot, 'operator', found.id, 'confirm');
  await found.bot.until(() => found.bot.story().includes('accepted by the provider'), 'the job');
  return found;
}

describe('a click of a killed process', () => {
  test.each([
    ['a vote that was stored before the process was killed is counted once', false],
    ['a request that was decided before the process was killed begins', true],
  ])('%s, the work begins, and nobody is refused', async (_, isDecided) => {
    const { bot, id } = await asked();
    await cast(bot, id, 'operator', 'confirm');
    if (isDecided) await bot.store.operations.move(id, 'waiting', 'approved');
    await interrupted(bot, 'operator', id, 'confirm');
    await bot.settle();
    expect(bot.writes()).toEqual([restarted]);
    expect(told(bot, 'operator')).toEqual([]);
  });

  test.each([
    ['decline', 'declined', 1],
    ['withdraw', 'withdrawn', 0],
  ] as const)('after a kill with a stored %s the end is posted, nobody is refused', async (vote, state, replies) => {
    const { bot, id } = await asked();
    await bot.store.operations.move(id, 'waiting', state, { endText: 'It was ended.' });
    await interrupted(bot, 'operator', id, vote);
    await bot.until(() => bot.story().includes(`[${state}]`), 'its card');
    expect(messagesOf(bot, 'end')).toHaveLength(replies);
    expect(told(bot, 'operator')).toEqual([]);
  });

  const ended = { withdrawn: 'Withdrawn. Nothing was done.', declined: 'Declined by @lead: no.' };
  test.each([
    ['withdrawn', 'lead', ['approve', 'decline']],
    ['declined', 'operator', ['withdraw']],
  ] as const)('a late click on a request that was %s is answered with its end: @%s', async (state, user, votes) => {
    const { bot, id } = await asked({ policy: two });
    await bot.store.operations.move(id, 'waiting', state, { endText: ended[state] });
    for (const vote of votes) await interrupted(bot, user, id, vote);
    const said = expect.stringContaining(`This has ended already. Restart web-1: ${state}`);
    expect(told(bot, user)).toEqual(votes.map(() => said));
  });

  test('a person who had not voted learns that the request runs already', async () => {
    const { bot, id } = await asked({ provider: { jobMs: minute }, policy: one });
    bot.groups.get(opsGroup)?.add(idOf('reader'));
    await press(bot, 'reader', id, 'approve');
    await bot.until(() => bot.writes().length === 1, 'the restart');
    await interrupted(bot, 'lead', id, 'approve');
    expect(told(bot, 'lead')).toEqual([expect.stringContaining('has been decided already and is under way')]);
    expect((await bot.store.votes.list(id)).map(({ userId }) => userId)).toEqual([idOf('reader')]);
  });

  test('a click on Stop or Continue of a request that has ended or is not held gives no message', async () => {
    const { bot, id } = await running();
    await interrupted(bot, 'operator', id, 'continue');
    bot.sim.advance(minute);
    await bot.settle();
    // A person without a vote: a vote would say that the click has had its effect.
    await interrupted(bot, 'lead', id, 'stop');
    await interrupted(bot, 'admin', id, 'continue');
    for (const user of ['operator', 'lead', 'admin']) expect(told(bot, user)).toEqual([]);
    expect(bot.story()).toContain('[done');
  });
});

describe('a click on a card that is out of date', () => {
  test('a click on the old card of a running request leaves the request running and its lock held', async () => {
    const { bot, id } = await running();
    // Slack has lost its card.
    await bot.database.run(`delete from messages where key = 'card:${id}'`);
    await press(bot, 'operator', id, 'withdraw');
    expect(await bot.store.messages.find(`card:${id}`)).toBeDefined();
    // The first answer is that the request is decided, also to people without a vote.
    for (const vote of ['decline', 'withdraw'] as const) await press(bot, 'reader', id, vote);
    for (const vote of ['confirm', 'decline'] as const) await press(bot, 'operator', id, vote);
    const underWay = expect.stringContaining('Restart web-1 has been decided already and is under way.');
    expect(told(bot, 'reader')).toEqual([underWay, underWay]);
    expect(told(bot, 'operator')).toEqual([underWay, underWay, underWay]);
    expect(await bot.store.votes.list(id)).toHaveLength(1);
    expect(await bot.store.locks.list()).toHaveLength(1);
    expect(messagesOf(bot, 'end')).toEqual([]);
    expect((await bot.store.operations.find(id))?.state).toBe('running');
  });

  test('within a quarter of an hour after its end, a lost reply is posted again; its card never', async () => {
    const { bot, id } = await asked({ policy: two });
    await fillIn(bot, 'lead', 'Decline…', { words: 'no' });
    const has = async (key: string) => (await bot.store.messages.find(`${key}:${id}`)) !== undefined;
    for (const [afterMs, hasReply] of [
      [14 * minute, true],
      [2 * minute, false],
    ] as const) {
      bot.skip(afterMs);
      // A message that is still to be edited is kept.
      await bot.until(async () => {
        await bot.store.retention.prune('messages', bot.now() + minute);
        return !(await has('card'));
      }, 'the loss of its messages');
      await press(bot, 'lead', id, 'approve');
      expect([await has('card'), await has('end')]).toEqual([false, hasReply]);
      await bot.until(async () => (await bot.store.messages.pending()) === 0, 'the messages');
    }
  });
});

test('a request that cannot be read is logged as an error of the bot', async ({ bot, id }) => {
  await bot.database.run(`update operations set plan = '{"title":"Restart web-1","subject":7}'`);
  await press(bot, 'operator', id, 'confirm');
  expect(bot.log.some((line) => line.startsWith('error'))).toBe(true);
});

test('a request with an unknown command can be stopped by the approvers, and not by other people', async () => {
  const { bot, id } = await held({ policy: one }, 'lead', 'approve');
  await bot.database.run(`update operations set command = 'teleport'`);
  await press(bot, 'reader', id, 'stop');
  expect(bot.transcript()).toContain('(only @reader) You may not stop Restart web-1');
  await press(bot, 'lead', id, 'stop');
  expect((await bot.store.operations.find(id))?.stopBy).toBe(idOf('lead'));
});

test('an approver whose group is only in the rule of the request may stop the request', async () => {
  const { bot, id } = await held({ policy: one }, 'lead', 'approve');
  await bot.savePolicy(ops, policySchema.parse({ grants: [{ to: ['everyone'], can: ['read'] }] }), 1);
  await press(bot, 'lead', id, 'stop');
  expect((await bot.store.operations.find(id))?.stopBy).toBe(idOf('lead'));
});

test('a second click of a person whose vote was stored but not counted starts the request', async () => {
  const { bot, id } = await asked({ policy: one });
  await cast(bot, id, 'lead', 'approve');
  await press(bot, 'lead', id, 'approve');
  expect(told(bot, 'lead')).toEqual([expect.stringContaining('Your vote on this is counted already.')]);
  await bot.until(() => bot.story().includes('[done'), 'its end');
  await bot.settle();
});

describe('a machine that sleeps for twenty minutes', () => {
  const untilAsked = async (bot: TestBot) => {
    await bot.until(() => bot.story().includes('Continue'), 'the hold');
    expect(bot.writes()).toEqual([]);
  };
  /** The machine sleeps while this audit entry is written. */
  const sleepOver = (bot: TestBot, kind: string): void => {
    const { append } = bot.store.audit;
    bot.store.audit.append = async (entry) => {
      if (entry.kind === kind) bot.skip(20 * minute);
      return append(entry);
    };
  };

  const whens = ['before', 'after'] as const;
  test.each(whens)('a request waits for Continue when the machine sleeps %s its last vote is stored', async (when) => {
    const { bot, id } = await asked({ policy: one });
    const { votes } = bot.store;
    const store = votes.cast;
    votes.cast = async (vote) => {
      if (when === 'before') bot.skip(20 * minute);
      const stored = await store(vote);
      if (when === 'after') bot.skip(20 * minute);
      return stored;
    };
    await press(bot, 'lead', id, 'approve');
    await untilAsked(bot);
  });

  test('a request that nobody has to decide waits for Continue when the machine sleeps before it is stored', async () => {
    const { bot } = await asked({ policy: rules('none') }, 'version');
    sleepOver(bot, 'asked');
    await bot.say('operator', 'restart web-1');
    await untilAsked(bot);
  });

  test('a request waits for Continue again when the machine sleeps before one is stored', async ({ bot, id }) => {
    // The last vote on the request came before a long absence.
    await cast(bot, id, 'operator', 'confirm');
    bot.skip(20 * minute);
    await bot.replicas[0]?.sweep();
    await untilAsked(bot);
    const heldAt = async () => (await bot.store.operations.find(id))?.heldAt;
    const first = await heldAt();
    sleepOver(bot, 'continued');
    await press(bot, 'operator', id, 'continue');
    await bot.until(async () => ![null, first].includes((await heldAt()) ?? null), 'another hold');
    expect(bot.writes()).toEqual([]);
  });
});

test('a request is decided since its last vote, and held in the same turn while the bot is paused', async () => {
  const { bot, id, wake } = await asked({ policy: two, config: { isPaused: true } });
  const waits = waitsOf(bot, id);
  for (const user of ['lead', 'reader']) {
    bot.skip(minute);
    await cast(bot, id, user, 'approve');
  }
  bot.skip(minute);
  wake();
  await bot.until(() => waits.length > 0, 'the turn');
  const votes = await bot.store.votes.list(id);
  expect(votes.map(({ userId }) => userId)).toEqual([idOf('lead'), idOf('reader')]);
  expect(await bot.store.operations.find(id)).toMatchObject({ state: 'approved', decidedAt: votes[1]?.at });
  // The next turn of a request that waits for votes is within ten minutes, of a held one within a day.
  expect(waits[0]).toBeGreaterThan(60 * minute);
});

test('a click on Continue is in the audit once, also when the work after it failed', async () => {
  const { bot, id } = await held();
  bot.pause(false);
  await bot.crash();
  const { release } = bot.store.operations;
  bot.store.operations.release = async (operation) => {
    bot.store.operations.release = release;
    throw new Error(`a hiccup of ${operation}`);
  };
  for (let n = 0; n < 2; n += 1) await press(bot, 'operator', id, 'continue');
  await bot.settle();
  expect(await bot.store.audit.list({ kind: 'continued', limit: 5 })).toHaveLength(1);
  expect(bot.story()).toContain('[done');
});

test('a click opens a form only for what can be done: continue a held request, approve a waiting one', async () => {
  const underWay = { summary: expect.stringContaining('has been decided already and is under way') };
  const { bot, id } = await running();
  expect(await bot.open('operator', { intent: intent(id, 'continue') })).toMatchObject(underWay);
  const other = await held();
  const open = (vote: Vote) => other.bot.open('operator', { intent: intent(other.id, vote) });
  expect(await open('approve')).toMatchObject(underWay);
  expect(await open('continue')).toMatchObject({ title: 'Continue' });
});
