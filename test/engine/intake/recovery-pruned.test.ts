import { expect, test } from 'vitest';
import { policySchema } from '../../../src/core/policy/policy.ts';
import { opsGroup, people } from '../../support/bot/fake-slack.ts';
import { usualPolicy } from '../../support/bot/policy.ts';
import { startTestBot, type TestBot } from '../../support/bot/test-bot.ts';
import { cardOf, fillIn, messagesOf, pressAndSettle, requested } from '../told.ts';

// Messages are pruned 30 days after their last change. Requests are open for longer than that, and ended ones change
// after it: none of their messages is posted a second time.

const day = 24 * 3_600_000;
const usual = usualPolicy(opsGroup);

/** Moves the clock and tidies as a running bot does. */
async function live(bot: TestBot, ms: number): Promise<void> {
  bot.skip(ms);
  await bot.store.presence.note();
  await bot.store.retention.prune('messages', bot.now() - 30 * day);
  await bot.pass(0);
}
const first = async (bot: TestBot) => {
  const [row] = (await bot.store.operations.list({ limit: 9 })).toReversed();
  if (row === undefined) throw new Error('no request');
  return row;
};
/** The number of the row: another one under the same key is posted a second time. */
const numberOf = async (bot: TestBot, key: string) => (await bot.store.messages.find(key))?.seq;

test('a request for an hour in two months keeps its one card, and nobody is notified twice', async () => {
  const by = [`user:${people.lead}`];
  const rules = { ...usual.rules, disruptive: { approve: 1, by, notify: 'dm' } };
  const bot = await requested('restart web-1 in 60d', { policy: policySchema.parse({ ...usual, rules }) });
  await bot.until(() => messagesOf(bot, 'unanswered').length === 1, 'the direct message');
  await pressAndSettle(bot, 'lead', 'Approve');
  const { id, startsAt } = await first(bot);
  expect((await first(bot)).state).toBe('scheduled');
  const number = await numberOf(bot, `card:${id}`);
  await live(bot, 40 * day);
  expect(await bot.store.messages.find(`unanswered:${id}:${people.lead}`)).toBeUndefined();
  await live(bot, (startsAt ?? 0) - bot.now() + 100);
  await bot.until(async () => (await first(bot)).state === 'done', 'the end');
  await bot.settle();
  expect(await numberOf(bot, `card:${id}`)).toBe(number);
  expect(await numberOf(bot, `unanswered:${id}:${people.lead}`)).toBeUndefined();
  expect(cardOf(bot)).toContain('✅ Restart web-1');
});

test('a standing approval keeps its one card for its runs of two months', async () => {
  const bot = await requested('restart web-1 every="sun 03:00" until="in 80 days" runs=3', { policy: usual });
  await bot.press('operator', 'Confirm');
  await bot.until(async () => (await first(bot)).state === 'standing', 'the standing approval');
  await bot.settle();
  const { id } = await first(bot);
  const number = await numberOf(bot, `card:${id}`);
  await live(bot, 40 * day);
  await bot.until(async () => (await first(bot)).startsAt !== null, 'its turn');
  await bot.say('operator', `request stop ${id}`);
  await bot.until(async () => (await first(bot)).endedAt !== null, 'the end');
  await bot.settle();
  expect(await numberOf(bot, `card:${id}`)).toBe(number);
});

test('glass that is broken for more than a month is closed on the card of its request', async () => {
  const policy = policySchema.parse({ ...usual, breakGlass: [`user:${people.operator}`] });
  const bot = await startTestBot({ policy });
  await bot.say('lead', 'hard-reset web-1');
  await fillIn(bot, 'operator', 'Break glass…', { reason: 'the database is down and nobody answers' });
  const { id } = await first(bot);
  const number = await numberOf(bot, `card:${id}`);
  await live(bot, 40 * day);
  await fillIn(bot, 'admin', 'Close break glass…', { reason: 'the disk was full, and logs are rotated now' });
  expect(await numberOf(bot, `card:${id}`)).toBe(number);
  expect(cardOf(bot)).toContain('logs are rotated now');
  await live(bot, 31 * day);
  expect(await numberOf(bot, `card:${id}`)).toBeUndefined();
});
