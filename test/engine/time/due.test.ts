import { expect } from 'vitest';
import { day, hour, minute } from '../../../src/core/text/words.ts';
import type { Form } from '../../../src/core/view/form.ts';
import { startTestBot, type TestBot, type TestBotOptions, test } from '../../support/bot/test-bot.ts';
import { engines } from '../../support/database/databases.ts';
import { decide, rules } from '../asked.ts';
import { answerTo, cardOf, pressAndSettle, requested, sayAndSettle } from '../told.ts';
import { later, newestRow, offline, restarts } from './hours.ts';

// A request for a later hour is decided now, waits in its row, and is checked again at its hour.

async function scheduled(line: string, options: TestBotOptions = {}): Promise<TestBot> {
  const bot = await startTestBot(options);
  await decide(bot, line);
  expect((await newestRow(bot)).state).toBe('scheduled');
  return bot;
}

test.each(engines)('on %s, a request waits without a lock, is due at its hour, and runs once', async (engine) => {
  const bot = await scheduled('restart web-1 in 2h', { engine });
  const { startsAt, nextTurnAt } = await newestRow(bot);
  expect(Math.abs((startsAt ?? 0) - bot.now() - 2 * hour)).toBeLessThan(minute);
  expect((nextTurnAt ?? 0) - (startsAt ?? 0)).toBeLessThan(2_000);
  expect(nextTurnAt ?? 0).toBeGreaterThanOrEqual(startsAt ?? 0);
  expect(await bot.store.locks.list()).toEqual([]);
  expect(cardOf(bot)).toContain('scheduled');
  expect(cardOf(bot)).toMatch(/^## ⏳ Restart web-1 \d{4}-.* UTC {2}\[scheduled\]$/m);
  expect(cardOf(bot)).toContain('[Move…] [Call off]');
  bot.skip((startsAt ?? 0) - bot.now() - 2_000);
  await bot.until(async () => (await newestRow(bot)).startedAt !== null, 'the begin');
  expect(((await newestRow(bot)).startedAt ?? 0) - (startsAt ?? 0)).toBeGreaterThanOrEqual(0);
  await bot.settle();
  expect((await newestRow(bot)).state).toBe('done');
  // The clock is set back behind the hour.
  await later(bot, -hour);
  await bot.settle();
  expect(restarts(bot)).toBe(1);
});

/** The server is off at the hour of its request, which a new card replaces. */
async function offAtItsHour(bot: TestBot): Promise<void> {
  const { id, startsAt } = await newestRow(bot);
  bot.sim.power({ order: '34-12345', state: 'off' });
  await later(bot, (startsAt ?? 0) - bot.now() + 1_000);
  await bot.until(async () => (await newestRow(bot)).id !== id, 'the new card');
  await bot.settle();
}

test('at its hour a request whose facts changed does not run, and the new card can be answered for an hour', async () => {
  const bot = await scheduled('restart web-1 at=23:59 because nightly');
  await offAtItsHour(bot);
  const [again, old] = await bot.store.operations.list({ limit: 2 });
  expect(old).toMatchObject({ state: 'refused', endReason: 'changed' });
  expect(old?.endText).toContain('The power of web-1 was on and is off now.');
  expect(again).toMatchObject({ state: 'waiting', startsAt: null });
  expect((again?.expiresAt ?? 0) - (again?.createdAt ?? 0)).toBe(hour);
  expect(bot.story()).toMatch(/Asked again: .* was on and is off now\. Its hour, ‹date›, is lost\./);
  expect(restarts(bot)).toBe(0);
});

test('the approvers of a request that changed before its hour are asked again, in the thread of the new card', async () => {
  const bot = await requested('restart web-1 in 2h', { policy: rules({ approve: 1 }) });
  await pressAndSettle(bot, 'admin', 'Approve');
  await offAtItsHour(bot);
  expect(bot.story()).toMatch(/^ {4}@admin approved it before it changed\. .* It needs you again\.$/m);
});

test('a request that nobody approved until its hour ends as expired at its hour', async () => {
  const bot = await requested('reset web-1 in 3h because it hangs');
  const { startsAt, expiresAt } = await newestRow(bot);
  expect(expiresAt).toBe(startsAt);
  expect(cardOf(bot)).toContain('[Approve for ');
  await later(bot, (startsAt ?? 0) - bot.now() + 10);
  await bot.until(async () => (await newestRow(bot)).state === 'expired', 'the end');
});

test('frozen at its hour, a request ends as refused, or waits for the end of the freeze if its requester chose so', async () => {
  const bot = await scheduled('restart web-1 in 2h');
  await decide(bot, 'restart db-1 in 2h if-frozen=wait');
  await later(bot, hour);
  await sayAndSettle(bot, 'operator', 'freeze here "release" for=62m');
  await later(bot, hour + 1_000);
  await bot.settle();
  const states = async () =>
    (await bot.store.operations.list({ commands: ['restart'], limit: 5 })).map(({ state }) => state).toReversed();
  await bot.until(async () => (await states())[0] === 'refused', 'the refusal');
  expect(await states()).toEqual(['refused', 'scheduled']);
  expect(bot.story()).toContain('Waits for the end of the freeze: this channel is frozen: release.');
  await later(bot, minute);
  await bot.settle();
  await later(bot, minute);
  await bot.until(async () => (await states())[1] === 'done', 'the end of the other');
  expect(restarts(bot)).toBe(1);
});

test('a line whose hour makes no sense is refused with the reason, and asks for nothing', async ({ bot }) => {
  for (const [line, why] of [
    ['restart web-1 at=yesterday', 'yesterday is past.'],
    ['restart web-1 at=someday', 'is not a time'],
    ['restart web-1 2026-11-31 03:00', 'November has 30 days.'],
    ['freeze here "release" until="2026-11-31 03:00"', 'November has 30 days.'],
    ['audit from=2026-11-31', 'November has 30 days.'],
    ['restart web-1 in=2h at=23:59', 'at and in are both given.'],
    ['restart web-1 if-frozen=wait', 'if-frozen is about a later hour'],
    ['restart web-1 in=2h if-frozen=maybe', 'if-frozen is neither wait nor refuse.'],
    ['restart web-1 until 18:00', 'Nothing takes restart back by itself at an hour.'],
  ] as const) {
    expect(await answerTo(bot, 'operator', line), line).toContain(why);
  }
  expect(await bot.store.operations.list({ limit: 1 })).toEqual([]);
});

test('an hour after the end of the order, or inside a freeze, is said before anybody decides', async ({ bot }) => {
  expect(await answerTo(bot, 'operator', 'restart web-1 at="in 60 days"')).toMatch(
    /web-1 is paid until .*, before that hour\./,
  );
  expect(await answerTo(bot, 'operator', 'restart cache-1 every monday 4am for 8 weeks')).toMatch(
    /cache-1 is paid until .*, before the series ends\./,
  );
  await sayAndSettle(bot, 'operator', 'freeze here release for=2h');
  const answer = await answerTo(bot, 'operator', 'restart web-2 in 1h because of the kernel');
  expect(answer).toMatch(/At that hour, this channel is frozen until .*: release\./);
  expect(answer).toMatch(/\[Begin (today|tomorrow) \d.*M\] \[Begin when the freeze ends\]/);
  await pressAndSettle(bot, 'operator', 'Begin when the freeze ends');
  expect(await newestRow(bot)).toMatchObject({ begins: { ifFrozen: 'wait' }, plan: { reason: 'the kernel' } });
});

test('the label of the button names the day, and changes at midnight', async () => {
  const bot = await startTestBot({ policy: rules({ approve: 1 }) });
  // At noon UTC, so that midnight in Berlin comes before the request expires.
  await bot.pass(day - ((bot.now() + day / 2) % day));
  await sayAndSettle(bot, 'operator', 'restart web-1 at="tomorrow 23:30"');
  expect(bot.story()).toContain('[Approve for tomorrow 11:30 PM]');
  await bot.pass(14 * hour);
  await bot.until(() => bot.story().includes('[Approve for today 11:30 PM]'), 'the new day');
});

// The hour of a request on clocks that differ, in a process that slept over it, and while a person moves it.

async function scheduledRow(line: string, options: TestBotOptions = {}) {
  const bot = await startTestBot(options);
  await decide(bot, line);
  const { id, startsAt } = await newestRow(bot);
  return { bot, id, startsAt: startsAt ?? 0 };
}

test('a process whose clock is nine minutes ahead begins at the hour by the clock of the database, and not earlier', async () => {
  const { bot, id, startsAt } = await scheduledRow('restart web-1 in 5m', {
    engine: 'postgres',
    process: { leaseClock: 'database' },
  });
  bot.skip(9 * minute);
  expect(bot.now()).toBeGreaterThan(startsAt);
  const begun = bot.replicas.map(({ claims }) => claims.begun);
  // Woken by a click, it looks at the hour.
  for (const replica of bot.replicas) replica.wake(id);
  await bot.until(() => bot.replicas.some(({ claims }, n) => claims.begun > (begun[n] ?? 0)), 'a turn');
  for (const replica of bot.replicas) await replica.sweep();
  await bot.until(async () => ((await newestRow(bot)).nextTurnAt ?? 0) >= startsAt, 'the end of the turns');
  expect(await newestRow(bot)).toMatchObject({ state: 'scheduled', startsAt });
  expect(restarts(bot)).toBe(0);
  // The hour comes for the database.
  await bot.database.run(`update operations set starts_at = ${Date.now()}, next_turn_at = 1 where id = '${id}'`);
  await bot.until(async () => (await newestRow(bot)).state === 'done', 'the end');
  await bot.settle();
  expect(restarts(bot)).toBe(1);
});

test.each([
  ['slept over the hour: within the grace it begins', 9 * minute, false],
  ['slept over the hour: longer than the grace it asks before it begins', 11 * minute, true],
  ['was down at the hour: within the grace it begins', 5 * minute, false],
  ['was down at the hour: longer than the grace it asks before it begins', 12 * minute, true],
] as const)('a process that %s', async (what, lateMs, isAsked) => {
  const { bot, startsAt } = await scheduledRow('restart web-1 in 2h');
  const isAsleep = what.startsWith('slept');
  if (!isAsleep) bot.skip(startsAt - bot.now() - minute);
  await bot.store.presence.note();
  const awayMs = startsAt - bot.now() + lateMs;
  // Nothing of the process runs while its machine sleeps.
  await (isAsleep ? bot.pass(awayMs) : offline(bot, awayMs));
  await bot.until(async () => {
    const { state, heldAt } = await newestRow(bot);
    return state === 'done' || heldAt !== null;
  }, 'the end or the question');
  expect((await newestRow(bot)).state).toBe(isAsked ? 'approved' : 'done');
  expect(restarts(bot)).toBe(isAsked ? 0 : 1);
  if (!isAsked) return;
  await bot.until(() => cardOf(bot).includes('[Continue]'), 'the button');
  if (!isAsleep) expect(cardOf(bot)).toContain('It could not begin within 10 min after its hour.');
  await pressAndSettle(bot, 'operator', 'Continue');
  expect(restarts(bot)).toBe(1);
});

const move = (bot: TestBot, form: Awaited<ReturnType<TestBot['open']>>, at: number) =>
  bot.submit('operator', form as Form, { '@at': new Date(at).toISOString() });

test('the form that moves a request says that it is under way, or has ended, when its hour came meanwhile', async () => {
  const { bot, startsAt } = await scheduledRow('restart web-1 in 2h', {
    provider: { jobMs: 60_000 },
  });
  await later(bot, startsAt - bot.now() - minute);
  const form = await bot.open('operator', { button: 'Move…' });
  await later(bot, minute + 100);
  await bot.until(() => restarts(bot) === 1, 'the begin');
  const refusedAt = (words: string) => ({ kind: 'errors', errors: { '@at': expect.stringContaining(words) } });
  expect(await move(bot, form, bot.now() + hour)).toEqual(
    refusedAt('Restart web-1 has been decided already and is under way.'),
  );
  bot.sim.advance(minute);
  await bot.settle();
  expect(await move(bot, form, bot.now() + hour)).toEqual(refusedAt('This has ended already. '));
  expect(await newestRow(bot)).toMatchObject({ state: 'done', startsAt });
  expect(await bot.store.audit.list({ kind: 'moved', limit: 9 })).toEqual([]);
  expect(restarts(bot)).toBe(1);
});

test('a request that was moved right before its hour does not begin then, and begins at the other hour', async () => {
  const { bot, startsAt } = await scheduledRow('restart web-1 in 2h');
  await later(bot, startsAt - bot.now() - minute);
  const form = await bot.open('operator', { button: 'Move…' });
  expect(await move(bot, form, startsAt + hour)).toEqual({ kind: 'accepted' });
  await later(bot, 2 * minute);
  await bot.settle();
  expect(bot.now()).toBeGreaterThan(startsAt);
  expect(await newestRow(bot)).toMatchObject({ state: 'scheduled', startsAt: startsAt + hour });
  expect(restarts(bot)).toBe(0);
  await later(bot, startsAt + hour - bot.now() + 100);
  await bot.until(async () => (await newestRow(bot)).state === 'done', 'the end');
  await bot.settle();
  expect(restarts(bot)).toBe(1);
});
