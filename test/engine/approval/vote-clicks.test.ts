import { describe, expect, test } from 'vitest';
import { policySchema } from '../../../src/core/policy/policy.ts';
import type { Vote } from '../../../src/core/view/intent.ts';
import { ops, opsGroup, people } from '../../support/fake-slack.ts';
import { openOperations } from '../../support/open-operations.ts';
import { formOf, startTestBot, type TestBot, type TestBotOptions } from '../../support/test-bot.ts';
import { waitsOf } from '../asked.ts';

// Late and repeated clicks: clicks under way in a killed process, and clicks on old cards.

const minute = 60_000;
const idOf = (name: string) => people[name] ?? '';
const intent = (operation: string, vote: Vote) => ({ do: 'vote', operation, vote }) as const;
const rules = (disruptive: object) =>
  policySchema.parse({ grants: [{ to: ['everyone'], can: ['read', 'operate'] }], rules: { disruptive } });
const two = rules({ approve: 2, by: [`group:${opsGroup}`] });

async function asked(options: TestBotOptions = {}, line = 'restart web-1') {
  const bot = await startTestBot({ replicas: 1, engine: 'sqlite', ...options });
  await bot.say('operator', line);
  await bot.settle();
  const [row] = await openOperations(bot.store);
  return { bot, operation: row?.id ?? '' };
}

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
  await bot.store.inbox.receive({ key: request.id, kind: 'intent', body: JSON.stringify(request), claim });
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
const posted = (bot: TestBot, key: string) => bot.posted.filter((message) => message.key === key).length;

describe('a click of a killed process', () => {
  test('a vote that was stored before the process was killed is counted once, the work begins, and nobody is refused', async () => {
    const { bot, operation } = await asked();
    await bot.store.votes.cast({ operationId: operation, userId: idOf('operator'), vote: 'confirm' });
    await interrupted(bot, 'operator', operation, 'confirm');
    await bot.settle();
    expect(bot.writes()).toEqual(['POST /vps/34-12345/restart/']);
    expect(told(bot, 'operator')).toEqual([]);
  });

  test('a request that was decided before the process was killed begins, and nobody is refused', async () => {
    const { bot, operation } = await asked();
    await bot.store.votes.cast({ operationId: operation, userId: idOf('operator'), vote: 'confirm' });
    await bot.store.operations.move(operation, 'waiting', 'approved');
    await interrupted(bot, 'operator', operation, 'confirm');
    await bot.settle();
    expect(bot.writes()).toEqual(['POST /vps/34-12345/restart/']);
    expect(told(bot, 'operator')).toEqual([]);
  });

  test.each([
    ['decline', 'declined', 1],
    ['withdraw', 'withdrawn', 0],
  ] as const)(
    'after a process was killed that had stored a %s, the end is posted, and nobody is refused',
    async (vote, state, replies) => {
      const { bot, operation } = await asked();
      await bot.store.operations.move(operation, 'waiting', state, { endText: 'It was ended.' });
      await interrupted(bot, 'operator', operation, vote);
      await bot.until(() => bot.story().includes(`[${state}]`), 'its card');
      expect(posted(bot, `end:${operation}`)).toBe(replies);
      expect(told(bot, 'operator')).toEqual([]);
    },
  );

  test('a person whose click was too late learns how the request ended', async () => {
    const { bot, operation } = await asked({ policy: two });
    await bot.store.operations.move(operation, 'waiting', 'withdrawn', { endText: 'Withdrawn. Nothing was done.' });
    for (const vote of ['approve', 'decline'] as const) {
      await interrupted(bot, 'lead', operation, vote);
      expect(bot.transcript()).toContain('(only @lead) This has ended already. Restart web-1: withdrawn.');
    }
    expect(told(bot, 'lead')).toHaveLength(2);
    const other = await asked();
    await other.bot.store.operations.move(other.operation, 'waiting', 'declined', {
      endText: 'Declined by @lead: no.',
    });
    await interrupted(other.bot, 'operator', other.operation, 'withdraw');
    expect(other.bot.transcript()).toContain('(only @operator) This has ended already. Restart web-1: declined');
  });

  test('a person who had not voted learns that the request runs already', async () => {
    const { bot, operation } = await asked({ jobMs: minute, policy: rules({ approve: 1, by: [`group:${opsGroup}`] }) });
    bot.groups.get(opsGroup)?.add(idOf('reader'));
    await press(bot, 'reader', operation, 'approve');
    await bot.until(() => bot.writes().length === 1, 'the restart');
    await interrupted(bot, 'lead', operation, 'approve');
    expect(told(bot, 'lead')).toEqual([expect.stringContaining('has been decided already and is under way')]);
    expect((await bot.store.votes.list(operation)).map(({ userId }) => userId)).toEqual([idOf('reader')]);
  });

  test('a click on Stop or Continue of a request that has ended or is not held gives no message', async () => {
    const { bot, operation } = await asked({ jobMs: minute });
    await press(bot, 'operator', operation, 'confirm');
    await bot.until(() => bot.writes().length === 1, 'the restart');
    await interrupted(bot, 'operator', operation, 'continue');
    bot.sim.advance(minute);
    await bot.settle();
    // A person without a vote: a vote would say that the click has had its effect.
    await interrupted(bot, 'lead', operation, 'stop');
    await interrupted(bot, 'admin', operation, 'continue');
    for (const user of ['operator', 'lead', 'admin']) expect(told(bot, user)).toEqual([]);
    expect(bot.story()).toContain('[done');
  });
});

