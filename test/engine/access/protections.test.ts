import { expect } from 'vitest';
import { type Policy, policySchema } from '../../../src/core/policy/policy.ts';
import { protectionsOfPeople } from '../../../src/engine/access/protections.ts';
import { opsGroup, people } from '../../support/bot/fake-slack.ts';
import { usualPolicy } from '../../support/bot/policy.ts';
import { startTestBot, type TestBot, test } from '../../support/bot/test-bot.ts';
import { answerTo, confirm, fillIn, homeOf, pressAndSettle, sayAndPress } from '../told.ts';

// A pinned target needs one approver more for dangerous requests, and is never one of several.

const pinsOf = (bot: TestBot) => protectionsOfPeople(bot);

/** The operator, the lead and the reader may approve; so may the admin. */
const three = { approve: 1, by: [`group:${opsGroup}`, `user:${people.reader}`] };
const threeApprovers: Policy = policySchema.parse({
  ...usualPolicy(opsGroup),
  rules: { dangerous: three, destructive: { ...three, typed: true } },
});
const withRules = (destructive: object | string, more: object = {}) =>
  policySchema.parse({ ...usualPolicy(opsGroup), rules: { destructive }, ...more });

const approve = (bot: TestBot, user: string, name: string) => fillIn(bot, user, 'Approve', { words: name });

test('a pinned server is restarted as before, and destroyed with one approver more', async () => {
  const bot = await startTestBot({ policy: threeApprovers });
  expect(await answerTo(bot, 'operator', 'pin web-1 "the shop runs on it"')).toContain(
    'To destroy web-1 now needs one approver more.',
  );
  expect(await answerTo(bot, 'lead', 'pin web-1 because of me')).toContain(
    'web-1 is pinned already: the shop runs on it.',
  );
  const restart = await answerTo(bot, 'lead', 'restart web-1');
  expect(restart).toContain('📌 “the shop runs on it” — @operator\n');
  expect(restart).toContain('[Restart web-1] [Cancel]');
  await pressAndSettle(bot, 'lead', 'Cancel');
  const reset = await answerTo(bot, 'lead', 'hard-reset web-1');
  expect(reset).toContain('Needs 2 of:');
  const pinned = '📌 “the shop runs on it” — @operator · one approver more';
  expect(reset).toContain(`${pinned}\n`);
  expect(await bot.open('operator', { button: 'Approve' })).toMatchObject({ notes: expect.arrayContaining([pinned]) });
  await approve(bot, 'operator', 'web-1');
  expect(bot.writes()).toEqual([]);
  await approve(bot, 'reader', 'web-1');
  expect(bot.writes()).toHaveLength(1);
});

test('a pin holds in each list, in the status and on Home, with its reason where there is room', async ({ bot }) => {
  for (const [what, why] of [
    ['web-1', 'the shop'],
    ['domain:example.com', 'all mail'],
    ['"Media bucket"', 'the photos'],
    ['files-1', 'all files'],
  ])
    await answerTo(bot, 'operator', `pin ${what} "${why}"`);
  for (const [line, says] of [
    ['list', 'web-1 · 📌 pinned'],
    ['orders', 'web-1 · 📌 pinned'],
    ['dns domains', 'example.com · 📌 pinned'],
    ['s3 list', 'Media bucket · 📌 pinned'],
    ['ds list', 'files-1 · 📌 pinned'],
    ['status web-1', '📌 pinned: the shop · @operator'],
    ['order web-1', '📌 pinned: the shop · @operator'],
    ['dns list example.com', '📌 pinned: all mail · @operator'],
    ['s3 show "Media bucket"', '📌 pinned: the photos · @operator'],
    ['pin', '📌 web-1'],
  ] as const)
    expect(await answerTo(bot, 'reader', line), line).toContain(says);
  await answerTo(bot, 'reader', 'favorite web-1');
  const rows = (await homeOf(bot, 'reader')).split('\n');
  expect(rows.find((row) => row.includes('web-1'))).toContain('📌 pinned');
  expect(rows.find((row) => row.includes('web-2'))).not.toContain('📌');
  const all = await answerTo(bot, 'reader', 'pins');
  for (const pin of ['📌 web-1', '📌 example.com', '📌 Media bucket', 'the photos']) expect(all).toContain(pin);
  expect(await answerTo(bot, 'lead', 'why reinstall web-1')).toContain(
    '📌 web-1 is pinned by @operator: the shop. So it needs one approver more than the rule says, and the name typed.',
  );
  const [audited] = await bot.store.audit.list({ kind: 'pin', limit: 1 });
  expect(audited?.actor).toBe(people.operator);
});

