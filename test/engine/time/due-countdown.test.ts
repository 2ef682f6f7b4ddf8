import { expect } from 'vitest';
import { policySchema } from '../../../src/core/policy/policy.ts';
import { minute } from '../../../src/core/text/words.ts';
import { opsGroup, people } from '../../support/bot/fake-slack.ts';
import { usualPolicy } from '../../support/bot/policy.ts';
import { startTestBot, type TestBot, type TestBotOptions, test } from '../../support/bot/test-bot.ts';
import { engines } from '../../support/database/databases.ts';
import { passAndSettle, policyOf, pressAndSettle, sayAndSettle, submitAndSettle, wordsOf } from '../told.ts';
import { detailsOf } from './hours.ts';

// Between its approvals and its write, a request that destroys counts down, and everybody who may read it can stop it.

const by = [`group:${opsGroup}`];

const waiting = policySchema.parse({
  ...usualPolicy(opsGroup),
  rules: { dangerous: { approve: 1, by }, destructive: { approve: 1, by, typed: true, wait: '15m' } },
});

const says = (bot: TestBot, words: string) => bot.until(() => bot.story().includes(words), words);
/** The time from now to the end of the countdown, to the minute. */
async function leftMs(bot: TestBot): Promise<number> {
  const [row] = await bot.store.operations.list({ commands: ['dns domain-remove'], limit: 1 });
  return Math.round(((row?.readyAt ?? 0) - bot.now()) / minute) * minute;
}

const removals = (bot: TestBot) => bot.writes().filter((write) => write.startsWith('DELETE'));

/** The lead asks for it, and another person approves it with the name. */
async function approve(bot: TestBot, line: string, by = 'operator', words = 'example.com'): Promise<void> {
  await bot.say('lead', line);
  await bot.submit(by, await bot.open(by, { button: 'Approve' }), { words });
}

async function approvedRemoval(options: TestBotOptions = {}): Promise<TestBot> {
  const bot = await startTestBot({ policy: waiting, ...options });
  await approve(bot, 'dns domain-remove example.com');
  await says(bot, '[counting down]');
  await bot.until(async () => (await bot.store.messages.pending()) === 0, 'the messages');
  return bot;
}

