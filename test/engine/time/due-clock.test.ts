import { expect, test } from 'vitest';
import { hour, minute } from '../../../src/core/text/words.ts';
import type { Form } from '../../../src/core/view/form.ts';
import { startTestBot, type TestBot, type TestBotOptions } from '../../support/bot/test-bot.ts';
import { decide } from '../asked.ts';
import { cardOf, pressAndSettle } from '../told.ts';
import { later, newestRow, restarts } from './hours.ts';

// The hour of a request on clocks that differ, in a process that slept over it, and while a person moves it.

async function scheduled(line: string, options: TestBotOptions = { engine: 'sqlite' }) {
  const bot = await startTestBot(options);
  await decide(bot, line);
  const { id, startsAt } = await newestRow(bot);
  return { bot, id, startsAt: startsAt ?? 0 };
}

test('a process whose clock is nine minutes ahead begins at the hour by the clock of the database, and not earlier', async () => {
  const { bot, id, startsAt } = await scheduled('restart web-1 in 5m', {
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
  ['within the grace it begins', 9 * minute, false],
  ['longer than the grace it asks before it begins', 11 * minute, true],
] as const)('a process that slept over the hour: %s', async (_, lateMs, isAsked) => {
  const { bot, startsAt } = await scheduled('restart web-1 in 2h');
  await bot.store.presence.note();
  // Nothing of the process runs while the machine sleeps.
  await bot.pass(startsAt - bot.now() + lateMs);
  await bot.until(async () => {
    const { state, heldAt } = await newestRow(bot);
    return state === 'done' || heldAt !== null;
  }, 'the end or the question');
  expect(restarts(bot)).toBe(isAsked ? 0 : 1);
  if (!isAsked) return;
  await bot.until(() => cardOf(bot).includes('[Continue]'), 'the button');
  await pressAndSettle(bot, 'operator', 'Continue');
  expect(restarts(bot)).toBe(1);
});

const move = (bot: TestBot, form: Awaited<ReturnType<TestBot['open']>>, at: number) =>
  bot.submit('operator', form as Form, { '@at': new Date(at).toISOString() });

test('the form that moves a request says that it is under way, or has ended, when its hour came meanwhile', async () => {
  const { bot, startsAt } = await scheduled('restart web-1 in 2h', { engine: 'sqlite', provider: { jobMs: 60_000 } });
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
  const { bot, startsAt } = await scheduled('restart web-1 in 2h');
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