test('a request for several servers refuses a pinned one by name, and its button leaves it out', async () => {
  const bot = await startTestBot({ policy: threeApprovers });
  await answerTo(bot, 'operator', 'pin web-2 "the shop"');
  expect(await answerTo(bot, 'lead', 'restart web-1 web-2')).toContain('📌 web-2: “the shop” — @operator\n');
  await pressAndSettle(bot, 'lead', 'Cancel');
  const four = 'restart web-1 web-2 db-1 mail-1';
  const answer = await answerTo(bot, 'lead', four);
  expect(answer).toContain('web-2 is pinned: the shop. What may destroy a pinned target is requested for it alone.');
  await pressAndSettle(bot, 'lead', 'Without web-2');
  expect(bot.story()).toContain('Restart web-1, db-1 and mail-1');
  expect(bot.story()).not.toContain('Restart web-1, web-2');
});

test('a server that is pinned while its request waits needs the approver that the pin adds', async () => {
  const bot = await startTestBot({ policy: threeApprovers });
  await answerTo(bot, 'lead', 'cancel staging-1');
  await answerTo(bot, 'operator', 'pin staging-1 "a test runs there"');
  await approve(bot, 'operator', 'staging-1');
  expect(bot.story()).toContain(
    'staging-1 is pinned: a test runs there. It was pinned after the request: 2 approvals, with the name typed.',
  );
  expect(bot.story()).toContain('1 approval still counts on it.');
  expect(bot.writes()).toEqual([]);
  await approve(bot, 'reader', 'staging-1');
  expect(bot.writes()).toHaveLength(1);
});

test('a server that is pinned between two steps is not changed, and the end says why', async () => {
  const bot = await startTestBot({ provider: { jobMs: 60_000 }, policy: threeApprovers });
  await bot.say('lead', 'restart web-1 web-2 db-1 mail-1');
  await bot.press('operator', 'Approve');
  await bot.until(() => bot.story().includes('· accepted'), 'the first step');
  await bot.say('operator', 'pin web-2 "the shop"');
  await bot.until(async () => (await pinsOf(bot)).length === 1, 'the pin');
  bot.skip(11_000);
  bot.sim.advance(60_000);
  await bot.settle();
  expect(bot.story()).toContain('because web-2 is pinned: the shop. It was pinned after the approval');
  expect(bot.writes()).toHaveLength(1);
});

test('a pin is removed with the approvals that destroying would need, never by the person alone who set it', async () => {
  const bot = await startTestBot({ policy: { ...threeApprovers, solo: true } });
  await answerTo(bot, 'operator', 'pin web-1 "the shop"');
  expect(await answerTo(bot, 'operator', 'unpin web-1')).toContain('Needs 2 of:');
  await approve(bot, 'operator', 'web-1');
  expect(await pinsOf(bot)).toHaveLength(1);
  await approve(bot, 'lead', 'web-1');
  expect(await pinsOf(bot)).toEqual([]);
  expect(await answerTo(bot, 'lead', 'unpin web-1')).toContain('web-1 is not pinned.');
});

test('where destroying needs a confirmation only, somebody else approves what a pin protects', async () => {
  const bot = await startTestBot({ policy: withRules('confirm', { solo: true }) });
  await answerTo(bot, 'operator', 'pin staging-1 "a test runs there"');
  expect(await answerTo(bot, 'operator', 'cancel staging-1')).toContain('Needs 1 of: @admin.');
});

test('a pin that makes a rule impossible refuses the request with the numbers', async () => {
  const policy = withRules({ approve: 2, by: [`user:${people.lead}`], typed: true });
  const bot = await startTestBot({ policy });
  await answerTo(bot, 'operator', 'pin staging-1 "a test runs there"');
  expect(await answerTo(bot, 'operator', 'cancel staging-1')).toContain(
    'Nobody can get this approved: 3 approvals are needed, one of them because staging-1 is pinned: a test runs there, and 2 people can approve beside you',
  );
});

