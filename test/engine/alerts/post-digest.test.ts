import { expect } from 'vitest';
import { typedDay } from '../../../src/core/time/say-hour.ts';
import { lastRun, nextOf } from '../../../src/core/time/weekly.ts';
import { wallClock } from '../../../src/core/time/zone.ts';
import { digestLateMs } from '../../../src/engine/context/time-limits.ts';
import { confirmed, day, hour, minute } from '../../alerts/support.ts';
import { opsGroup } from '../../support/bot/fake-slack.ts';
import { granting } from '../../support/bot/policy.ts';
import { startTestBot, type TestBot, type TestBotOptions, test } from '../../support/bot/test-bot.ts';
import { engines } from '../../support/database/databases.ts';
import { decide } from '../asked.ts';
import { answerTo, messagesOf, pressAndSettle, requested, sayAndSettle, setChannel, wordsOf } from '../told.ts';

/** The digest: one message of a channel on each day at its hour, and the same facts on demand for a handover. */

const nine = { days: [0, 1, 2, 3, 4, 5, 6], hours: 9, minutes: 0, timeZone: 'Europe/Amsterdam' };
const digests = (bot: TestBot) => messagesOf(bot, 'digest');
const lastDigest = (bot: TestBot) => wordsOf(bot, digests(bot).at(-1)?.view);

/** Every replica sweeps at the same time. */
async function sweep(bot: TestBot): Promise<void> {
  await Promise.all(bot.replicas.map((replica) => replica.sweepAlerts()));
  await bot.until(async () => (await bot.store.messages.pending()) === 0, 'the messages to be delivered');
}

async function watchStatus(): Promise<TestBot> {
  const bot = await startTestBot();
  await confirmed(bot, 'alerts on order-status');
  return bot;
}

/** The answer to a line. */
async function answer(bot: TestBot, user: string, line: string): Promise<string> {
  const before = bot.story().length;
  await bot.say(user, line);
  return bot.story().slice(before);
}

/** Moves the clock to this long before or after the next nine o'clock. */
async function toNine(bot: TestBot, ms = 0): Promise<void> {
  await bot.pass(nextOf(nine, bot.now() - Math.min(0, ms)) - bot.now() + ms);
}

async function nextDigest(bot: TestBot, ms = minute): Promise<void> {
  await toNine(bot, ms);
  await sweep(bot);
}

async function subscribed(options: TestBotOptions = {}): Promise<TestBot> {
  const bot = await startTestBot(options);
  await toNine(bot, -2 * hour);
  await bot.say('operator', 'digest daily 09:00');
  expect(bot.story()).toMatch(/The next one comes \w{3} \w{3} \d+, 09:00 Europe\/Amsterdam\./);
  await pressAndSettle(bot, 'operator', 'Confirm');
  return bot;
}

