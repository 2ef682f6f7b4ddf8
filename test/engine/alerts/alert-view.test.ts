import { expect, test } from 'vitest';
import { drawAlerts } from '../../../src/engine/alerts/alert-view.ts';
import { hour, openWatch } from '../../alerts/support.ts';

test('the title of "alerts on all" counts the alerts, and the title for a few new ones names them', async () => {
  const bot = await openWatch({ balance: {} }, { replicas: 1 });
  await bot.say('operator', 'alerts on all');
  await bot.delivered();
  expect(bot.story()).toMatch(/^## ⏳ Turn on \d\d alerts$/m);
  await bot.say('operator', 'alerts on balance expiring power');
  await bot.delivered();
  expect(bot.story()).toMatch(/^## ⏳ Turn on alerts: expiring and power$/m);
});

test('expiring orders are listed by the days that are left', async () => {
  const bot = await openWatch({ expiring: { at: [14] } }, { replicas: 1 });
  bot.sim.balance({ balance: 0 });
  await bot.later(hour);
  const days = [...bot.story().matchAll(/(?:expires in|is paid for) (\d+) (?:more )?days/g)].map(([, number]) =>
    Number(number),
  );
  expect(days.length).toBeGreaterThan(3);
  expect(days).toEqual(days.toSorted((a, b) => a - b));
  expect(new Set(days).size).toBeGreaterThan(3);
});

test.each(['open', 'resolved'])(
  '%s alerts that opened in the same millisecond are listed by their titles',
  async (state) => {
    const bot = await openWatch({ 'order-status': { on: ['tag:web'] } }, { replicas: 1 });
    for (const order of ['34-12345', '34-12399', '34-12407']) bot.sim.order({ order, status: 'blocked' });
    await bot.sweep();
    const alerts = (await bot.store.alerts.listOpen({ limit: 10 }))
      .map((row) => ({ ...row, openedAt: 1, resolvedAt: state === 'open' ? null : 2 }))
      .toSorted((a, b) => b.finding.title.localeCompare(a.finding.title));
    const shown = JSON.stringify(drawAlerts('m', alerts, String));
    expect([...shown.matchAll(/(web-\d) is blocked (?:·|\\u00b7)/g)].map(([, name]) => name)).toEqual([
      'web-1',
      'web-2',
      'web-3',
    ]);
  },
);