test('a pin that was removed while a request waited leaves its approvals enough', async () => {
  const bot = await startTestBot({ policy: threeApprovers });
  await answerTo(bot, 'operator', 'pin staging-1 "a test runs there"');
  await answerTo(bot, 'lead', 'cancel staging-1');
  await approve(bot, 'operator', 'staging-1');
  const [pin] = await pinsOf(bot);
  await bot.store.values.change('protection', pin?.target ?? '', () => null);
  await approve(bot, 'reader', 'staging-1');
  expect(bot.writes()).toHaveLength(1);
});

test('a policy pins in every channel, and its pin is removed in the file only', async () => {
  const bot = await startTestBot({ policy: threeApprovers });
  const pins = [{ target: 'domain:example.*', why: 'all mail' }];
  await bot.savePolicy('C0OTHER', policySchema.parse({ pins }));
  const remove = await answerTo(bot, 'lead', 'dns domain-remove example.com');
  for (const words of ['Needs 2 of:', '📌 “all mail” — the policy of #']) expect(remove).toContain(words);
  expect(await answerTo(bot, 'lead', 'pins')).toContain('the policy of');
  expect(await answerTo(bot, 'lead', 'unpin domain:example.com')).toContain('An admin removes it in the policy file');
});

test.each([
  ['Domain example.com', 'domain:example.com'],
  ['Order 375-13', 'order:375-13'],
])('a name of a domain and of an order is asked about, and the pin is on the chosen %s', async (label, target) => {
  const bot = await startTestBot();
  const asked = await answerTo(bot, 'operator', 'pin example.com "all mail"');
  expect(asked).toContain('example.com is a domain and an order. Which one do you mean?');
  expect(await pinsOf(bot)).toEqual([]);
  await pressAndSettle(bot, 'operator', label);
  expect(await pinsOf(bot)).toMatchObject([{ target, why: 'all mail' }]);
  expect(await answerTo(bot, 'lead', 'unpin example.com')).toContain('Which one do you mean?');
  await pressAndSettle(bot, 'lead', label);
  expect(bot.story()).toContain('Remove the pin of example.com');
  expect(bot.story()).not.toContain('is not pinned.');
});

test('a pin without a reason, with too long a one, on nothing or without the right pins nothing', async ({ bot }) => {
  for (const line of ['pin web-1 ""', `pin web-1 ${'x'.repeat(201)}`, 'pin nowhere "why"'])
    await answerTo(bot, 'operator', line);
  await answerTo(bot, 'reader', 'pin web-1 "no right"');
  expect(await pinsOf(bot)).toEqual([]);
});

test('the tables of requests mark those of a pinned target while they are open', async () => {
  const bot = await startTestBot({ policy: threeApprovers });
  await confirm(bot, 'operator', 'restart web-1');
  for (const name of ['web-1', 'web-3']) await answerTo(bot, 'operator', `pin ${name} "the shop runs on it"`);
  for (const name of ['web-1', 'web-2']) await answerTo(bot, 'operator', `hard-reset ${name}`);
  const all = await answerTo(bot, 'operator', 'requests');
  expect(all.match(/\S+ \S+ \S+ · 📌 pinned/g)).toEqual(['Hard reset web-1 · 📌 pinned']);
  const direct = { channel: 'D0LEAD', kind: 'dm' } as const;
  await bot.say('lead', 'requests waiting', { place: direct });
  expect(bot.story(direct.channel)).toMatch(/Hard reset web-1 · 📌 pinned/);
  bot.sim.fault({ kind: 'nextJob', match: 'POST /vps/{order_id}/restart/', times: 1, end: 'hang' });
  await sayAndPress(bot, 'lead', 'restart web-3');
  await bot.until(() => bot.writes().length === 2, 'the call');
  await bot.say('operator', 'requests running');
  expect(bot.story()).toContain('Restart web-3 · 📌 pinned │ ⏳ running');
});
