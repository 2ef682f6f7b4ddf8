import { expect, test } from 'vitest';
import { policySchema } from '../../../src/core/policy/policy.ts';
import { operationId } from '../../../src/engine/context/operation-id.ts';
import { engines } from '../../support/databases.ts';
import { ops, opsGroup, people } from '../../support/fake-slack.ts';
import { openOperations } from '../../support/open-operations.ts';
import { usualPolicy } from '../../support/policy.ts';
import { startTestBot, type TestBot } from '../../support/test-bot.ts';
import { readView } from '../../support/view-text.ts';

// Everything may change between a decision and the write.

const operate = { to: [`group:${opsGroup}`], can: ['read', 'operate', 'dns'] };
const by = [`group:${opsGroup}`];
const minute = 60_000;

test.each(engines)('on %s, a void vote stays void when the work after it failed once', async (engine) => {
  const bot = await startTestBot({
    engine,
    replicas: 1,
    policy: policySchema.parse({ grants: [operate], rules: { disruptive: { approve: 2, by } } }),
  });
  bot.groups.get(opsGroup)?.add(people.reader ?? '');
  await bot.say('operator', 'restart web-1');
  await bot.press('reader', 'Approve');
  bot.groups.get(opsGroup)?.delete(people.reader ?? '');
  // The database fails exactly between the void vote and the reopened card.
  const { operations } = bot.store;
  const { move } = operations;
  let hiccups = 0;
  operations.move = async (id, from, to, ...rest) => {
    if (from === 'approved' && to === 'waiting' && hiccups++ === 0) throw new Error('a hiccup');
    return move(id, from, to, ...rest);
  };
  await bot.press('lead', 'Approve');
  await bot.until(() => hiccups > 0);
  await bot.pass(10_000);
  await bot.until(() => hiccups > 1 && bot.story().includes('Needs 1 more of'));
  const [row] = await openOperations(bot.store);
  const told = bot.posted.filter(({ key }) => key.startsWith('void:'));
  expect(told.map(({ key }) => key)).toEqual([`void:${row?.id}:${people.reader}`]);
  expect(told.map(({ view }) => readView(view, bot.nameOf))).toEqual([
    '! The approval of @reader no longer counts: only an approver of this channel may do this. The request waits again.',
  ]);
  expect(row?.delayWhy).toBeNull();
  expect(bot.writes()).toEqual([]);
});

test.each(engines)(
  'on %s, a target is locked before it is read, so that no other request changes it in between',
  async (engine) => {
    const bot = await startTestBot({ engine, replicas: 1 });
    await bot.say('operator', 'restart web-1');
    bot.sim.fault({ kind: 'delay', match: 'GET /vps/{order_id}/status/', ms: 200, times: 1 });
    bot.sim.clearRequests();
    await bot.press('operator', 'Confirm');
    await bot.sim.waitForRequest((request) => request.path.endsWith('/status/'));
    expect((await bot.store.locks.list()).map((lock) => lock.reason)).toEqual(['Restart web-1']);
    await bot.settle();
    expect(await bot.store.locks.list()).toEqual([]);
  },
);

/** The operator confirms it, and nobody runs it for three days: it waits for Continue. */
async function decideBeforeAbsence(bot: TestBot, line: string): Promise<void> {
  await bot.say('operator', line);
  await bot.settle();
  const [waiting] = await openOperations(bot.store);
  await bot.store.votes.cast({ operationId: waiting?.id ?? '', userId: people.operator ?? '', vote: 'confirm' });
  await bot.store.operations.move(waiting?.id ?? '', 'waiting', 'approved');
  await bot.pass(3 * 24 * 60 * minute);
  await bot.until(() => bot.story().includes('The bot was offline for 3 days.'), 'the card to say so');
}

test.each(engines)(
  'on %s, a vote and a Continue let the work begin at once, and not when the rows are checked for what is due',
  async (engine) => {
    const bot = await startTestBot({ engine, replicas: 1 });
    const { claimDue } = bot.store.turns;
    bot.store.turns.claimDue = async () => [];
    await bot.say('operator', 'restart web-1');
    await bot.press('operator', 'Confirm');
    await bot.until(() => bot.writes().length === 1, 'the first write');

    bot.store.turns.claimDue = claimDue;
    await bot.settle();
    await decideBeforeAbsence(bot, 'restart web-2');
    bot.store.turns.claimDue = async () => [];
    await bot.press('operator', 'Continue');
    await bot.until(() => bot.writes().length === 2, 'the second write');
  },
);

test('a decided request that nobody ran for three days waits for Continue', async () => {
  const bot = await startTestBot({ replicas: 1 });
  await decideBeforeAbsence(bot, 'restart web-1');
  expect(bot.writes()).toEqual([]);
  expect(await bot.store.locks.list()).toEqual([]);
  await bot.press('reader', 'Continue');
  expect(bot.story()).toContain('(only @reader) You cannot continue this: only the person who asked can confirm this.');
  expect(bot.writes()).toEqual([]);
  await bot.press('operator', 'Continue');
  await bot.settle();
  expect(bot.story()).toContain('[done in ‹time›]');
  expect(bot.writes()).toHaveLength(1);
  const kinds = (await bot.store.audit.list({ limit: 20 })).map((line) => line.kind);
  expect(kinds.filter((kind) => kind === 'held' || kind === 'continued')).toEqual(['continued', 'held']);
});

