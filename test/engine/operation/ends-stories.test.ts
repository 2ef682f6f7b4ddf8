import { expect, test } from 'vitest';
import { endings } from '../../stories/endings.ts';
import { tellEach } from '../../stories/with-engine.ts';
import { pressAndSettle, requested } from '../told.ts';

// Each ending of an operation, as the channel reads it.

tellEach(endings);

test('a request expires when nobody approves it in a day, and not after a quarter of an hour', async () => {
  const bot = await requested('hard-reset web-1');
  await bot.pass(16 * 60_000);
  expect(bot.story()).toContain('[Decline…]');
  await bot.pass(24 * 3_600_000);
  await bot.until(() => bot.story().includes('[expired]'), 'the end of the day');
  await bot.settle();
  expect(bot.story()).toContain(
    '    @operator Hard reset web-1: expired: nobody approved it in time. Nothing was done.',
  );
  expect(bot.writes()).toEqual([]);
});

test('a click on a request that has expired without a sweep ends it as expired', async () => {
  const bot = await requested('restart web-1');
  bot.skip(16 * 60_000);
  await pressAndSettle(bot, 'operator', 'Confirm');
  expect(bot.story()).toContain('expired: nobody confirmed it in time. Nothing was done.');
  expect(bot.story()).toContain('(only @operator) This has ended already. Restart web-1');
  expect(bot.writes()).toEqual([]);
  const ends = (await bot.store.audit.list({ limit: 20 })).filter((line) => line.kind === 'expired');
  expect(ends).toHaveLength(1);
});
