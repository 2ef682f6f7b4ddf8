import { expect, test } from 'vitest';
import { day, minute } from '../../alerts/support.ts';
import type { TestBot, TestBotOptions } from '../../support/bot/test-bot.ts';
import { confirm, fillIn, messagesOf, requested } from '../told.ts';

// A cancellation ends long before its order does: the thread of the card says once that the order is gone.

const order = '34-12345';
const told = (bot: TestBot) => messagesOf(bot, 'gone');

/** Lets time pass, then runs the sweep of a replica. No channel has subscribed to an alert. */
async function later(bot: TestBot, ms = minute, replica = 0): Promise<void> {
  await bot.pass(ms);
  await bot.replicas[replica]?.sweepAlerts();
  await bot.until(async () => (await bot.store.messages.pending()) === 0, 'the messages to be delivered');
}

async function canceled(options: TestBotOptions = {}) {
  const bot = await requested('cancel web-1', options);
  await fillIn(bot, 'lead', 'Approve', { words: 'web-1' });
  const [row] = await bot.store.operations.list({ limit: 1 });
  if (row?.state !== 'done') throw new Error(`the cancellation is ${row?.state}`);
  // The writing took a moment, and the order ends later.
  expect(bot.story()).toMatch(/End web-1 on .* \[set\]\n/);
  await later(bot);
  expect(told(bot)).toEqual([]);
  return { bot, id: row.id, card: bot.posted.find(({ key }) => key === `card:${row.id}`)?.ts };
}

test('without alerts, the thread of a cancellation says once that the order is gone, after a kill and from any replica', async () => {
  const { bot, id, card } = await canceled({ replicas: 2 });
  bot.sim.order({ order, status: 'canceled' });
  await later(bot, minute, 0);
  await later(bot, minute, 1);
  expect(told(bot)).toMatchObject([
    { key: `gone:${id}`, threadTs: card, view: { summary: 'web-1 is gone: the provider has canceled it.' } },
  ]);
  // The state after a kill between the message and the note that it was posted.
  await bot.store.values.write('leaving', { [order]: { order, operation: id, card: card ?? null } }, bot.now());
  await bot.restart();
  await later(bot, minute, 0);
  await later(bot, minute, 1);
  expect(told(bot)).toHaveLength(1);
  expect([...(await bot.store.values.list('leaving')).values()].map(({ value }) => value)).toEqual([null]);
});

test('an order is not reported as gone while the provider does not answer, or leaves it out of a list', async () => {
  const { bot } = await canceled();
  bot.sim.fault({ kind: 'answer', match: 'GET /orders/', status: 503, body: {} });
  await later(bot);
  bot.sim.clearFaults();
  bot.sim.fault({ kind: 'item', match: 'GET /orders/', item: order, set: { hostname: [] } });
  await later(bot);
  expect(told(bot)).toEqual([]);
  bot.sim.clearFaults();
  bot.sim.order({ order, status: 'canceled' });
  await later(bot);
  expect(told(bot)).toHaveLength(1);
});

test('the request that canceled an order does not report an order as gone that was kept after all', async () => {
  const { bot } = await canceled();
  await confirm(bot, 'operator', 'keep web-1');
  bot.sim.order({ order, status: 'canceled' });
  await later(bot);
  expect(told(bot)).toEqual([]);
});

test('an order that goes a month later is reported in the thread, although its card is forgotten by then', async () => {
  const { bot, id, card } = await canceled();
  // The paid period of the order ends meanwhile.
  await bot.pass(40 * day);
  await bot.replicas[0]?.sweep();
  expect(await bot.store.messages.find(`card:${id}`)).toBeUndefined();
  await later(bot);
  expect(told(bot)).toMatchObject([{ threadTs: card }]);
});
