import { expect, test } from 'vitest';
import { approvals } from '../../stories/approvals.ts';
import { tellEach } from '../../stories/with-engine.ts';
import { opsGroup } from '../../support/bot/fake-slack.ts';
import { openOperations } from '../../support/bot/open-operations.ts';
import { granting } from '../../support/bot/policy.ts';
import { startTestBot } from '../../support/bot/test-bot.ts';
import { answerTo, confirm, idOf, messagesOf, passAndSettle, pressAndSettle, requested, setChannel } from '../told.ts';

const policy = granting(
  { [`group:${opsGroup}`]: 'read operate secrets' },
  { disruptive: { approve: 1, by: [`group:${opsGroup}`] } },
);

tellEach(approvals);

test.each([
  [
    { isShared: true, teams: ['T0PARTNER1'] },
    'this channel is shared with another organization; permissions here are suspended',
  ],
  [{ isPrivate: false }, 'this channel became public; permissions here are suspended'],
])('in a channel that became shared or public nothing runs until an admin confirms it (%o)', async (is, words) => {
  const bot = await startTestBot();
  setChannel(bot, is);
  expect(await answerTo(bot, 'operator', 'restart web-2')).toContain(words);
  await confirm(bot, 'admin', 'access confirm');
  expect(await answerTo(bot, 'operator', 'restart web-2')).toContain('## ⏳ Restart web-2');
});

test('a request finishes although its channel becomes shared, and its end is sent as a direct message', async () => {
  const bot = await requested('restart web-1', { provider: { jobMs: 60_000 } });
  await bot.press('operator', 'Confirm');
  await bot.until(() => bot.story().includes('accepted by the provider'));
  setChannel(bot, { isShared: true });
  bot.provider.sim.job({ pk: 812, state: 'done' });
  await bot.until(() => bot.transcript('U0OPERATOR').includes('web-1 restarted'));
  expect(messagesOf(bot, 'end').map((message) => message.channel)).toEqual(['U0OPERATOR']);
  // The card says that the request ended, without the result.
  await bot.until(() => bot.transcript().includes('the requester was notified directly'));
  expect(bot.transcript()).not.toContain('power status');
});

test.each([
  ['deactivated', 'is deactivated'],
  ['guest', 'guests cannot use Hostler here'],
] as const)('a request of a person who is %s when it runs is refused, with the rule', async (membership, words) => {
  const bot = await requested('restart web-1', { policy });
  bot.roster.set(idOf('operator'), { name: 'operator', membership });
  await pressAndSettle(bot, 'lead', 'Approve');
  expect(bot.story()).toMatch(new RegExp(`not run: .*${words}.* Nothing was done\\.`));
  expect(bot.writes()).toEqual([]);
});

test('while Slack does not answer about a person, neither their click nor their request counts, and the bot asks again', async () => {
  const bot = await startTestBot({ policy });
  /** Slack knows nothing of this person until the result is called. */
  const forget = (user: string) => {
    const known = bot.roster.get(idOf(user));
    bot.roster.delete(idOf(user));
    return () => known && bot.roster.set(idOf(user), known);
  };
  await bot.say('operator', 'restart web-1');
  const knowLead = forget('lead');
  await bot.press('lead', 'Approve');
  expect(bot.transcript()).toContain('Slack could not be asked whether you may decide this.');
  expect(bot.transcript()).toContain('Your click was not counted. Click again in a minute.');
  expect(await bot.store.audit.list({ kind: 'vote_refused', limit: 9 })).toEqual([]);
  knowLead();
  const knowOperator = forget('operator');
  await bot.press('lead', 'Approve');
  await bot.until(() => bot.transcript().includes('Slack could not be asked who may decide this.'), 'the card');
  const [row] = await openOperations(bot.store);
  expect(row?.state).toBe('approved');
  expect((await bot.store.votes.list(row?.id ?? '')).map((vote) => vote.isVoid)).toEqual([false]);
  expect(bot.writes()).toEqual([]);
  knowOperator();
  await passAndSettle(bot, 1_000);
  expect(bot.story()).toContain('[done in ‹time›]');
  expect(bot.writes()).toHaveLength(1);
});
