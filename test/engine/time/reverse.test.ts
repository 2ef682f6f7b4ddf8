import { test as base, expect } from 'vitest';
import { day, hour } from '../../../src/core/text/words.ts';
import { people } from '../../support/bot/fake-slack.ts';
import { startTestBot, type TestBot } from '../../support/bot/test-bot.ts';
import { rules } from '../asked.ts';
import { confirm, pressAndSettle, sayAndSettle } from '../told.ts';
import { later, newestRow } from './hours.ts';

// A request until an hour: the reverse is requested once the first is done.

const start = (policy = rules('confirm')) => startTestBot({ policy });
const test = base.extend('bot', () => start());
const writes = (bot: TestBot) => bot.writes().flatMap((write) => /\/(start|stop)\//.exec(write)?.[1] ?? []);

test('a server that is stopped until an hour is started at that hour, under one confirmation', async ({ bot }) => {
  await sayAndSettle(bot, 'operator', 'stop web-3 for 2h because kernel work');
  expect(bot.story()).toContain('## ⏳ Stop web-3 until ‹date›');
  await pressAndSettle(bot, 'operator', 'Confirm');
  const row = await newestRow(bot);
  expect(row).toMatchObject({ command: 'start', state: 'scheduled', plan: { reason: 'kernel work' } });
  expect(writes(bot)).toEqual(['stop']);
  await later(bot, (row.startsAt ?? 0) - bot.now() + 50);
  await bot.settle();
  expect(writes(bot)).toEqual(['stop', 'start']);
  expect((await bot.store.operations.list({ limit: 9 })).map(({ state }) => state)).toEqual(['done', 'done']);
});

test('the approvals of the stop count for the start, and its rule may ask for more', async () => {
  const by = [people.lead, people.admin].map((user) => `user:${user}` as const);
  const policy = rules({ approve: 1, by }, {});
  const bot = await start({ ...policy, rules: { ...policy.rules, routine: { approve: 2, by, typed: false } } });
  await sayAndSettle(bot, 'operator', 'stop web-3 for 2h');
  await pressAndSettle(bot, 'lead', 'Approve');
  expect(await newestRow(bot)).toMatchObject({ command: 'start', state: 'waiting' });
  expect(bot.story()).toContain('Needs 1 more of: @lead or @admin.');
  await pressAndSettle(bot, 'admin', 'Approve');
  expect(await newestRow(bot)).toMatchObject({ command: 'start', state: 'scheduled' });
});

test('a server that somebody started before the hour is not started again', async ({ bot }) => {
  await confirm(bot, 'operator', 'stop web-3 for 2h');
  const { startsAt, id } = await newestRow(bot);
  await confirm(bot, 'operator', 'start web-3');
  await later(bot, (startsAt ?? 0) - bot.now() + 50);
  await bot.settle();
  expect(await bot.store.operations.find(id)).toMatchObject({ state: 'refused' });
  expect(writes(bot)).toEqual(['stop', 'start']);
});

test('an end without a day is the first after the begin', async ({ bot }) => {
  await sayAndSettle(bot, 'operator', 'tomorrow 9am stop web-3 until 5pm');
  const { startsAt, plan } = await newestRow(bot);
  expect(plan).toMatchObject({ until: (startsAt ?? 0) + 8 * hour });
});

test.each([
  ['restart web-1 for 2h', 'Nothing takes `restart` back by itself at an hour.'],
  ['stop web-3 until yesterday', '`yesterday` is past.'],
  ['stop web-3 tomorrow 5pm until tomorrow 3pm', 'It would be taken back before it begins.'],
])('%s is refused', async (line, words) => {
  const bot = await start();
  await sayAndSettle(bot, 'operator', line);
  expect(bot.story()).toContain(words.replaceAll('`', ''));
  expect(await bot.store.operations.list({ limit: 1 })).toEqual([]);
});

test('the hour of the reverse is at most 90 days away', async ({ bot }) => {
  await sayAndSettle(bot, 'operator', `stop web-3 until="in ${(100 * day) / hour}h"`);
  expect(bot.story()).toContain('at most 90 days are possible');
});