test.each(engines)('on %s, a channel gets its digest once, from two replicas and after restarts', async (engine) => {
  const bot = await subscribed({ engine, replicas: 2 });
  expect(bot.story()).toContain('Set the digest: daily 09:00 Europe/Amsterdam');
  await confirmed(bot, 'restart web-1');
  await sayAndSettle(bot, 'operator', 'reset web-2 because it hangs');
  bot.sim.order({ order: '34-12411', status: 'blocked' });
  await sweep(bot);
  expect(digests(bot)).toEqual([]);
  await nextDigest(bot);
  expect(digests(bot)).toHaveLength(1);
  const said = lastDigest(bot);
  expect(said).toMatch(/^## Digest since \w{3} \w{3} \d+, 09:00 Europe\/Amsterdam\n/);
  expect(said).toContain('Orders\nThe balance covers 20 days.\nwiki-1 ends in 8 days');
  expect(said).toContain('Trouble\n🔴 db-2 is blocked\n');
  expect(said).not.toMatch(/cache-1|Set the digest|Without a run/);
  expect(said).toContain('Open requests\nHard reset web-2 · needs 1 approval · @operator\n');
  expect(said).toContain('Requests that ended\n✅ Restart web-1 · @operator\n');
  expect(JSON.stringify(digests(bot).at(-1)?.view)).toContain('https://acme.slack.com/archives/');
  expect(said).not.toMatch(/[€$]/);
  expect(said.split(/\s+/).length).toBeLessThanOrEqual(95);
  await bot.restart();
  await sweep(bot);
  await bot.pass(hour);
  await sweep(bot);
  expect(digests(bot)).toHaveLength(1);
  await nextDigest(bot);
  expect(digests(bot)).toHaveLength(2);
  await confirmed(bot, 'digest off');
  await nextDigest(bot);
  expect(digests(bot)).toHaveLength(2);
  expect(bot.log).toEqual([]);
});

test.each([
  ['two hours late, the digest comes late', 2 * hour, 1],
  ['four hours late, the next digest is the one of the next day', 4 * hour, 0],
])('the bot was offline at the hour: %s', async (_, lateMs, most) => {
  const bot = await subscribed();
  for (const replica of bot.replicas.splice(0)) await replica.stop();
  bot.skip(nextOf(nine, bot.now()) - bot.now() + lateMs);
  await bot.openReplica();
  await sweep(bot);
  expect(digests(bot)).toHaveLength(most);
  await nextDigest(bot);
  expect(digests(bot)).toHaveLength(most + 1);
});

test('a digest that is set again on its day is not posted twice, and the answer says the next hour', async () => {
  const bot = await subscribed();
  await nextDigest(bot);
  await bot.say('operator', 'digest daily 09:30');
  expect(bot.story()).toMatch(/The next one comes \w{3} \w{3} \d+, 09:30 Europe\/Amsterdam\./);
  await pressAndSettle(bot, 'operator', 'Confirm');
  await bot.pass(hour);
  await sweep(bot);
  expect(digests(bot)).toHaveLength(1);
  await nextDigest(bot, 31 * minute);
  expect(digests(bot)).toHaveLength(2);
});

test('a digest names only what a grant of the channel lets people read, and no balance without billing', async () => {
  const policy = granting({ everyone: 'read on tag:web', [`group:${opsGroup}`]: 'operate' });
  const bot = await subscribed({ policy });
  for (const order of ['34-12399', '34-12346']) bot.sim.order({ order, status: 'blocked' });
  await nextDigest(bot);
  expect(lastDigest(bot)).toContain('🔴 web-2 is blocked');
  expect(lastDigest(bot)).not.toMatch(/db-1|staging-1|balance/);
});

test.each([
  ['2026-03-29', 2],
  ['2026-10-25', 2],
  ['2026-10-25', 9],
])('around the change of clocks on %s, each day has one digest, which reports since the one before', (on, hours) => {
  const digest = { ...nine, hours, minutes: 30, since: 0 };
  const found = new Map<number, number>();
  for (let now = Date.parse(on) - 2 * day; now < Date.parse(on) + 2 * day; now += 30 * minute) {
    const due = lastRun(digest, now, digestLateMs);
    if (due !== undefined) found.set(due.at, due.since);
  }
  const [, ...others] = found.values();
  expect(others).toEqual([...found.keys()].slice(0, -1));
  expect(new Set([...found.keys()].map((at) => typedDay(wallClock(at, nine.timeZone)))).size).toBe(found.size);
  expect(found.size).toBeGreaterThanOrEqual(4);
});

test('a weekly digest reports since the week before, and one of working days since friday', () => {
  const friday = Date.parse('2026-11-27T09:00Z');
  const at = (days: readonly number[], now: number) =>
    lastRun({ days: [...days], hours: 9, minutes: 0, timeZone: 'UTC', since: 0 }, now, digestLateMs);
  expect(at([5], friday)).toMatchObject({ at: friday, since: friday - 7 * day });
  expect(at([1, 2, 3, 4, 5], friday + 3 * day)).toMatchObject({ at: friday + 3 * day, since: friday });
  expect(at([1, 2, 3, 4, 5], friday + day)).toBeUndefined();
  expect(
    lastRun({ days: [5], hours: 9, minutes: 0, timeZone: 'UTC', since: friday + 1 }, friday + 1, digestLateMs),
  ).toBeUndefined();
});

test('a digest waits while the bot is not in its channel, and without an answer of the provider it has what the bot knows', async () => {
  const bot = await subscribed();
  setChannel(bot, { hasBot: false });
  await nextDigest(bot);
  expect(digests(bot)).toEqual([]);
  setChannel(bot, { hasBot: true });
  await bot.pass(5 * minute);
  bot.sim.fault({ kind: 'answer', status: 503 });
  await sweep(bot);
  expect(digests(bot)).toHaveLength(1);
  expect(lastDigest(bot)).toContain('The provider does not answer, so this lacks the orders and the balance.');
});

test('a handover says who asked, who approved, what failed, who is on an alert, and what did not run', async () => {
  const bot = await watchStatus();
  await bot.pass(hour);
  bot.sim.order({ order: '34-12411', status: 'blocked' });
  await sweep(bot);
  await bot.press('lead', "I'm on it");
  await decide(bot, 'reset web-2 because it hangs', 'lead', 'Approve');
  bot.sim.fault({ kind: 'nextJob', match: 'POST /vps/{order_id}/restart/', times: 1, end: 'error' });
  await confirmed(bot, 'restart web-1');
  await decide(bot, 'restart web-3', 'operator', 'Withdraw');
  const said = await answer(bot, 'reader', 'shift 30m ago');
  expect(said).toMatch(/Trouble\n🔴 db-2 is blocked · \d+ m?s · @lead is on it\n/);
  expect(said.match(/db-2/g)).toHaveLength(1);
  expect(said).toMatch(
    /Requests that ended\n🔴 Restart web-1 · failed · @operator\n✅ Hard reset web-2 · @operator, approved by @lead\n/,
  );
  expect(said).not.toMatch(/withdrawn|Turn on alerts/);
});

test('a handover has each incident with its time and person, freezes, pins, and what is scheduled, each once', async () => {
  const bot = await watchStatus();
  bot.sim.order({ order: '34-12411', status: 'blocked' });
  await bot.pass(6 * minute);
  await sweep(bot);
  await bot.press('lead', "I'm on it");
  await bot.pass(17 * minute);
  bot.sim.order({ order: '34-12411', status: 'active' });
  await bot.pass(6 * minute);
  await sweep(bot);
  await sayAndSettle(bot, 'operator', 'freeze tag:web "release"');
  await sayAndSettle(bot, 'operator', 'pin db-1 because "customer data"');
  await confirmed(bot, 'restart web-1 in 2h if-frozen=wait');
  for (const line of ['shift', 'shift handover', 'handoff to lena']) {
    const said = await answer(bot, 'operator', line);
    expect(said).toMatch(/Over\n✅ db-2 is active · \d+ min · @lead\n/);
    expect(said).toContain('Freezes\ntag:web until ‹date› · release\n');
    expect(said).toContain('Pins\n📌 db-1: customer data\n');
    expect(said).toMatch(/Next 12 hours\nRestart web-1 · @operator · /);
    expect(said.match(/Restart web-1|db-2/g)).toHaveLength(2);
    expect(said.includes('“Hand over…” under an alert')).toBe(line.startsWith('handoff'));
  }
});

test('a handover is a card, and has only what its reader may read', async ({ bot }) => {
  await confirmed(bot, 'restart web-1');
  await bot.say('operator', 'shift');
  expect(bot.story()).toMatch(/Handover since \w{3} \w{3} \d+, \d\d:\d\d Europe\/Amsterdam/);
  expect(bot.story()).toContain('✅ Restart web-1 · @operator');
  expect(bot.story()).toContain('The balance covers');
  const said = await answer(bot, 'reader', 'shift 2h ago');
  expect(said).toContain('Restart web-1 · @operator');
  expect(said).not.toContain('balance');
  expect(await answerTo(bot, 'guest', 'shift')).toContain('You may not use');
});

test('words that are no hours, and a shift of a year, are refused with what would be right', async () => {
  const bot = await requested('digest at nine');
  expect(bot.story()).toContain('does not say days and an hour.');
  bot.zoneless.add('U0OPERATOR');
  expect(await answerTo(bot, 'operator', 'digest daily 09:00')).toContain('Slack did not say your time zone.');
  expect(await answerTo(bot, 'operator', 'shift 2020-01-01T00:00Z')).toContain('A handover covers at most 31 days.');
  expect(await answerTo(bot, 'reader', 'digest daily 09:00')).toContain('You may not use');
});
