import { expect, test } from 'vitest';
import { StoreUnavailable } from '../../../src/core/view/errors.ts';
import { hour, minute, openWatch, type Watch } from '../../alerts/support.ts';
import { ops } from '../../support/fake-slack.ts';

/** A rule that could not read can read again, and an event delays the end of its alert. */

const between: readonly [string, (bot: Watch, end: () => Promise<boolean>) => Promise<boolean>][] = [
  [
    'somebody clicks at the same moment',
    async (bot, end) => {
      const [row] = await bot.store.alerts.active(ops, 'blind');
      if (row === undefined) throw new Error('no alert is open');
      // "I'm on it", as acknowledge.ts writes it.
      const now = { state: 'acknowledged', byUser: 'U1', until: bot.now() + hour, sinceAt: bot.now() } as const;
      await bot.store.alerts.change(row.id, row.version, now);
      return end();
    },
  ],
  ['the database does not answer', () => Promise.reject(new StoreUnavailable('no answer'))],
];

test.each(between)('the alert of a rule that can read again ends, also when %s', async (_, happens) => {
  const bot = await openWatch({ 'order-status': {} }, { replicas: 1, engine: 'sqlite' });
  await bot.sweep();
  bot.sim.fault({ kind: 'answer', match: 'GET /orders/', status: 500, body: { detail: 'broken' } });
  for (let n = 0; n < 6; n++) await bot.later(5 * minute);
  expect(await bot.store.alerts.active(ops, 'blind')).toHaveLength(1);
  bot.sim.clearFaults();
  const { alerts } = bot.store;
  const { change } = alerts;
  let happened = 0;
  alerts.change = async (...given) => {
    const end = () => change(...given);
    return given[2].state === 'resolved' && happened++ === 0 ? happens(bot, end) : end();
  };
  await bot.later(5 * minute);
  await bot.later(5 * minute);
  expect(happened).toBe(2);
  expect(await bot.store.alerts.active(ops, 'blind')).toEqual([]);
});
