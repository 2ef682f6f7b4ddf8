import { expect, test } from 'vitest';
import { answerTo, confirm } from '../../engine/told.ts';
import { startTestBot } from '../../support/bot/test-bot.ts';

test('a freeze says which scheduled requests will not run, and the list by hour says why', async () => {
  const bot = await startTestBot({ replicas: 1 });
  await confirm(bot, 'lead', 'restart web-1 in=30m');
  await confirm(bot, 'lead', 'restart db-1 in=5h');
  await confirm(bot, 'lead', 'restart mail-1 in=40m if-frozen=wait');
  expect(await answerTo(bot, 'operator', 'freeze here "release" for=2h')).toMatch(
    /\n1 scheduled request will not run: Restart web-1 [^,]*\.\n/,
  );
  const list = await answerTo(bot, 'lead', 'scheduled');
  expect(list).toMatch(/Restart web-1.* · will not run: frozen until \S+ \S+ UTC: release · scheduled/);
  expect(list.match(/will not run/g)).toHaveLength(1);
});

test('a pin says which scheduled requests will not run, and the list by hour says why', async () => {
  const bot = await startTestBot({ replicas: 1 });
  await confirm(bot, 'lead', 'restart web-1 in=30m');
  await confirm(bot, 'lead', 'restart web-1 every="mon 04:00" until="in 30 days"');
  expect(await answerTo(bot, 'operator', 'pin web-1 customer data')).toMatch(
    /\n1 scheduled request will not run: Restart web-1 [^,]*\.\n/,
  );
  const list = await answerTo(bot, 'lead', 'scheduled');
  expect(list.match(/will not run: pinned: customer data/g)).toHaveLength(1);
});
