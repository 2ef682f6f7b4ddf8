import { expect, test } from 'vitest';
import { policySchema } from '../../../src/core/policy/policy.ts';
import { approvals } from '../../stories/approvals.ts';
import { tellEach } from '../../stories/with-engine.ts';
import { ops, opsGroup, people } from '../../support/fake-slack.ts';
import { openOperations } from '../../support/open-operations.ts';
import { startTestBot } from '../../support/test-bot.ts';

const operate = { to: [`group:${opsGroup}`], can: ['read', 'operate', 'secrets'] };
const by = [`group:${opsGroup}`];

tellEach(approvals);

test.each([
  [
    { isShared: true, teams: ['T0PARTNER1'] },
    'this channel is shared with another organization; permissions here are suspended',
  ],
  [{ isPrivate: false }, 'this channel became public; permissions here are suspended'],
])(
  'in a channel that became shared or public nothing runs until an admin confirms its rights (%o)',
  async (is, words) => {
    const bot = await startTestBot();
    const channel = bot.channels.get(ops);
    if (channel) bot.channels.set(ops, { ...channel, ...is });
    await bot.say('operator', 'restart web-2');
    expect(bot.transcript()).toContain(words);
    await bot.say('admin', 'access confirm');
    await bot.press('admin', 'Confirm');
    await bot.settle();
    await bot.say('operator', 'restart web-2');
    await bot.settle();
    expect(bot.story()).toContain('## ⏳ Restart web-2');
  },
);

test('a person who sends too many requests gets one message about it', async () => {
  const bot = await startTestBot({ requestsPerMinute: 3 });
  for (let n = 0; n < 6; n++) await bot.say('reader', 'version', { replica: 0 });
  expect(bot.transcript().match(/Hostler 0/g)).toHaveLength(3);
  expect(bot.transcript().match(/more than 3 requests in a minute/g)).toHaveLength(1);
});

test('a line that Slack delivers twice counts once', async () => {
  const bot = await startTestBot({ requestsPerMinute: 2, replicas: 1 });
  for (let n = 0; n < 4; n++) await bot.say('reader', 'version', { id: 'delivered-again' });
  await bot.say('reader', 'version');
  expect(bot.transcript().match(/Hostler 0/g)).toHaveLength(2);
  expect(bot.transcript()).not.toContain('requests in a minute');
});

test('a line above the limit is not read: nothing of it is parsed before it is turned away', async () => {
  const bot = await startTestBot({ requestsPerMinute: 1, replicas: 1 });
  await bot.say('reader', 'version');
  const engine = bot.replicas[0]?.engine;
  const place = { channel: 'C0OPS00001', kind: 'dm' } as const;
  const actor = people.reader ?? '';
  // A line that is refused when it is parsed, and one that opens a form.
  for (const line of ['x'.repeat(5_000), 'status', 'restart web-1'])
    expect(
      engine?.accept({ id: line, actor, place, at: bot.now(), ask: { kind: 'line', line } }, 'possible').acknowledge,
    ).toBe('now');
  expect(bot.writes()).toEqual([]);
});

test('a request finishes although its channel becomes shared, and its end is sent as a direct message', async () => {
  const bot = await startTestBot({ jobMs: 60_000 });
  await bot.say('operator', 'restart web-1');
  await bot.press('operator', 'Confirm');
  await bot.until(() => bot.story().includes('accepted by the provider'));
  const channel = bot.channels.get(ops);
  if (channel) bot.channels.set(ops, { ...channel, isShared: true });
  bot.provider.sim.job({ pk: 812, state: 'done' });
  await bot.until(() => bot.transcript('U0OPERATOR').includes('web-1 restarted'));
  expect(bot.transcript('U0OPERATOR')).toContain('web-1 restarted');
  expect(bot.posted.filter((message) => message.key.startsWith('end:')).map((message) => message.channel)).toEqual([
    'U0OPERATOR',
  ]);
  // The card says that the request ended, without the result.
  await bot.until(() => bot.transcript().includes('the requester was notified directly'));
  expect(bot.transcript()).not.toContain('power status');
});

test.each(['deactivated', 'guest', 'stranger'] as const)(
  'the vote of an approver who is %s when the request runs is void, and nothing is sent',
  async (standing) => {
    const bot = await startTestBot({
      policy: policySchema.parse({ grants: [operate], rules: { disruptive: { approve: 2, by } } }),
    });
    bot.groups.get(opsGroup)?.add(people.reader ?? '');
    await bot.say('operator', 'restart web-1');
    await bot.press('reader', 'Approve');
    bot.roster.set(people.reader ?? '', { name: 'reader', standing });
    await bot.press('lead', 'Approve');
    await bot.until(() => bot.story().includes('no longer counts') && bot.story().includes('Needs 1 more of'));
    await bot.settle();
    expect(bot.story()).toContain('approved by @lead');
    expect(bot.story()).toContain('Needs 1 more of');
    expect(bot.writes()).toEqual([]);
  },
);

test.each([
  ['deactivated', 'is deactivated'],
  ['guest', 'guests cannot use Hostler here'],
] as const)('a request of a person who is %s when it runs is refused, with the rule', async (standing, words) => {
  const bot = await startTestBot({
    policy: policySchema.parse({ grants: [operate], rules: { disruptive: { approve: 1, by } } }),
  });
  await bot.say('operator', 'restart web-1');
  bot.roster.set(people.operator ?? '', { name: 'operator', standing });
  await bot.press('lead', 'Approve');
  await bot.settle();
  expect(bot.story()).toMatch(new RegExp(`not run: .*${words}.* Nothing was done\\.`));
  expect(bot.writes()).toEqual([]);
});

test('while Slack does not answer about a person, neither their click nor their request counts, and the bot asks again', async () => {
  const bot = await startTestBot({
    policy: policySchema.parse({ grants: [operate], rules: { disruptive: { approve: 1, by } } }),
  });
  await bot.say('operator', 'restart web-1');
  const lead = bot.roster.get(people.lead ?? '');
  bot.roster.delete(people.lead ?? '');
  await bot.press('lead', 'Approve');
  expect(bot.transcript()).toContain('Slack could not be asked whether you may decide this.');
  if (lead) bot.roster.set(people.lead ?? '', lead);
  const operator = bot.roster.get(people.operator ?? '');
  bot.roster.delete(people.operator ?? '');
  await bot.press('lead', 'Approve');
  await bot.until(
    () => bot.transcript().includes('Slack could not be asked who may decide this.'),
    'the card to say so',
  );
  const [row] = await openOperations(bot.store);
  expect(row?.state).toBe('approved');
  expect((await bot.store.votes.list(row?.id ?? '')).map((vote) => vote.isVoid)).toEqual([false]);
  expect(bot.writes()).toEqual([]);
  if (operator) bot.roster.set(people.operator ?? '', operator);
  await bot.pass(1_000);
  await bot.settle();
  expect(bot.story()).toContain('[done in ‹time›]');
  expect(bot.writes()).toHaveLength(1);
});

test('a payload that is delivered several times, to any replica, counts once', async () => {
  const bot = await startTestBot();
  await Promise.all([0, 1, 2].map((replica) => bot.say('operator', 'restart web-1', { id: 'env-1', replica })));
  await bot.settle();
  expect(bot.posted.filter(({ key }) => key.startsWith('card:'))).toHaveLength(1);
  await Promise.all([0, 1, 2].map((replica) => bot.press('operator', 'Confirm', { id: 'env-2', replica })));
  await bot.settle();
  expect(bot.writes()).toHaveLength(1);
  expect(bot.transcript()).not.toContain('(only');
});
