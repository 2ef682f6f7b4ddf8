import { expect, test } from 'vitest';
import { policySchema } from '../../../src/core/policy/policy.ts';
import { ops, opsGroup, people } from '../../support/bot/fake-slack.ts';
import { openOperations } from '../../support/bot/open-operations.ts';
import { startTestBot, type TestBot } from '../../support/bot/test-bot.ts';
import { withoutGroups } from '../asked.ts';
import { answerTo, confirm, requested, sayAndSettle } from '../told.ts';

// Whether enough people can approve: asked when a rule is set, and when a request would wait on it. The group is the
// operator and the lead, and there is one admin.

const everyone = { to: ['everyone'], can: ['read', 'operate'] };
const opsOnly = { to: [`group:${opsGroup}`], can: ['read', 'operate'] };
const policy = (grants: object[], rules: object = {}, more: object = {}) =>
  policySchema.parse({ grants, rules, ...more });
const approve = (number: number, ...by: string[]) => ({ disruptive: { approve: number, by } });
const group = `group:${opsGroup}`;

/** A card waits: nothing was refused. */
const isAsked = (bot: TestBot) => expect(bot.story()).toContain('[Cancel]');

test('a rule that needs more approvals than there are people who can approve is refused with the arithmetic', async () => {
  const bot = await startTestBot({ policy: policy([everyone]) });
  const four = await answerTo(bot, 'admin', `access rule dangerous approve 4 by=${opsGroup}`);
  expect(four).toContain(
    'Nobody could meet this rule: it needs 4 approvals, and 3 people can approve: @operator, @lead, @admin.',
  );
  expect(four).toContain('Name more people or groups with');
  // A deactivated account does not count.
  bot.roster.set(people.lead ?? '', { name: 'lead', membership: 'deactivated' });
  expect(await answerTo(bot, 'admin', `access rule dangerous approve 3 by=${opsGroup}`)).toContain(
    'it needs 3 approvals, and 2 people can approve: @operator, @admin.',
  );
  bot.roster.set(people.lead ?? '', { name: 'lead', membership: 'member' });
  await answerTo(bot, 'admin', `access rule dangerous approve 3 by=${opsGroup}`);
  isAsked(bot);
});

test('a rule is refused where only its approvers may ask, and too few are left beside each of them, but with solo', async () => {
  const only = { to: [`user:${people.admin}`], can: ['read', 'operate'] };
  const bot = await startTestBot({ policy: policy([only]) });
  const refused = await answerTo(bot, 'admin', 'access rule disruptive approve 1');
  expect(refused).toContain('it needs 1 approval, and 1 person can approve: @admin.');
  expect(refused).toContain('Only they may ask here, and nobody approves their own request.');
  await answerTo(bot, 'admin', `access rule disruptive approve 1 by=${opsGroup}`);
  isAsked(bot);
  const solo = await startTestBot({ policy: policy([only], {}, { solo: true }) });
  await answerTo(solo, 'admin', 'access rule disruptive approve 1');
  isAsked(solo);
});

test('a rule whose groups Slack does not know for a moment is not refused, and its card says that it is not known', async () => {
  const bot = await startTestBot({ policy: policy([everyone]) });
  withoutGroups(bot);
  await sayAndSettle(bot, 'admin', `access rule dangerous approve 9 by=${opsGroup}`);
  expect(bot.story()).toContain('it is not known whether enough people can approve');
  isAsked(bot);
});

test('a person whose request nobody could approve learns so at once, with the arithmetic and what to do', async () => {
  const bot = await requested('restart web-1', { policy: policy([everyone], approve(3, group)) });
  expect(bot.transcript()).toContain(
    'Nobody can get this approved: 3 approvals are needed, and 2 people can approve beside you: @lead, @admin.',
  );
  expect(bot.transcript()).toContain('/host access rule disruptive');
  expect(bot.transcript()).toContain('[Who may do what]');
  expect(await openOperations(bot.store)).toEqual([]);
  // A person who is not one of the approvers has enough of them.
  expect(await answerTo(bot, 'reader', 'restart web-1')).toContain('Needs 3 of: @ops or an admin.');
});

test('a request waits where Slack does not say who is in the groups of its approvers', async () => {
  const bot = await startTestBot({ policy: policy([everyone], approve(3, group)) });
  withoutGroups(bot);
  expect(await answerTo(bot, 'operator', 'restart web-1')).toContain('Needs 3 of: @ops or an admin.');
});

test('the only admin learns at once that nobody can approve where the rule names nobody', async () => {
  const bot = await startTestBot({ policy: policy([opsOnly, everyone], approve(1)) });
  await bot.say('admin', 'restart web-1');
  expect(bot.transcript()).toContain('1 approval is needed, and nobody can approve beside you.');
  await confirm(bot, 'admin', 'access solo on');
  await sayAndSettle(bot, 'admin', 'restart web-1');
  expect((await openOperations(bot.store)).map(({ command, channel }) => `${command} ${channel}`)).toEqual([
    `restart ${ops}`,
  ]);
});

test('"who can", "why" and the rules of the channel say like the card that an admin can approve', async () => {
  const bot = await startTestBot({ policy: policy([everyone], approve(1, group)) });
  for (const line of ['who can restart web-1', 'why restart web-1', 'access'])
    expect(await answerTo(bot, 'reader', line), line).toContain('one approval from @ops or an admin');
});