test('a click on a request that has expired without a sweep ends it as expired', async () => {
  const bot = await startTestBot();
  await bot.say('operator', 'restart web-1');
  await bot.settle();
  bot.skip(16 * minute);
  await bot.press('operator', 'Confirm');
  await bot.settle();
  expect(bot.story()).toContain('expired: nobody confirmed it in time. Nothing was done.');
  expect(bot.story()).toContain('(only @operator) This has ended already. Restart web-1');
  expect(bot.writes()).toEqual([]);
  const ends = (await bot.store.audit.list({ limit: 20 })).filter((line) => line.kind === 'expired');
  expect(ends).toHaveLength(1);
});

test('when the rule became stricter after the card was posted, a new card asks under the new rule', async () => {
  const loose = policySchema.parse({ grants: [operate], rules: { disruptive: 'confirm' } });
  const bot = await startTestBot({ policy: loose });
  await bot.say('operator', 'restart web-1');
  await bot.savePolicy(
    ops,
    { ...loose, rules: { disruptive: { approve: 1, by: [`group:${opsGroup}`], typed: false } } },
    1,
  );
  await bot.press('operator', 'Confirm', { first: true });
  await bot.settle();
  expect(bot.story()).toContain('not run: the rule of this channel changed since the request: one approval.');
  expect(bot.story()).toContain('Needs 1 of');
  expect(bot.writes()).toEqual([]);
});

test.each(engines)(
  'on %s, the new card keeps an approval that counts under the stricter rule, and one more approval starts the request',
  async (engine) => {
    const rule = (approve: number) => policySchema.parse({ grants: [operate], rules: { disruptive: { approve, by } } });
    const bot = await startTestBot({ engine, policy: rule(1) });
    bot.groups.get(opsGroup)?.add(people.reader ?? '');
    await bot.say('operator', 'restart web-1');
    await bot.savePolicy(ops, rule(2), 1);
    await bot.press('lead', 'Approve', { first: true });
    await bot.settle();
    expect(bot.story()).toContain('not run: the rule of this channel changed');
    expect(bot.story()).toContain('1 approval still counts on it.');
    expect(bot.story()).toContain('Needs 1 more of');
    expect(bot.writes()).toEqual([]);
    await bot.press('reader', 'Approve');
    await bot.settle();
    expect(bot.writes()).toHaveLength(1);
    const votes = (await bot.store.audit.list({ limit: 40 })).filter(({ kind }) => kind === 'vote' || kind === 'voted');
    expect(votes.map(({ actor }) => actor)).toEqual([people.reader, people.lead, people.lead]);
  },
);

test('an approval without the typed name does not count under a rule that asks for the name', async () => {
  const rule = (more: object) =>
    policySchema.parse({ grants: [operate], rules: { disruptive: { approve: 1, by, ...more } } });
  const bot = await startTestBot({ policy: rule({}) });
  await bot.say('operator', 'restart web-1');
  await bot.savePolicy(ops, rule({ typed: true }), 1);
  await bot.press('lead', 'Approve', { first: true });
  await bot.settle();
  expect(bot.story()).toContain('not run: the rule of this channel changed');
  expect(bot.story()).not.toContain('still counts on it');
  expect(bot.writes()).toEqual([]);
});

test('a command about a channel is refused in a direct message', async () => {
  const bot = await startTestBot();
  const place = { channel: 'D0OPERATOR', kind: 'dm' } as const;
  await bot.say('operator', 'freeze here "lunch"', { place });
  await bot.say('admin', 'access solo --on', { place });
  expect(bot.transcript('D0OPERATOR')).toContain('freeze is about a channel. Type it in the channel that you mean.');
  expect(bot.transcript('D0OPERATOR')).toContain('access solo is about a channel.');
  expect(await bot.store.freezes.active(bot.now())).toEqual([]);
});

test('the list of jobs shows those of other channels only when the person may read them', async () => {
  const bot = await startTestBot({ jobMs: 60_000 });
  await bot.say('operator', 'restart web-1');
  await bot.press('operator', 'Confirm');
  await bot.until(() => bot.story().includes('accepted by the provider'));
  const elsewhere = 'C0CLIENT';
  bot.channels.set(elsewhere, {
    id: elsewhere,
    name: 'client',
    isPrivate: false,
    isShared: false,
    isArchived: false,
    hasBot: true,
  });
  const narrow = policySchema.parse({ grants: [{ to: ['everyone'], can: ['read'], on: ['tag:nothing'] }] });
  await bot.savePolicy(elsewhere, narrow);
  await bot.say('reader', 'jobs', { place: { channel: elsewhere, kind: 'channel' } });
  expect(bot.transcript(elsewhere)).toContain('Nothing is running.');
  await bot.say('reader', 'jobs');
  expect(bot.transcript()).toContain('Restart web-1 │ ⏳ running');
  bot.sim.advance(60_000);
  await bot.settle();
  await bot.say('reader', 'jobs');
  expect(bot.transcript()).toContain('Nothing is running.');
});