describe('a click on a card that is out of date', () => {
  test('a click on the old card of a running request leaves the request running and its lock held', async () => {
    const { bot, operation } = await asked({ jobMs: minute });
    await press(bot, 'operator', operation, 'confirm');
    await bot.until(() => bot.story().includes('accepted by the provider'), 'the job');
    // Slack has lost its card.
    await bot.database.run(`delete from messages where key = 'card:${operation}'`);
    await press(bot, 'operator', operation, 'withdraw');
    expect(await bot.store.messages.find(`card:${operation}`)).toBeDefined();
    // The first answer is that the request is decided, also to people without a vote.
    for (const vote of ['decline', 'withdraw'] as const) await press(bot, 'reader', operation, vote);
    const underWay = expect.stringContaining('Restart web-1 has been decided already and is under way.');
    expect(told(bot, 'reader')).toEqual([underWay, underWay]);
    expect(await bot.store.locks.list()).toHaveLength(1);
    expect(posted(bot, `end:${operation}`)).toBe(0);
    expect((await bot.store.operations.find(operation))?.state).toBe('running');
  });

  test('within a quarter of an hour after its end, a lost reply is posted again; its card never', async () => {
    const { bot, operation } = await asked({ policy: two });
    const form = await bot.open('lead', { button: 'Decline…' });
    await bot.submit('lead', form, { words: 'no' });
    await bot.settle();
    const has = async (key: string) => (await bot.store.messages.find(`${key}:${operation}`)) !== undefined;
    for (const [afterMs, hasReply] of [
      [14 * minute, true],
      [2 * minute, false],
    ] as const) {
      bot.skip(afterMs);
      // A message that is still to be edited is kept.
      await bot.until(async () => {
        await bot.store.messages.prune(bot.now() + minute);
        return !(await has('card'));
      }, 'the loss of its messages');
      await press(bot, 'lead', operation, 'approve');
      expect([await has('card'), await has('end')]).toEqual([false, hasReply]);
      await bot.until(async () => (await bot.store.messages.pending()) === 0, 'the messages');
    }
  });
});

test('a void approval does not count again when the person is back in the group', async () => {
  const { bot, operation } = await asked({ policy: two });
  const group = bot.groups.get(opsGroup);
  for (const name of ['reader', 'admin']) group?.add(idOf(name));
  await press(bot, 'reader', operation, 'approve');
  group?.delete(idOf('reader'));
  await press(bot, 'lead', operation, 'approve');
  await bot.until(() => bot.story().includes('The approval of @reader no longer counts'), 'the card to wait again');
  group?.add(idOf('reader'));
  // The second approver leaves right before the request runs.
  const { move } = bot.store.operations;
  bot.store.operations.move = async (id, from, to, ...rest) => {
    if (to === 'approved') group?.delete(idOf('lead'));
    return move(id, from, to, ...rest);
  };
  await press(bot, 'admin', operation, 'approve');
  await bot.until(() => bot.story().includes('The approval of @lead no longer counts'), 'the card to wait once more');
  expect(bot.writes()).toEqual([]);
});