test.each(engines)('on %s, an approved removal counts down, tells its people once, then removes', async (engine) => {
  const bot = await approvedRemoval({ engine });
  expect(await leftMs(bot)).toBe(15 * minute);
  expect(bot.story()).toMatch(/^## ⌛ Remove the domain example.com begins .* {2}\[counting down\]$/m);
  expect(bot.story()).toContain('Everybody who may read this can stop it.');
  expect(await bot.store.locks.list()).toEqual([]);
  await bot.pass(14 * minute);
  expect(removals(bot)).toEqual([]);
  await passAndSettle(bot, minute);
  expect(removals(bot)).toHaveLength(1);
  const told = bot.posted.filter(({ key }) => key.startsWith('cooling:'));
  expect(told.map(({ channel }) => channel).sort()).toEqual(['C0OPS', people.operator]);
  expect(told.map(({ view }) => wordsOf(bot, view)).join()).toContain('@lead Remove the domain example.com');
  expect(await bot.store.audit.list({ kind: 'cooling', limit: 9 })).toHaveLength(1);
});

test.each([
  ['everybody who may read the request stops it', 'reader', true],
  ['an approver stops it from the direct message about it,', 'operator', false],
])('%s during the countdown, and nothing is sent', async (_, who, first) => {
  const bot = await approvedRemoval();
  await pressAndSettle(bot, who, 'Stop', { first });
  expect(bot.story()).toContain(`not run: @${who} stopped it. Nothing was done.`);
  expect(removals(bot)).toEqual([]);
});

test('a person outside of the channel cannot stop a countdown', async () => {
  const bot = await approvedRemoval();
  bot.absent.add(people.reader ?? '');
  await bot.press('reader', 'Stop', { first: true });
  expect(bot.story()).toContain('You may not stop');
  const [row] = await bot.store.operations.list({ limit: 1 });
  expect(row).toMatchObject({ state: 'cooling', stopBy: null });
});

test.each(engines)('on %s, two people who press Stop at once have one effect', async (engine) => {
  const bot = await approvedRemoval({ engine });
  const { button } = bot.findButton('Stop', 'first');
  await Promise.all([bot.click('reader', button), bot.click('lead', button)]);
  await bot.settle();
  expect(removals(bot)).toEqual([]);
  expect(await bot.store.audit.list({ kind: 'refused', limit: 9 })).toHaveLength(1);
});

test('a new process continues the countdown from its row, and begins once', async () => {
  const bot = await approvedRemoval();
  const [before] = await bot.store.operations.list({ limit: 1 });
  bot.skip(5 * minute);
  await bot.crash();
  const [after] = await bot.store.operations.list({ limit: 1 });
  expect(after?.readyAt).toBe(before?.readyAt);
  await passAndSettle(bot, 10 * minute + 100);
  expect(removals(bot)).toHaveLength(1);
});

test('a bot that was offline far past the end of the countdown waits for Continue', async () => {
  const bot = await approvedRemoval();
  bot.skip(60 * minute);
  await bot.crash();
  await says(bot, '[waiting for "Continue"]');
  expect(removals(bot)).toEqual([]);
});

test('an approver who lost the right during the countdown no longer counts at its end, and the next approval counts down anew', async () => {
  const bot = await approvedRemoval();
  bot.groups.get(opsGroup)?.delete(people.operator ?? '');
  await bot.pass(16 * minute);
  await says(bot, 'no longer counts');
  await bot.until(() => bot.hasButton('Approve removing the domain example.com'), 'the card to wait');
  await bot.submit('admin', await bot.open('admin', { button: 'Approve' }), { words: 'example.com' });
  await says(bot, '[counting down]');
  expect(removals(bot)).toEqual([]);
});

test.each([
  [
    'pin domain:example.com "all mail"',
    'Pin example.com  [done',
    'It was pinned after the request: 2 approvals, with the name typed, then 15 min to stop it.',
  ],
  ['freeze here "release"', 'Frozen: release', 'not run: this channel is frozen: release'],
])('after %j during the countdown the domain is not removed at its end', async (line, begun, why) => {
  const bot = await approvedRemoval();
  await bot.say('operator', line);
  await says(bot, begun);
  await passAndSettle(bot, 16 * minute);
  expect(bot.story()).toContain(why);
  expect(removals(bot)).toEqual([]);
});

test('a cancellation that can be withdrawn until it takes effect does not count down', async () => {
  const bot = await startTestBot({ policy: waiting });
  await approve(bot, 'cancel staging-1', 'operator', 'staging-1');
  await bot.settle();
  expect(bot.writes()).toHaveLength(1);
});

test('a channel without a rule for what destroys counts down for five minutes', async () => {
  const bot = await startTestBot({ policy: { ...usualPolicy(opsGroup), rules: {} } });
  await approve(bot, 'dns domain-remove example.com', 'admin');
  await says(bot, '[counting down]');
  expect(await leftMs(bot)).toBe(5 * minute);
});

test('a rule sets the countdown, and keeps it when it is set anew', async ({ bot }) => {
  const ruleAfter = async (line: string, confirm = true) => {
    await bot.say('admin', line);
    if (confirm) await pressAndSettle(bot, 'admin', 'Confirm');
    return (await policyOf(bot))?.rules.destructive;
  };
  expect(await ruleAfter('access rule destructive approve 1 typed wait=20m by=@ops')).toMatchObject({ wait: '20m' });
  expect(bot.story()).toContain('one approval from @ops or an admin, with the name typed, then 20 min to stop it');
  expect(await ruleAfter('access rule destructive approve 2 by=@ops')).toMatchObject({ approve: 2, wait: '20m' });
  expect(await ruleAfter('access rule destructive confirm wait=5m', false)).toMatchObject({ approve: 2 });
  expect(await ruleAfter('access rule destructive approve 1 wait=0s by=@ops')).not.toHaveProperty('wait');
});

test.each(['1x', '-5m', '25h', '99999d', ''])('a policy with the countdown %j is refused', (wait) => {
  expect(policySchema.safeParse({ rules: { destructive: { approve: 1, wait } } }).success).toBe(false);
});

test('a request with an hour counts down to it, and its card says so before it is approved', async () => {
  const bot = await startTestBot({ policy: waiting });
  await bot.say('lead', 'dns domain-remove example.com in 2h');
  const form = await bot.open('operator', { button: 'Approve' });
  expect(await detailsOf(bot)).toContain(
    'The last 15 min before it are a countdown, in which everybody who may read this can stop it.',
  );
  await submitAndSettle(bot, 'operator', form, { words: 'example.com' });
  const [row] = await bot.store.operations.list({ commands: ['dns domain-remove'], limit: 1 });
  expect(row).toMatchObject({ state: 'scheduled', readyAt: null });
  expect((row?.nextTurnAt ?? 0) - (row?.startsAt ?? 0)).toBeLessThan(-14 * minute);
  await bot.pass(105 * minute);
  await says(bot, '[counting down]');
  expect(removals(bot)).toEqual([]);
  await passAndSettle(bot, 16 * minute);
  expect(removals(bot)).toHaveLength(1);
  const ended = await bot.store.operations.find(row?.id ?? '');
  expect((ended?.startedAt ?? 0) - (row?.startsAt ?? 0)).toBeGreaterThanOrEqual(0);
  expect((ended?.readyAt ?? 0) - (row?.startsAt ?? 0)).toBeLessThan(minute);
});

test('a request that is approved when its countdown should have begun says before the approval that it begins late', async () => {
  const bot = await startTestBot({ policy: waiting });
  await sayAndSettle(bot, 'lead', 'dns domain-remove example.com in 20m');
  await bot.pass(10 * minute);
  expect(bot.story()).toMatch(/Approved after .*, it begins late: 15 min to stop it come first\./);
  await bot.submit('operator', await bot.open('operator', { button: 'Approve' }), { words: 'example.com' });
  await says(bot, '[counting down]');
  expect(bot.story()).not.toContain('begins it late');
  await bot.pass(14 * minute);
  expect(removals(bot)).toEqual([]);
  await passAndSettle(bot, 2 * minute);
  expect(removals(bot)).toHaveLength(1);
});