test('an accepted form survives a killed process, and makes one request when it is sent twice', async () => {
  const bot = await startTestBot({ replicas: 1, engine: 'sqlite' });
  const form = await bot.open('operator', { line: 'dns add example.com' });
  const values = { domain: ['example.com'], host: 'late', type: 'A', value: '192.0.2.44' };
  // Slower than the two seconds in which errors appear at their fields.
  bot.sim.fault({ kind: 'delay', match: 'GET /dns/domain/{name}/entry_set/', ms: 2_500, times: 2 });
  const sent = [bot.submit('operator', form, values), bot.submit('operator', form, values)];
  expect(await Promise.all(sent)).toEqual([{ kind: 'accepted' }, { kind: 'accepted' }]);
  await bot.crash();
  await bot.until(() => bot.story().includes('[Cancel]'));
  await bot.settle();
  expect((await bot.store.operations.list({ limit: 10 })).map((row) => row.state)).toEqual(['waiting']);
});

test.each(engines)(
  'on %s, a form whose button is pressed twice makes one request, and does not tell the person to wait for it',
  async (engine) => {
    const policy = usualPolicy(opsGroup);
    const bot = await startTestBot({
      engine,
      policy: { ...policy, rules: { ...policy.rules, disruptive: 'none' } },
      jobMs: minute,
    });
    const form = await bot.open('operator', { line: 'restart' });
    const press = () => bot.submit('operator', form, { servers: 'web-1' });
    expect(await Promise.all([press(), press()])).toEqual([{ kind: 'accepted' }, { kind: 'accepted' }]);
    await bot.until(() => bot.writes().length > 0, 'the restart');
    bot.sim.advance(minute);
    await bot.settle();

    const another = await bot.open('operator', { line: 'restart' });
    // One of the two reads until the other is under way.
    bot.sim.fault({ kind: 'delay', match: 'GET /vps/{order_id}/status/', ms: 1_000, times: 1 });
    const both = [1, 2].map(() => bot.submit('operator', another, { servers: 'web-1' }));
    expect(await Promise.all(both)).toEqual([{ kind: 'accepted' }, { kind: 'accepted' }]);
    expect(await bot.store.locks.list()).toHaveLength(1);
    bot.sim.advance(minute);
    await bot.settle();
    expect(bot.writes()).toHaveLength(2);
    expect(bot.posted.filter(({ onlyFor }) => onlyFor !== undefined)).toEqual([]);
    expect(bot.log.filter((line) => line.startsWith('error'))).toEqual([]);
  },
);

test.each(engines)(
  'on %s, a turn that fails every time ends, and the end says that it is an error of the bot',
  async (engine) => {
    const bot = await startTestBot({ engine, replicas: 1 });
    await bot.say('operator', 'restart web-1');
    const { steps } = bot.store;
    const { list } = steps;
    await bot.settle();
    let isBroken = true;
    steps.list = async (id) => {
      const found = await list(id);
      return isBroken ? found.map((step) => ({ ...step, data: 'written by a version that nobody knows' })) : found;
    };
    await bot.press('operator', 'Confirm');
    await bot.until(() => bot.log.some((line) => line.includes('a turn of an operation failed')));
    await bot.until(async () => (await openOperations(bot.store))[0]?.turnOwner === null);
    // The state after two minutes of failed turns, on any replica.
    await bot.database.run('update operations set turn_failures = 24');
    await bot.pass(10_000);
    await bot.until(() => bot.log.some((line) => line.includes('operation abandoned')));
    isBroken = false;
    await bot.settle();
    expect(bot.story()).toMatch(
      /Restart web-1: something is wrong on the bot's side\. .* incident [0-9a-f]{8}\. Nothing was sent\./,
    );
    expect(await bot.store.locks.list()).toEqual([]);
    expect(bot.writes()).toEqual([]);
  },
);

test('a request that was killed before its card and then refused has an end in the audit', async () => {
  const bot = await startTestBot({ replicas: 1, engine: 'sqlite' });
  const operation = operationId('cut-off');
  await bot.store.audit.append({
    kind: 'asked',
    actor: people.operator,
    channel: ops,
    operation,
    text: 'Restart web-7',
  });
  await bot.say('operator', 'restart web-7', { id: 'cut-off' });
  const lines = await bot.store.audit.list({ operationId: operation, limit: 5 });
  expect(lines.map(({ kind }) => kind)).toEqual(['refused', 'asked']);
  // The other entries are not ends.
  await bot.say('operator', 'restart web-7', { id: 'another' });
  expect(await bot.store.audit.list({ operationId: operationId('another'), limit: 5 })).toEqual([]);
});