test('an approval without the required name does not count', async () => {
  const policy = policySchema.parse({
    grants: [{ to: ['everyone'], can: ['read', 'destroy'] }],
    rules: { destructive: { approve: 1, by: [`group:${opsGroup}`], typed: true } },
  });
  const { bot, operation } = await asked({ policy }, 'cancel web-1');
  await press(bot, 'lead', operation, 'approve');
  expect(told(bot, 'lead')).toEqual([expect.stringContaining('Deciding on this needs the name of what is destroyed.')]);
  expect(await bot.store.votes.list(operation)).toEqual([]);
  expect(bot.writes()).toEqual([]);
});

test('while Slack cannot be asked about a person, their click is not counted, and they can click again', async () => {
  const { bot, operation } = await asked({ policy: two });
  const lead = bot.roster.get(idOf('lead'));
  bot.roster.delete(idOf('lead'));
  await press(bot, 'lead', operation, 'approve');
  expect(bot.transcript()).toContain('Your click was not counted. Click again in a minute.');
  expect((await bot.store.audit.list({ limit: 9 })).map(({ kind }) => kind)).not.toContain('vote_refused');
  if (lead) bot.roster.set(idOf('lead'), lead);
  await press(bot, 'lead', operation, 'approve');
  expect(await bot.store.votes.list(operation)).toHaveLength(1);
});

test('a request that cannot be read is logged as an error of the bot', async () => {
  const { bot, operation } = await asked();
  await bot.database.run(`update operations set plan = '{"title":"Restart web-1","subject":7}'`);
  await press(bot, 'operator', operation, 'confirm');
  expect(bot.log.some((line) => line.startsWith('error'))).toBe(true);
});

test('a request with an unknown command can be stopped by the approvers, and not by other people', async () => {
  const { bot, operation } = await asked({ isPaused: true, policy: rules({ approve: 1, by: [`group:${opsGroup}`] }) });
  await press(bot, 'lead', operation, 'approve');
  await bot.until(() => bot.story().includes('[waiting for "Continue"]'), 'the hold');
  await bot.database.run(`update operations set command = 'teleport'`);
  await press(bot, 'reader', operation, 'stop');
  expect(bot.transcript()).toContain('(only @reader) You may not stop Restart web-1');
  await press(bot, 'lead', operation, 'stop');
  expect((await bot.store.operations.find(operation))?.stopBy).toBe(idOf('lead'));
});

test('an approver whose group is only in the rule of the request may stop the request', async () => {
  const { bot, operation } = await asked({ isPaused: true, policy: rules({ approve: 1, by: [`group:${opsGroup}`] }) });
  await press(bot, 'lead', operation, 'approve');
  await bot.until(() => bot.story().includes('[waiting for "Continue"]'), 'the hold');
  const nobody = policySchema.parse({ grants: [{ to: ['everyone'], can: ['read'] }] });
  await bot.savePolicy(ops, nobody, 1);
  await press(bot, 'lead', operation, 'stop');
  expect((await bot.store.operations.find(operation))?.stopBy).toBe(idOf('lead'));
});

test('a second click of a person whose vote was stored but not counted starts the request', async () => {
  const { bot, operation } = await asked({ policy: rules({ approve: 1, by: [`group:${opsGroup}`] }) });
  await bot.store.votes.cast({ operationId: operation, userId: idOf('lead'), vote: 'approve' });
  await press(bot, 'lead', operation, 'approve');
  expect(told(bot, 'lead')).toEqual([expect.stringContaining('Your vote on this is counted already.')]);
  await bot.until(() => bot.story().includes('[done'), 'its end');
  await bot.settle();
});

