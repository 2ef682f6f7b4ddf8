import { expect, test } from 'vitest';
import { day, makeHookAlone, minute, openHooks } from '../../alerts/support.ts';
import { startTestBot } from '../../support/bot/test-bot.ts';

/** A channel with a hook of monitoring and no subscription: its alerts are the only reason for a sweep. */

async function open() {
  const bot = await startTestBot({ config: { publicUrl: 'http://hostler' } });
  const { post } = await openHooks(bot);
  const { url } = await makeHookAlone(bot, 'json');
  const report = async (status: 'firing' | 'resolved') => {
    const alert = { id: 'a', title: 'Disk full', status, fingerprint: 'a' };
    expect(await post(url, JSON.stringify({ alerts: [alert] }))).toMatchObject({ status: 200 });
    await bot.until(async () => (await bot.store.alerts.busyChannels(bot.now())).length === 0, 'it to be drawn');
  };
  const sweepAfter = async (ms: number) => {
    bot.skip(ms);
    await bot.replicas[0]?.sweepAlerts();
  };
  return { bot, report, sweepAfter };
}

test('an alert of monitoring that flapped is resolved once it stays away', async () => {
  const { bot, report, sweepAfter } = await open();
  for (const status of ['firing', 'resolved', 'firing', 'resolved'] as const) {
    await report(status);
    bot.skip(2 * minute);
  }
  expect(await bot.store.alerts.countOpen()).toBe(1);
  await sweepAfter(minute);
  expect(await bot.store.alerts.countOpen()).toBe(1);
  await sweepAfter(3 * minute);
  expect(await bot.store.alerts.countOpen()).toBe(0);
});

test('an alert that monitoring has not mentioned for seven days is resolved', async () => {
  const { bot, report, sweepAfter } = await open();
  await report('firing');
  await sweepAfter(6 * day);
  expect(await bot.store.alerts.countOpen()).toBe(1);
  await sweepAfter(2 * day);
  expect(await bot.store.alerts.countOpen()).toBe(0);
});
