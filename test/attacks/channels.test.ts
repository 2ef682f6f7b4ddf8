import { expect } from 'vitest';
import { policySchema } from '../../src/core/policy/policy.ts';
import { createPolicies } from '../../src/engine/access/policies.ts';
import { answerTo, pressAndSettle, setChannel } from '../engine/told.ts';
import { connected } from '../slack/support.ts';
import { ops, opsGroup, people } from '../support/bot/fake-slack.ts';
import { startTestBot, type TestBot, test } from '../support/bot/test-bot.ts';

// Everybody in a channel reads its answers, so its rights hold for the organizations that an admin has confirmed.

async function confirm(bot: TestBot, words: string): Promise<void> {
  expect(await answerTo(bot, 'admin', 'access confirm')).toContain(words);
  await pressAndSettle(bot, 'admin', 'Confirm');
}

test('the rights of a channel that was confirmed for one organization rest when a second joins', async ({ bot }) => {
  const standing = () => createPolicies(bot.store, bot.directory).standing(ops);
  setChannel(bot, { isShared: true, teams: ['T0PARTNER1', 'T0OURS0001'] });
  expect(await standing()).toBe('shared');
  await confirm(bot, 'shared with another organization (T0OURS0001, T0PARTNER1)');
  expect(await standing()).toBe('ok');
  setChannel(bot, { teams: ['T0OURS0001', 'T0PARTNER1', 'T0OTHER001'] });
  expect(await standing()).toBe('shared');
  // An organization that leaves does not change the confirmation.
  setChannel(bot, { teams: ['T0OURS0001'] });
  expect(await standing()).toBe('ok');
});

test('a shared channel whose organizations Slack does not name is confirmed after an event only', async ({ bot }) => {
  setChannel(bot, { isShared: true });
  await bot.say('admin', 'access confirm');
  expect(bot.transcript()).toContain('Slack does not name the organizations of this channel.');
  await bot.replicas[0]?.engine.changed({ kind: 'channel', id: ops, change: 'shared', joined: 'T0PARTNER1' });
  await confirm(bot, 'shared with another organization (T0PARTNER1)');
  await bot.say('operator', 'restart web-1');
  await bot.until(() => bot.story().includes('Restart web-1'), 'the card');
  await bot.replicas[0]?.engine.changed({ kind: 'channel', id: ops, change: 'shared', joined: 'T0OTHER001' });
  await pressAndSettle(bot, 'operator', 'Confirm');
  expect(bot.story()).toContain('Restart web-1  [not run]');
  expect(bot.writes()).toEqual([]);
});

test('a shared channel that was confirmed rests while Slack names no organization of it', async ({ bot }) => {
  setChannel(bot, { isShared: true, teams: ['T0PARTNER1'] });
  await confirm(bot, 'T0PARTNER1');
  const policies = createPolicies(bot.store, bot.directory);
  expect(await policies.standing(ops)).toBe('ok');
  setChannel(bot, { isShared: true, teams: [] });
  expect(await policies.standing(ops)).toBe('shared');
});

test('a confirmation does not hold for a channel that was shared between the card and the click', async ({ bot }) => {
  setChannel(bot, { isPrivate: false });
  expect(await answerTo(bot, 'admin', 'access confirm')).toContain('public, not shared');
  setChannel(bot, { isPrivate: false, isShared: true, teams: ['T0PARTNER1'] });
  await pressAndSettle(bot, 'admin', 'Confirm');
  expect(await createPolicies(bot.store, bot.directory).standing(ops)).toBe('shared');
  const confirmed = (await bot.store.audit.list({ limit: 50 })).filter(({ kind }) => kind === 'policy');
  expect(confirmed).toEqual([]);
});

test('a channel that takes the name of another channel does not get its rights', async ({ bot }) => {
  setChannel(bot, {}, 'C0TAKEN');
  setChannel(bot, { name: 'renamed' });
  await bot.say('operator', 'restart web-1', { place: { channel: 'C0TAKEN', kind: 'channel' } });
  expect(bot.transcript('C0TAKEN')).toContain('this channel has no policy');
  expect(await bot.store.operations.list({ limit: 1 })).toEqual([]);
  expect(await answerTo(bot, 'operator', 'restart web-1')).toContain('Restart web-1');
});

test('a workspace admin who joins the channel cannot approve: being in a channel, or running Slack, makes nobody an approver', async () => {
  const { side } = await connected();
  const admin = await side.directory.person('U0ADMIN001');
  expect(Object.keys(admin)).not.toContain('isAdmin');
  expect(admin.membership).toBe('member');
  const rule = { approve: 1, by: [`group:${opsGroup}`] };
  const grants = [{ to: [`user:${people.operator}`], can: ['read', 'operate'] }];
  const bot = await startTestBot({ policy: policySchema.parse({ grants, rules: { disruptive: rule } }) });
  bot.roster.set('U0OWNER001', { name: 'owner', membership: admin.membership });
  await bot.say('operator', 'restart web-1');
  await bot.press('U0OWNER001', 'Approve');
  expect(bot.transcript()).toContain('(only @owner) You cannot approve this');
  expect(bot.writes()).toEqual([]);
});
