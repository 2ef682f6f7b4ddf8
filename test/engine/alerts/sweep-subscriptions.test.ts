import { expect, test } from 'vitest';
import { confirmed, minute, openWatch, subscribe } from '../../alerts/support.ts';
import { ops } from '../../support/bot/fake-slack.ts';
import { startTestBot } from '../../support/bot/test-bot.ts';

const other = 'C0OTHER';

test('a subscription that this version cannot read stops the alerts of its channel alone, and ends none of them', async () => {
  const bot = await openWatch({ power: {} }, { replicas: 1, engine: 'sqlite' });
  await subscribe(bot, { 'order-status': {} }, { channel: other });
  bot.sim.order({ order: '34-12399', status: 'blocked' });
  await bot.later(minute);
  expect(bot.alerts().map(({ channel }) => channel)).toEqual([other]);
  // As a newer version wrote it.
  await bot.database.run(
    `update stored_values set value = replace(value, '"remindMs"', '"later":true,"remindMs"') where key like '%${other}%'`,
  );
  bot.sim.power({ order: '34-12345', state: 'off' });
  for (let n = 0; n < 20 && bot.alerts().length < 2; n++) await bot.later(minute);
  expect(bot.alerts().map(({ channel }) => channel)).toEqual([other, ops]);
  expect(await bot.store.alerts.active(other, 'order-status')).toHaveLength(1);
  expect(bot.log.join('\n')).toContain(
    'this version cannot read the alert subscription of this channel: no alerts are posted there',
  );
});

test('a change by hand some seconds after the subscription is noticed', async () => {
  const bot = await startTestBot();
  await bot.replicas[0]?.sweepAlerts();
  await confirmed(bot, 'alerts on zone');
  await bot.until(async () => (await bot.store.values.find('looked', ['zone'])).size > 0, 'the first reading');
  bot.sim.records({ domain: 'example.org', add: [{ host: 'evil', type: 'A', value: '192.0.2.66' }] });
  bot.skip(6 * minute);
  await bot.replicas[0]?.sweepAlerts();
  expect(bot.transcript()).toContain('example.org was changed by hand');
});
