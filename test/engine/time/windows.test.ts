import { expect, test } from 'vitest';
import { type Policy, policySchema } from '../../../src/core/policy/policy.ts';
import { day, hour, minute } from '../../../src/core/text/words.ts';
import { opsGroup, people } from '../../support/bot/fake-slack.ts';
import { usualPolicy } from '../../support/bot/policy.ts';
import { startTestBot, type TestBot } from '../../support/bot/test-bot.ts';
import { cardOf, confirm, fillIn, pressAndSettle, requested, sayAndSettle, submitAndSettle } from '../told.ts';
import { detailsOf, later, newestRow, offline, restarts } from './hours.ts';

// A request that belongs in a maintenance window begins in one, and outside of it never.

const week = 7 * day;

/** `wed 14:05-17:05 Africa/Abidjan`, from some time from now; the clocks there never change. */
function windowIn(fromMs: number, lengthMs: number, now = Date.now()): string {
  const from = new Date(Math.ceil((now + fromMs) / minute) * minute);
  const clock = (at: Date) => at.toISOString().slice(11, 16);
  const name = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'][from.getUTCDay()];
  return `${name} ${clock(from)}-${clock(new Date(from.getTime() + lengthMs))} Africa/Abidjan`;
}

const lead = [`user:${people.lead}`];

function policyWith(windows: Record<string, string>, rule: object | null): Policy {
  const usual = usualPolicy(opsGroup);
  return policySchema.parse({
    ...usual,
    windows,
    rules: { ...usual.rules, ...(rule === null ? {} : { disruptive: { by: lead, ...rule } }) },
  });
}

const onlyThen = 'It begins only in the maintenance window “maintenance”, ';
const required = { approve: 1, window: 'maintenance' };
const openLater = (rule: object | null = required) => policyWith({ maintenance: windowIn(5 * hour, 3 * hour) }, rule);
const openNow = (rule: object | null = required) => policyWith({ maintenance: windowIn(-hour, 3 * hour) }, rule);

/** Moves the clock to the hour of the newest request. */
async function toItsHour(bot: TestBot): Promise<void> {
  await later(bot, ((await newestRow(bot)).startsAt ?? 0) - bot.now() + 100);
}

/** No process runs from a minute before the hour of the newest request on, for this time. */
async function offlineAtItsHour(bot: TestBot, ms: number): Promise<void> {
  bot.skip(((await newestRow(bot)).startsAt ?? 0) - bot.now() - minute);
  await bot.store.presence.note();
  await offline(bot, ms);
}

test('a rule with a maintenance window schedules the request into the next one, and the card says so before anybody approves', async () => {
  const bot = await requested('restart web-1', { policy: openLater() });
  const { startsAt, state, expiresAt, createdAt } = await newestRow(bot);
  expect(state).toBe('waiting');
  expect(cardOf(bot)).toMatch(/Restart web-1 in “maintenance”, .*\d\d:\d\d UTC–.*\d\d:\d\d UTC/);
  expect(await detailsOf(bot)).toContain('If it cannot begin in it, it moves into the next one.');
  expect((expiresAt ?? 0) - createdAt).toBe(24 * hour);
  await pressAndSettle(bot, 'lead', 'Approve');
  expect((await newestRow(bot)).state).toBe('scheduled');
  expect(restarts(bot)).toBe(0);
  await toItsHour(bot);
  await bot.settle();
  expect((await newestRow(bot)).state).toBe('done');
  expect((await newestRow(bot)).startedAt ?? 0).toBeGreaterThanOrEqual(startsAt ?? 0);
  expect(restarts(bot)).toBe(1);
});

test('while the window is open, an approved request begins at once', async () => {
  const bot = await requested('restart web-1', { policy: openNow() });
  expect(cardOf(bot)).toContain('Restart web-1 in “maintenance”, open until ');
  await pressAndSettle(bot, 'lead', 'Approve');
  expect(restarts(bot)).toBe(1);
});

test('an approval after the end of the window moves the request into the next one, and the thread says so', async () => {
  const bot = await requested('restart web-1', { policy: openNow() });
  await later(bot, 4 * hour);
  await bot.press('lead', 'Approve');
  await bot.until(async () => (await newestRow(bot)).state === 'scheduled', 'the move');
  await bot.settle();
  const { startsAt } = await newestRow(bot);
  expect((startsAt ?? 0) - bot.now()).toBeGreaterThan(week - 6 * hour);
  expect(restarts(bot)).toBe(0);
  expect(bot.story()).toContain('Restart web-1 begins only in the maintenance window “maintenance”. It moves to ');
  expect(await bot.store.audit.list({ kind: 'moved', limit: 9 })).toHaveLength(1);
  await toItsHour(bot);
  await bot.settle();
  expect(restarts(bot)).toBe(1);
});

test('a bot that was down during the whole window moves the request, and asks nobody to continue outside of it', async () => {
  const bot = await requested('restart web-1', { policy: openLater() });
  await pressAndSettle(bot, 'lead', 'Approve');
  const { startsAt } = await newestRow(bot);
  await offlineAtItsHour(bot, 4 * hour);
  await bot.until(async () => (await newestRow(bot)).startsAt === (startsAt ?? 0) + week, 'the move');
  await bot.settle();
  expect(await newestRow(bot)).toMatchObject({ state: 'scheduled', heldAt: null });
  expect(restarts(bot)).toBe(0);
});

