import { expect, test } from 'vitest';
import { startTestBot, type TestBot } from '../support/test-bot.ts';
import { readView } from '../support/view-text.ts';

// A standing approval: one decision for several runs, each of which is a request with a card and an end.

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Time passes, and the bot is there. */
async function later(bot: TestBot, ms: number): Promise<void> {
  bot.skip(ms);
  await bot.store.presence.note();
  await bot.pass(0);
}
const restarts = (bot: TestBot) => bot.writes().filter((write) => write.includes('/restart/')).length;
const standing = async (bot: TestBot) => {
  const found = (await bot.store.operations.list({ limit: 20 })).at(-1);
  if (found === undefined) throw new Error('no request');
  return found;
};
const runs = async (bot: TestBot) => (await bot.store.operations.list({ limit: 20 })).slice(0, -1).toReversed();
const card = (bot: TestBot, id: string) => {
  const found = bot.posted.findLast(({ key }) => key === `card:${id}`);
  return found === undefined ? '' : readView(found.view, (user) => user);
};

/** Moves to the next hour of the standing approval and waits for the end of the request that begins then. */
async function nextHour(bot: TestBot): Promise<void> {
  const { startsAt } = await standing(bot);
  await later(bot, (startsAt ?? 0) - bot.now() + 50);
  await bot.until(async () => {
    const now = await standing(bot);
    return now.startsAt !== startsAt || now.endedAt !== null;
  }, 'the hour');
  await bot.settle();
}

async function stands(line: string, options: Parameters<typeof startTestBot>[0] = {}): Promise<TestBot> {
  const bot = await startTestBot(options);
  await bot.say('operator', line);
  await bot.press('operator', 'Restart web-1');
  await bot.settle();
  expect((await standing(bot)).state).toBe('standing');
  return bot;
}

test('one approval lets a restart run at each of its hours, each with a card, until its runs are used up', async () => {
  const bot = await stands('restart web-1 every="daily 03:00" until="in 10 days" runs=2');
  const first = await standing(bot);
  expect(card(bot, first.id)).toContain('Again and again: daily 03:00 Europe/Amsterdam, until');
  expect(card(bot, first.id)).toContain('at most 2 runs. 0 of 2 so far. Next run');
  expect(restarts(bot)).toBe(0);
  await nextHour(bot);
  expect(restarts(bot)).toBe(1);
  expect(await standing(bot)).toMatchObject({ state: 'standing' });
  expect(((await standing(bot)).startsAt ?? 0) - (first.startsAt ?? 0)).toBe(day);
  const [run] = await runs(bot);
  expect(run).toMatchObject({ state: 'done', startsAt: first.startsAt, requester: first.requester });
  expect(card(bot, run?.id ?? '')).toContain(
    'Run 1 of at most 2 under the standing approval of @U0OPERATOR: daily 03:00.',
  );
  await nextHour(bot);
  expect(restarts(bot)).toBe(2);
  await bot.until(async () => (await standing(bot)).endedAt !== null, 'the end');
  expect(await standing(bot)).toMatchObject({
    state: 'expired',
    endText: 'The standing approval is over after 2 runs.',
  });
  await later(bot, 2 * day);
  expect(restarts(bot)).toBe(2);
  const kinds = (await bot.store.audit.list({ operationId: first.id, limit: 20 })).map(({ kind }) => kind);
  expect(kinds.toReversed()).toEqual(['asked', 'vote', 'standing', 'expired']);
});

test.each([
  ['restart web-1 every="sun 03:00"', 'A standing approval needs an end.'],
  ['restart web-1 every="sun 03:00" until="in 91 days"', 'at most 90 days are possible'],
  ['restart web-1 every="sometimes" until="in 9 days"', 'does not say days and an hour'],
  ['restart web-1 every="sun 03:00" until="in 9 days" runs=101', 'a number from 1 to 100'],
  ['restart web-1 every="daily 03:00" until="in 9 days" at=23:00', 'has its own hours'],
  ['restart web-1 until="in 9 days"', 'this runs once'],
  ['hard-reset web-1 every="sun 03:00" until="in 9 days"', 'at most for what is disruptive'],
])('the line %s is refused with the reason, and asks for nothing', async (line, why) => {
  const bot = await startTestBot({ replicas: 1 });
  await bot.say('operator', line);
  await bot.until(() => bot.story().includes(why), why);
  expect(await bot.store.operations.list({ limit: 1 })).toEqual([]);
});

test('a person stops a standing approval on its card or with the command, and no run begins afterwards', async () => {
  const bot = await stands('restart web-1 every="daily 03:00" until="in 10 days"');
  const { id, startsAt } = await standing(bot);
  await bot.press('reader', 'Stop');
  await bot.until(() => bot.story().includes('You may not stop Restart web-1'), 'the refusal');
  await bot.say('operator', `request stop ${id}`);
  await bot.until(async () => (await standing(bot)).endedAt !== null, 'the end');
  expect(await standing(bot)).toMatchObject({
    state: 'withdrawn',
    endText: 'Stopped by @operator after no run. No further run begins.',
  });
  await later(bot, (startsAt ?? 0) - bot.now() + minute);
  await bot.settle();
  expect(restarts(bot)).toBe(0);
});
