import { expect, test } from 'vitest';
import { policySchema } from '../../src/core/policy.ts';
import { ops, opsGroup, people } from '../support/fake-slack.ts';
import { startTestBot, type TestBot } from '../support/test-bot.ts';

// Votes: the clicks that count, their lines in the audit, and what others are told.

const everyone = { to: ['everyone'], can: ['read', 'operate'] };
const by = [`group:${opsGroup}`];
const rule = (disruptive: object) => policySchema.parse({ grants: [everyone], rules: { disruptive } });
const idOf = (name: string) => people[name] ?? '';

/** A restart that waits for people, and its id. */
async function asked(bot: TestBot): Promise<string> {
  await bot.say('operator', 'restart web-1');
  await bot.settle();
  const [row] = await bot.store.operations.open();
  return row?.id ?? '';
}

const linesOf = async (bot: TestBot, ...kinds: string[]) =>
  (await bot.store.audit.list({ limit: 50 })).filter(({ kind }) => kinds.includes(kind)).toReversed();

test('a vote whose process was killed before its line in the audit is recorded by whoever counts the next', async () => {
  const bot = await startTestBot({ replicas: 1, policy: rule({ approve: 2, by }) });
  bot.groups.get(opsGroup)?.add(idOf('reader'));
  const operation = await asked(bot);
  await bot.store.votes.cast({ operationId: operation, userId: idOf('reader'), vote: 'approve' });
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

test('a vote that no longer counts stands once in the audit, with its time and why, also when it is stored late', async () => {
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
  expect(line?.data).toEqual({ text: 'not one of the approvers here', vote: cast?.at });
  // Back in the group and approved again, and gone again: that is another vote, with a line of its own.
  bot.groups.get(opsGroup)?.add(idOf('reader'));
  const now = bot.store.operations.move;
  bot.store.operations.move = async (id, from, to, patch) => {
    if (to === 'approved') bot.groups.get(opsGroup)?.delete(idOf('reader'));
    return now(id, from, to, patch);
  };
  await bot.press('reader', 'Approve');
  await bot.until(async () => (await linesOf(bot, 'vote_void')).length === 2, 'the second line');
  expect(bot.writes()).toEqual([]);
});

test('the groups of the rule under which it was asked are looked up, although the policy names them no more', async () => {
  const bot = await startTestBot({ policy: rule({ approve: 1, by }) });
  const operation = await asked(bot);
  await bot.savePolicy(ops, rule({ approve: 1, by: [`user:${idOf('reader')}`] }), 1);
  await bot.press('lead', 'Approve');
  expect((await bot.store.votes.list(operation)).map(({ userId }) => userId)).toEqual([idOf('lead')]);
});

test('people whom a rule names are not looked up as groups', async () => {
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
  expect(bot.transcript()).toContain('(only @reader) You cannot approve this: not one of the approvers here.');
});
