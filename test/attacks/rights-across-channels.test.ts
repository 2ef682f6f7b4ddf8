import { expect, test } from 'vitest';
import { type Policy, policySchema } from '../../src/core/policy/policy.ts';
import { decide } from '../engine/asked.ts';
import { pressAndSettle, sayAndSettle, setChannel } from '../engine/told.ts';
import { opsGroup, people } from '../support/bot/fake-slack.ts';
import { openOperations } from '../support/bot/open-operations.ts';
import { granting } from '../support/bot/policy.ts';
import { startTestBot, type TestBot } from '../support/bot/test-bot.ts';

// Names, tags and projects are the same in every channel, and policies grant on them.

const dev = 'C0DEV';
const inDev = { channel: dev, kind: 'channel' } as const;
const operator = `user:${people.operator}`;

const organizes = policySchema.parse({ grants: [{ to: [operator], can: ['read', 'organize'] }] });
const loose: Policy = { ...organizes, rules: { routine: 'none' } };
/** Developers manage scratch machines themselves. */
const scratch = (rules: object = { destructive: 'confirm' }, on: readonly string[] = []) => {
  const targets = ['tag:scratch', 'order:dev-*', 'project:Internal', ...on].join(', ');
  return granting({ [operator]: `read operate destroy on ${targets}` }, rules);
};

async function twoChannels(inOps: Policy, elsewhere: Policy) {
  const bot = await startTestBot({ policy: inOps });
  setChannel(bot, { name: 'dev' }, dev);
  await bot.savePolicy(dev, elsewhere);
  return bot;
}

/** The operator asks for what needs an admin, and cannot approve it; nothing is written. */
async function askInVain(bot: TestBot, line: string) {
  await sayAndSettle(bot, 'operator', line);
  for (const words of ['[Decline…]', 'This changes who may do what', '#dev']) expect(bot.story()).toContain(words);
  await bot.press('operator', 'Approve');
  expect(bot.transcript()).toContain('You cannot approve this');
  await bot.settle();
  expect(bot.writes()).toEqual([]);
}

/** The line is refused in the other channel, and an admin approves the request here. */
async function approvedByAdmin(bot: TestBot, line: string) {
  await bot.say('operator', line, { place: inDev });
  expect(bot.transcript(dev)).toContain('which does not include');
  await pressAndSettle(bot, 'admin', 'Approve');
}

