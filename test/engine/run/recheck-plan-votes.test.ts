import { expect, test } from 'vitest';
import { policySchema } from '../../../src/core/policy/policy.ts';
import { ops, opsGroup, people } from '../../support/bot/fake-slack.ts';
import { openOperations } from '../../support/bot/open-operations.ts';
import { startTestBot } from '../../support/bot/test-bot.ts';
import { engines } from '../../support/database/databases.ts';
import { failing } from '../asked.ts';
import { messagesOf, pressAndSettle, requested, wordsOf } from '../told.ts';

// Between a decision and the write, votes become void and rules stricter.

const operate = { to: [`group:${opsGroup}`], can: ['read', 'operate', 'dns'] };
const by = [`group:${opsGroup}`];
const rule = (disruptive: object | string) => policySchema.parse({ grants: [operate], rules: { disruptive } });

test('a void vote stays void when the work after it failed once', async () => {
  const bot = await startTestBot({ policy: rule({ approve: 2, by }) });
  bot.groups.get(opsGroup)?.add(people.reader ?? '');
  await bot.say('operator', 'restart web-1');
  await bot.press('reader', 'Approve');
  bot.groups.get(opsGroup)?.delete(people.reader ?? '');
  // The database fails exactly between the void vote and the reopened card.
  const reopens = failing(bot.store.operations, 'move', (_, from, to) => from === 'approved' && to === 'waiting');
  await bot.press('lead', 'Approve');
  await bot.until(() => reopens() > 0);
  await bot.pass(10_000);
  await bot.until(() => reopens() > 1 && bot.story().includes('Needs 1 more of'));
  const [row] = await openOperations(bot.store);
  const told = messagesOf(bot, 'void');
  expect(told.map(({ key }) => key)).toEqual([`void:${row?.id}:${people.reader}`]);
  expect(told.map(({ view }) => wordsOf(bot, view))).toEqual([
    '! The approval of @reader no longer counts: only an approver of this channel may do this. The request waits again.',
  ]);
  expect(row?.delayWhy).toBeNull();
  expect(bot.writes()).toEqual([]);
});

test('a target is locked before it is read, so that no other request changes it in between', async () => {
  const bot = await requested('restart web-1');
  bot.sim.fault({ kind: 'delay', match: 'GET /vps/{order_id}/status/', ms: 200, times: 1 });
  bot.sim.clearRequests();
  await bot.press('operator', 'Confirm');
  await bot.sim.waitForRequest((request) => request.path.endsWith('/status/'));
  expect((await bot.store.locks.list()).map((lock) => lock.reason)).toEqual(['Restart web-1']);
  await bot.settle();
  expect(await bot.store.locks.list()).toEqual([]);
});

test.each<[what: string, before: object | string, after: object, line: string, story: string[]]>([
  [
    'when the rule became stricter after the card was posted, a new card asks under the new rule',
    'confirm',
    { approve: 1, by },
    'Confirm',
    ['not run: the rule of this channel changed since the request: one approval.', 'Needs 1 of'],
  ],
  [
    'an approval without the typed name does not count under a rule that asks for the name',
    { approve: 1, by },
    { approve: 1, by, typed: true },
    'Approve',
    ['not run: the rule of this channel changed'],
  ],
])('%s', async (_, before, after, label, story) => {
  const bot = await requested('restart web-1', { policy: rule(before) });
  await bot.savePolicy(ops, rule(after), 1);
  await pressAndSettle(bot, label === 'Confirm' ? 'operator' : 'lead', label, { first: true });
  for (const words of story) expect(bot.story()).toContain(words);
  expect(bot.story()).not.toContain('still counts on it');
  expect(bot.writes()).toEqual([]);
});

test.each(engines)('on %s, the new card keeps an approval that still counts, one more starts it', async (engine) => {
  const bot = await startTestBot({ engine, policy: rule({ approve: 1, by }) });
  bot.groups.get(opsGroup)?.add(people.reader ?? '');
  await bot.say('operator', 'restart web-1');
  await bot.savePolicy(ops, rule({ approve: 2, by }), 1);
  await pressAndSettle(bot, 'lead', 'Approve', { first: true });
  expect(bot.story()).toContain('not run: the rule of this channel changed');
  expect(bot.story()).toContain('1 approval still counts on it.');
  expect(bot.story()).toContain('Needs 1 more of');
  expect(bot.writes()).toEqual([]);
  await pressAndSettle(bot, 'reader', 'Approve');
  expect(bot.writes()).toHaveLength(1);
  const votes = (await bot.store.audit.list({ limit: 40 })).filter(({ kind }) => kind === 'vote' || kind === 'voted');
  expect(votes.map(({ actor }) => actor)).toEqual([people.reader, people.lead, people.lead]);
});