test('a request whose last vote came before a long absence waits for Continue', async () => {
  const { bot, operation } = await asked({ policy: rules({ approve: 1, by: [`group:${opsGroup}`] }) });
  await bot.store.votes.cast({ operationId: operation, userId: idOf('lead'), vote: 'approve' });
  bot.skip(20 * 60_000);
  for (const replica of bot.replicas) await replica.sweep();
  await bot.until(() => bot.story().includes('Continue'), 'the hold');
  expect(bot.writes()).toEqual([]);
});

/** The machine sleeps for twenty minutes before or after the vote is stored. */
function sleeping<T extends unknown[], R>(bot: TestBot, store: (...given: T) => Promise<R>, when: 'before' | 'after') {
  return async (...given: T): Promise<R> => {
    if (when === 'before') bot.skip(20 * minute);
    const stored = await store(...given);
    if (when === 'after') bot.skip(20 * minute);
    return stored;
  };
}

test.each(['before', 'after'] as const)(
  'a request waits for Continue when the machine sleeps %s its last vote is stored',
  async (when) => {
    const { bot, operation } = await asked({ policy: rules({ approve: 1, by: [`group:${opsGroup}`] }) });
    bot.store.votes.cast = sleeping(bot, bot.store.votes.cast, when);
    await press(bot, 'lead', operation, 'approve');
    await bot.until(() => bot.story().includes('Continue'), 'the hold');
    expect(bot.writes()).toEqual([]);
  },
);

/** The machine sleeps while this audit entry is written. */
function sleepOver(bot: TestBot, kind: string): void {
  const { append } = bot.store.audit;
  bot.store.audit.append = async (entry) => {
    if (entry.kind === kind) bot.skip(20 * minute);
    return append(entry);
  };
}

test('a request that nobody has to decide waits for Continue when the machine sleeps before it is stored', async () => {
  const bot = await startTestBot({
    replicas: 1,
    engine: 'sqlite',
    policy: policySchema.parse({
      grants: [{ to: ['everyone'], can: ['read', 'operate'] }],
      rules: { disruptive: 'none' },
    }),
  });
  sleepOver(bot, 'asked');
  await bot.say('operator', 'restart web-1');
  await bot.until(() => bot.story().includes('Continue'), 'the hold');
  expect(bot.writes()).toEqual([]);
});

test('a request waits for Continue once more when the machine sleeps before the first one is stored', async () => {
  const { bot, operation } = await asked();
  await bot.store.votes.cast({ operationId: operation, userId: idOf('operator'), vote: 'confirm' });
  bot.skip(20 * minute);
  await bot.replicas[0]?.sweep();
  await bot.until(() => bot.story().includes('Continue'), 'the hold');
  const heldAt = async () => (await bot.store.operations.find(operation))?.heldAt;
  const first = await heldAt();
  sleepOver(bot, 'continued');
  await press(bot, 'operator', operation, 'continue');
  await bot.until(async () => ![null, first].includes((await heldAt()) ?? null), 'another hold');
  expect(bot.writes()).toEqual([]);
});

test('a request is decided since its last vote, and held in the same turn while the bot is paused', async () => {
  const { bot, operation } = await asked({ policy: two, isPaused: true });
  const waits = waitsOf(bot, operation);
  for (const user of ['lead', 'reader']) {
    bot.skip(minute);
    await bot.store.votes.cast({ operationId: operation, userId: idOf(user), vote: 'approve' });
  }
  bot.skip(minute);
  bot.replicas[0]?.wake(operation);
  await bot.until(() => waits.length > 0, 'the turn');
  const votes = await bot.store.votes.list(operation);
  expect(votes.map(({ userId }) => userId)).toEqual([idOf('lead'), idOf('reader')]);
  expect(await bot.store.operations.find(operation)).toMatchObject({ state: 'approved', decidedAt: votes[1]?.at });
  // The next turn of a request that waits for votes is within ten minutes, of a held one within a day.
  expect(waits[0]).toBeGreaterThan(60 * minute);
});

test('a held request ends as soon as somebody stops it', async () => {
  const { bot, operation } = await asked({ isPaused: true });
  await press(bot, 'operator', operation, 'confirm');
  await bot.until(() => bot.story().includes('[waiting for "Continue"]'), 'the hold');
  await press(bot, 'operator', operation, 'stop');
  await bot.until(async () => (await bot.store.operations.find(operation))?.state === 'refused', 'its end');
});