test.each([
  ['tag add', 'tag add db-1 scratch'],
  ['tag set', 'tag set db-1 scratch'],
  ['rename', 'rename db-1 dev-9'],
  ['move', 'move db-1 Internal'],
  ['project add', 'project add Internal db-1'],
  ['project edit', 'project edit Website name=dev'],
])('a person opens rights in another channel by %s: an admin must approve first', async (_, line) => {
  const bot = await twoChannels(loose, scratch({ destructive: 'confirm' }, ['project:dev']));
  await askInVain(bot, line);
  await bot.until(() => bot.transcript(dev).includes('@operator asks in #ops for a change after which "'));
  expect(bot.transcript(dev)).toContain('would include more. An admin decides.');
  expect(bot.transcript(dev)).not.toMatch(/db-1|includes more than before/);
  await approvedByAdmin(bot, 'reinstall db-1 template="Debian 13"');
  expect(bot.writes()).toHaveLength(1);
  await bot.until(() => bot.transcript(dev).includes('includes more than before'));
  expect(bot.transcript(dev).match(/changed something in #ops after which "/g)).toHaveLength(1);
});

test('a change that opens rights in another channel needs an admin, and no approver of either channel', async () => {
  const by = (name: 'lead' | 'reader') => ({ approve: 1, by: [`user:${people[name]}`], typed: false });
  const own = policySchema.parse({ ...organizes, rules: { routine: by('lead'), dangerous: by('lead') } });
  const bot = await twoChannels(own, scratch({ dangerous: by('reader'), destructive: 'confirm' }));
  // A harmless change: the approvers of the own channel decide.
  await bot.say('operator', 'tag add db-1 harmless');
  await bot.press('reader', 'Approve');
  expect(bot.transcript()).toContain('only an approver of this channel may do this');
  await bot.press('operator', 'Withdraw');
  await sayAndSettle(bot, 'operator', 'tag add db-1 scratch');
  expect(bot.story()).toContain('Needs 1 of: @admin, since a grant of #dev would reach more.');
  await bot.press('operator', 'Approve');
  expect(bot.transcript()).toContain('you asked for this, so somebody else must approve');
  await bot.press('reader', 'Approve');
  await pressAndSettle(bot, 'lead', 'Approve');
  expect(await bot.store.votes.list((await openOperations(bot.store))[0]?.id ?? '')).toEqual([]);
  expect(bot.writes()).toEqual([]);
  await approvedByAdmin(bot, 'reinstall db-1 template="Debian 13"');
  expect(bot.writes()).toEqual(['PATCH /orders/34-12346/']);
});

test('a policy of another channel that begins to grant on the tag while the card waits makes a new card', async () => {
  const bot = await twoChannels(organizes, policySchema.parse({}));
  await bot.say('operator', 'tag add db-1 scratch');
  await bot.savePolicy(dev, scratch(), 1);
  await pressAndSettle(bot, 'operator', 'Confirm');
  expect(bot.writes()).toEqual([]);
  expect(bot.story()).toContain('would come to include db-1 now; none before.');
  expect(bot.story()).toContain('[Decline…]');
});

test('solo in the channel of the request does not let one person open a right in another channel', async () => {
  const bot = await twoChannels({ ...organizes, solo: true }, scratch({ dangerous: { approve: 1, by: [operator] } }));
  await decide(bot, 'tag add db-1 scratch', 'operator', 'Approve');
  expect(bot.story()).toContain('Needs 1 of: @admin, since a grant of #dev would reach more.');
  expect(bot.writes()).toEqual([]);
});

test('a card says when its change takes away rights in another channel', async () => {
  const bot = await twoChannels(organizes, granting({ [`group:${opsGroup}`]: 'operate on order:secret-9, tag:web' }));
  await sayAndSettle(bot, 'operator', 'tag remove web-1 web');
  expect(bot.story()).toContain('rights lost: "@ops may operate on tag:web" in #dev would no longer include web-1.');
  expect(bot.story()).not.toContain('secret-9');
});

test.each(['domain tag:scratch', 'tag:scratch'])(
  'a tag of a domain opens rights in another channel on %s: an admin must approve, and nothing is sent before',
  async (on) => {
    const elsewhere = policySchema.parse({ grants: [{ to: [operator], can: ['read', 'dns'], on: [on] }] });
    const bot = await twoChannels(loose, elsewhere);
    await askInVain(bot, 'dns tag add example.com scratch');
    await approvedByAdmin(bot, 'dns add example.com evil A 203.0.113.66');
    expect(bot.writes()).toEqual(['PUT /dns/domain/example.com/tags/']);
    // From then on the grant of the other channel reaches it.
    await sayAndSettle(bot, 'operator', 'dns add example.com new A 203.0.113.66', { place: inDev });
    expect(bot.transcript(dev)).toContain('Add A new.example.com');
  },
);

test('a grant on tags of domains does not apply to servers, and a tag on a server opens no right on a domain', async () => {
  const elsewhere = policySchema.parse({
    grants: [{ to: [operator], can: ['read', 'operate'], on: ['domain tag:scratch'] }],
  });
  const bot = await twoChannels(loose, elsewhere);
  await sayAndSettle(bot, 'operator', 'tag db-1 scratch');
  expect(bot.story()).not.toContain('This changes who may do what');
  expect(bot.writes()).toEqual(['PATCH /orders/34-12346/']);
  await bot.say('operator', 'restart db-1', { place: inDev });
  expect(bot.transcript(dev)).toContain('have “operate” here on domain tag:scratch, which does not include');
});
