import { expect, test } from 'vitest';
import { hour } from '../../../src/core/text/words.ts';
import { answerTo, confirm, pressAndSettle, sayAndSettle } from '../../engine/told.ts';
import { startTestBot } from '../../support/bot/test-bot.ts';

test('the requests about a server are offered the new hour, which the button moves one to', async () => {
  const bot = await startTestBot({ replicas: 1, engine: 'sqlite' });
  await confirm(bot, 'operator', 'restart web-1 in 2h');
  await confirm(bot, 'operator', 'restart web-2 in 3h');
  const before = (await bot.store.operations.list({ limit: 9 })).find(({ args }) =>
    JSON.stringify(args).includes('34-12345'),
  );
  await sayAndSettle(bot, 'operator', 'scheduled restart web-1 by 1h');
  expect(bot.story()).not.toMatch(/\(only @operator\) .*web-2/);
  const label = /\[(Move to [^\]]+)\]/.exec(bot.story())?.[1] ?? '';
  await pressAndSettle(bot, 'operator', label);
  const after = await bot.store.operations.find(before?.id ?? '');
  expect((after?.startsAt ?? 0) - (before?.startsAt ?? 0)).toBe(hour);
  expect(await answerTo(bot, 'operator', 'scheduled Web-2 this sunday')).toMatch(/Restart web-2/);
  await sayAndSettle(bot, 'operator', 'scheduled db-1');
  expect(bot.story()).toContain('Nothing scheduled is about “db-1”.');
});
