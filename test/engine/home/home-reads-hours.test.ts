import { expect } from 'vitest';
import { hour, minute } from '../../../src/core/text/words.ts';
import { readerOf } from '../../support/bot/policy.ts';
import { startTestBot, type TestBot, test } from '../../support/bot/test-bot.ts';
import { answerTo, confirm, homeOf, pressAndSettle, requested, sayAndSettle, submitAndSettle } from '../told.ts';

// Requests with an hour are listed by it, for the people who may read them, with the buttons of their cards.

const listFor = (bot: TestBot, user: string) => answerTo(bot, user, 'scheduled');
const menuFor = (bot: TestBot, user: string) => answerTo(bot, user, '');

test('the list shows requests by their hour, moves one and calls one off', async ({ bot }) => {
  expect(await listFor(bot, 'operator')).toContain('Nothing is scheduled here, and nothing of yours elsewhere.');
  await confirm(bot, 'operator', 'restart web-1 in 5h', 'restart db-1 in 2h');
  await sayAndSettle(bot, 'operator', 'reset web-2 in 3h because it hangs');
  const list = await listFor(bot, 'operator');
  const rows = list.split('\n').filter((line) => line.includes('asked by'));
  expect(rows.map((row) => row.split(' · ')[0])).toEqual(
    ['Restart db-1', 'Hard reset web-2', 'Restart web-1'].map((title) => expect.stringContaining(title)),
  );
  expect(rows.map((row) => row.split(' · ')[2])).toEqual(['scheduled', 'needs 1 approval', 'scheduled']);
  expect(list).toContain('[Run now] [Move…] [Call off] [Details]');
  expect(list).toContain('3 requests, the next hour first.');
  const others = await listFor(bot, 'reader');
  expect(others).toContain('Restart web-1');
  expect(others).not.toContain('[Run now]');
  await listFor(bot, 'operator');
  // The last buttons are those of the last row.
  const form = await bot.open('operator', { button: 'Move…' });
  const at = Math.ceil((bot.now() + hour) / minute) * minute;
  await submitAndSettle(bot, 'operator', form, { '@at': new Date(at).toISOString() });
  expect((await listFor(bot, 'operator')).split('\n').find((line) => line.includes('asked by'))).toContain(
    'Restart web-1',
  );
  await pressAndSettle(bot, 'operator', 'Call off');
  expect(await listFor(bot, 'operator')).not.toContain('Restart db-1');
});

test('the list shows a standing approval with its next hour, and Stop ends it', async ({ bot }) => {
  await confirm(bot, 'operator', 'restart web-1 every="daily 03:00" until="in 10 days"');
  expect(await listFor(bot, 'reader')).not.toContain('[Stop]');
  const row =
    /^Restart web-1 · \S+ 0[12]:00 UTC · standing approval · asked by @operator in #ops\n\[Stop\] \[Details\]$/m;
  expect(await listFor(bot, 'operator')).toMatch(row);
  await pressAndSettle(bot, 'operator', 'Stop');
  expect(await listFor(bot, 'operator')).not.toContain('Restart web-1');
});

test('the list, the menu and Home name no request to people who may not read its targets', async () => {
  const bot = await startTestBot({ policy: readerOf('order:web-2') });
  await confirm(bot, 'operator', 'restart web-1 in 2h', 'restart web-2 in 3h');
  for (const answer of [await listFor(bot, 'reader'), await homeOf(bot, 'reader'), await menuFor(bot, 'reader')]) {
    expect(answer).toContain('Restart web-2');
    expect(answer).not.toContain('web-1');
  }
  for (const answer of [await listFor(bot, 'lead'), await homeOf(bot, 'lead'), await menuFor(bot, 'lead')])
    expect(answer.indexOf('Restart web-1')).toBeLessThan(answer.indexOf('Restart web-2'));
});

test('the menu and Home show the next three requests only', async ({ bot }) => {
  const lines = ['web-1', 'web-2', 'db-1', 'wiki-1'].map((name, at) => `restart ${name} in ${5 - at}h`);
  await confirm(bot, 'operator', ...lines);
  const menu = await menuFor(bot, 'lead');
  expect(menu).toMatch(/Next: .*Restart wiki-1 .* · .*Restart db-1 .* · .*Restart web-2 /);
  expect(menu).toContain('[Scheduled]');
  expect(menu).not.toContain('Restart web-1');
  const home = await homeOf(bot, 'lead');
  expect(home).toContain('Scheduled');
  expect(home).toMatch(/Restart wiki-1 · @operator in #ops · begins /);
  expect(home).not.toContain('Restart web-1');
});

test('the list, the menu and Home mark the requests of a pinned target', async () => {
  const bot = await requested('pin web-1 "the shop runs on it"');
  await confirm(bot, 'operator', 'restart web-1 in 2h', 'restart web-2 in 3h');
  const menu = await menuFor(bot, 'lead');
  for (const words of [await listFor(bot, 'operator'), await homeOf(bot, 'operator')]) {
    expect(words).toMatch(/Restart web-1 · .*📌 pinned · /);
    expect(words).not.toMatch(/Restart web-2 · .*📌/);
  }
  expect(menu).toMatch(/Restart web-1 📌 pinned .* · Restart web-2 (?!📌)/);
});
