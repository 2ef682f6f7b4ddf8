import { expect, test } from 'vitest';
import { sayAndPress } from '../engine/told.ts';
import { confirmed, day, hour, minute, openWatch, subscribe } from './support.ts';

test('a job that ends in error raises an alert in every other channel that subscribes to jobs', async () => {
  const bot = await openWatch({ job: { at: [10] } });
  bot.sim.fault({ kind: 'nextJob', match: 'POST /vps/{order_id}/restart/', end: 'error', times: 1 });
  await confirmed(bot, 'restart web-1');
  await bot.sweep();
  expect(bot.alerts(), 'the card and its thread have said it here').toEqual([]);
  await subscribe(bot, { job: { at: [10] } }, { channel: 'C0OTHER' });
  await bot.later(minute);
  expect(bot.alerts().map(({ channel, view }) => [channel, view.summary])).toEqual([
    ['C0OTHER', '🟡 web-1: restart, job 812, ended in error'],
  ]);
});

test('a job that was reported as hanging and then failed is never reported in green', async () => {
  const bot = await openWatch({ job: { at: [10] } });
  bot.sim.fault({ kind: 'nextJob', match: 'POST /vps/{order_id}/restart/', end: 'hang', times: 1 });
  await sayAndPress(bot, 'operator', 'restart web-2');
  await bot.until(async () => (await bot.store.steps.jobsSince(bot.now())).length === 1, 'the job to be known');
  await bot.later(12 * minute);
  expect(bot.alerts()[0]?.view.summary).toBe('🟡 web-2: restart, job 812, has been running for 10 min');
  bot.sim.job({ pk: 812, state: 'error' });
  await bot.settle();
  await bot.later(minute);
  expect(bot.alerts()[0]?.view.summary).toBe('🟡 web-2: restart, job 812, ended in error');
  await bot.later(day + hour);
  expect(bot.alerts()[0]?.view.summary).toMatch(/^⚪ A day ago: web-2: restart, job 812, ended in error/);
});
