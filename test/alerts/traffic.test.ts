import { expect, test } from 'vitest';
import { z } from 'zod';
import { minute, openWatch } from './support.ts';

test('the traffic of every server is read every half hour, and a server that cannot be read hides no other', async () => {
  const bot = await openWatch({ traffic: {} });
  for (const order of ['34-1000101', '34-1000102'])
    bot.sim.order({ order, traffic_limit_bytes: 100e12, traffic_bytes_per_sec: 0 });
  const asked = async () => {
    bot.sim.clearRequests();
    await bot.later(30 * minute);
    const of = bot.sim.requests().filter(({ route }) => route === 'GET /orders/ds/{order_id}/traffic_used/');
    return of.map(({ path }) => path.match(/\d{7}/)?.[0]).sort();
  };
  await bot.sweep();
  for (let n = 0; n < 3; n++) expect(await asked()).toEqual(['1000101', '1000102']);
  const broken = { status: 500, body: { detail: 'broken' } };
  bot.sim.fault({ kind: 'answer', match: 'GET /orders/ds/{order_id}/traffic_used/', only: '1000101', ...broken });
  bot.sim.order({ order: '34-1000102', traffic_limit_bytes: 1 });
  await bot.later(30 * minute);
  expect(bot.story()).toMatch(/has used (up its|\d+ % of its) traffic/);
  expect(bot.story()).toContain('34-1000102');
});

test('traffic that lasts to the end of the range at this pace raises no alert, and traffic that does not last raises one', async () => {
  const bot = await openWatch({ traffic: { on: ['order:34-1000101'] } });
  bot.sim.order({ order: '34-1000101', traffic_limit_bytes: 100e12 });
  await bot.sweep();
  expect(bot.alerts()).toEqual([]);
  const headers = { authorization: `Api-Key ${bot.provider.key}` };
  const answer = await fetch(`${bot.provider.url}/orders/ds/1000101/traffic_used/`, { headers });
  const { used } = z.object({ used: z.number() }).parse(await answer.json());
  // Below the first threshold, but a third of the period is left, and less traffic than a third of the used one.
  bot.sim.order({ order: '34-1000101', traffic_limit_bytes: Math.round(used / 0.78) });
  await bot.later(31 * minute);
  expect(bot.story()).toMatch(/^## 🟡 files-1 has used 7\d % of its traffic\n/);
  expect(bot.story()).toMatch(/at the pace so far it is used up in about \d days?, before the range ends/);
});