test('a click on Continue is in the audit once, also when the work after it failed', async () => {
  const { bot, operation } = await asked({ isPaused: true });
  await press(bot, 'operator', operation, 'confirm');
  await bot.until(() => bot.story().includes('[waiting for "Continue"]'), 'the hold');
  bot.pause(false);
  await bot.crash();
  const { release } = bot.store.operations;
  bot.store.operations.release = async (id) => {
    bot.store.operations.release = release;
    throw new Error(`a hiccup of ${id}`);
  };
  for (let n = 0; n < 2; n += 1) await press(bot, 'operator', operation, 'continue');
  await bot.settle();
  expect(await bot.store.audit.list({ kind: 'continued', limit: 5 })).toHaveLength(1);
  expect(bot.story()).toContain('[done');
});

test('the audit records who confirmed and who approved', async () => {
  const texts = async (bot: TestBot) =>
    (await bot.store.audit.list({ kind: 'vote', limit: 5 })).map(({ actor, data }) => [actor, data]);
  const own = await asked();
  await press(own.bot, 'operator', own.operation, 'confirm');
  expect(await texts(own.bot)).toEqual([
    [idOf('operator'), expect.objectContaining({ text: 'confirmed: Restart web-1' })],
  ]);
  const other = await asked({ policy: two });
  await press(other.bot, 'lead', other.operation, 'approve');
  expect(await texts(other.bot)).toEqual([
    [idOf('lead'), expect.objectContaining({ text: 'approved: Restart web-1' })],
  ]);
});

test('a click opens a form only for what can be done: continue a held request, approve a waiting one', async () => {
  const open = async (bot: TestBot, operation: string, vote: Vote) => {
    const place = { channel: ops, kind: 'channel' } as const;
    const ask = { kind: 'intent', intent: intent(operation, vote) } as const;
    const request = { id: `form: ${vote}`, actor: idOf('operator'), place, at: bot.now(), ask };
    const accepted = bot.replicas[0]?.engine.accept(request, 'wanted');
    if (accepted === undefined) throw new Error('no replica');
    return formOf(accepted);
  };
  const underWay = { view: { summary: expect.stringContaining('has been decided already and is under way') } };
  const running = await asked({ jobMs: minute });
  await press(running.bot, 'operator', running.operation, 'confirm');
  await running.bot.until(() => running.bot.writes().length === 1, 'the restart');
  expect(await open(running.bot, running.operation, 'continue')).toMatchObject(underWay);
  const held = await asked({ isPaused: true });
  await press(held.bot, 'operator', held.operation, 'confirm');
  await held.bot.until(() => held.bot.story().includes('[waiting for "Continue"]'), 'the hold');
  expect(await open(held.bot, held.operation, 'approve')).toMatchObject(underWay);
  expect(await open(held.bot, held.operation, 'continue')).toMatchObject({ form: { title: 'Continue' } });
});

test('a void vote is announced when its process failed right after it was stored, and Slack is not asked again', async () => {
  const { bot, operation } = await asked({ policy: two });
  const group = bot.groups.get(opsGroup);
  group?.add(idOf('reader'));
  await press(bot, 'reader', operation, 'approve');
  group?.delete(idOf('reader'));
  const { audit } = bot.store;
  const { append } = audit;
  let hiccups = 0;
  audit.append = async (entry) => {
    const seq = await append(entry);
    if (entry.kind !== 'vote_void') return seq;
    // Slack does not know them either, from now on.
    bot.roster.delete(idOf('reader'));
    if (hiccups++ === 0) throw new Error('a hiccup');
    return seq;
  };
  await press(bot, 'lead', operation, 'approve');
  await bot.until(() => hiccups > 0, 'the hiccup');
  await bot.pass(10_000);
  await bot.until(() => bot.story().includes('no longer counts'), 'the card to wait again');
  await bot.until(async () => (await bot.store.operations.find(operation))?.state === 'waiting', 'the request');
  expect(hiccups).toBe(1);
  expect(bot.writes()).toEqual([]);
});