test('a rule that gets a window after the approval holds the request until that window', async () => {
  const bot = await requested('restart web-1 in 1h', { policy: policyWith({}, { approve: 1 }) });
  await pressAndSettle(bot, 'lead', 'Approve');
  const { startsAt } = await newestRow(bot);
  expect(await bot.savePolicy('C0OPS', openLater(), 1)).toBe(true);
  await toItsHour(bot);
  await bot.until(async () => (await newestRow(bot)).startsAt !== startsAt, 'the move');
  await bot.settle();
  expect((await newestRow(bot)).state).toBe('scheduled');
  expect(restarts(bot)).toBe(0);
});

test('a requester chooses a maintenance window, and an unknown one is refused with the names of the known', async () => {
  const bot = await requested('restart web-1 window=nightly', { policy: openLater(null) });
  await bot.until(() => bot.story().includes('This channel has no maintenance window nightly.'), 'the refusal');
  expect(bot.story()).toContain('It has maintenance.');
  await confirm(bot, 'operator', 'restart web-1 window=maintenance');
  expect((await newestRow(bot)).state).toBe('scheduled');
  expect(restarts(bot)).toBe(0);
  await toItsHour(bot);
  await bot.settle();
  expect(restarts(bot)).toBe(1);
});

test('an hour outside of the window of the rule is refused with the next ones, and one inside of it is kept', async () => {
  const bot = await requested('restart web-1 in 1h', { policy: openLater() });
  await bot.until(() => bot.story().includes(onlyThen), 'the refusal');
  expect(await bot.store.operations.list({ limit: 1 })).toEqual([]);
  expect(bot.story()).toMatch(/(\[\w{3} \w{3} \d+ \d+:\d\d [AP]M\] ?){3}/);
  await sayAndSettle(bot, 'operator', 'restart web-1 in 6h');
  const { startsAt } = await newestRow(bot);
  expect(Math.abs((startsAt ?? 0) - bot.now() - 6 * hour)).toBeLessThan(2 * minute);
  expect(cardOf(bot)).toContain('Restart web-1 in “maintenance”, ');
});

test('"Move…" and "Run now" keep a scheduled request in its window', async () => {
  const bot = await startTestBot({ policy: openLater(null) });
  await confirm(bot, 'operator', 'restart web-1 window=maintenance');
  const { startsAt } = await newestRow(bot);
  await bot.press('operator', 'Run now');
  await bot.until(() => bot.story().includes(onlyThen), 'the refusal');
  expect(restarts(bot)).toBe(0);
  const form = await bot.open('operator', { button: 'Move…' });
  const outside = await bot.submit('operator', form, { '@at': new Date((startsAt ?? 0) - hour).toISOString() });
  expect(JSON.stringify(outside)).toContain(onlyThen);
  await submitAndSettle(bot, 'operator', form, { '@at': new Date((startsAt ?? 0) + hour).toISOString() });
  expect(await newestRow(bot)).toMatchObject({ state: 'scheduled', startsAt: (startsAt ?? 0) + hour });
});

test('the grace of a rule is in the details of the card, and the bot asks only after it', async () => {
  const bot = await requested('restart web-1 in 2h', { policy: policyWith({}, { approve: 1, grace: '30m' }) });
  expect(await detailsOf(bot)).toContain(
    'At that hour the bot checks the target, the rights, the approvals and freezes again. If it starts more than 30 minutes late, it asks you first.',
  );
  await pressAndSettle(bot, 'lead', 'Approve');
  await offlineAtItsHour(bot, 26 * minute);
  await bot.settle();
  expect(restarts(bot)).toBe(1);
});

test('`why` says the countdown, the maintenance window with its next hour, and who pinned the target', async () => {
  const usual = usualPolicy(opsGroup);
  const policy = policySchema.parse({
    ...usual,
    windows: { maintenance: windowIn(5 * hour, 3 * hour) },
    rules: { destructive: { approve: 2, by: [`group:${opsGroup}`], wait: '5m', window: 'maintenance' } },
  });
  const bot = await startTestBot({ policy });
  await sayAndSettle(bot, 'lead', 'pin domain:example.com "all mail goes there"');
  await bot.say('operator', 'why dns domain-remove example.com');
  await bot.until(() => bot.story().includes('Pinned: '), 'the answer');
  const said = bot.story();
  expect(said).toContain('Waits: 5 min after the last approval, and can be stopped until then');
  expect(said).toContain('Begins: only in the maintenance window “maintenance”, ');
  expect(said).toContain(', which opens next on ‹date›');
  expect(said).toContain('example.com is pinned by @lead: all mail goes there. So it needs one approver more');
});

test('a request that is sent back opens with its hour', async () => {
  const bot = await requested('restart web-1 in 2h', { policy: policyWith({}, { approve: 1 }) });
  const { startsAt } = await newestRow(bot);
  await fillIn(bot, 'lead', 'Ask for changes…', { words: 'an hour later' });
  const form = await bot.open('operator', { button: 'Change it…' });
  expect(form).toMatchObject({
    fields: expect.arrayContaining([expect.objectContaining({ name: '@at', initial: startsAt })]),
  });
});
