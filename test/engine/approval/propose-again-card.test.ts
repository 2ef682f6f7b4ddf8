import { expect } from 'vitest';
import { operationId } from '../../../src/engine/context/request.ts';
import { replacementSeed } from '../../../src/engine/operation/end.ts';
import { ops, opsGroup } from '../../support/bot/fake-slack.ts';
import { granting } from '../../support/bot/policy.ts';
import { startTestBot, type TestBot, test } from '../../support/bot/test-bot.ts';
import { asked, newest, onceApproved, rules } from '../asked.ts';
import { idOf, sayAndSettle } from '../told.ts';

// A request that changed between the decision and the first write ends, and a new card asks for it.

const by = [`group:${opsGroup}`];

/** The rights of a channel in which a restart of a large share of the servers needs an approval. */
const graver = granting({ everyone: 'read operate' }, { disruptive: 'confirm', dangerous: { approve: 1, by } });

/** The end of a request that did not run. */
async function endOf(bot: TestBot, id: string) {
  await bot.until(async () => (await bot.store.operations.find(id))?.state === 'refused', 'its end');
  expect(bot.writes()).toEqual([]);
  const row = await bot.store.operations.find(id);
  return [row?.endReason, row?.endText];
}

test('a new card has the same reason, is in the same thread, and replaces the request that ended', async () => {
  const bot = await startTestBot({ policy: rules('confirm') });
  await bot.mention('operator', 'restart web-1 because no ping', { thread: '77.7' });
  await bot.settle();
  const { id } = await newest(bot);
  bot.sim.order({ order: '34-12345', name: 'web-9' });
  await bot.press('operator', 'Confirm');
  expect(await endOf(bot, id)).toEqual([
    'changed',
    'Not run: web-1 changed since the request. web-1 is called web-9 now. A new card with the present state was posted.',
  ]);
  const row = await (await newest(bot)).row();
  expect(row).toMatchObject({
    id: operationId(replacementSeed(id)),
    state: 'waiting',
    requester: idOf('operator'),
    channel: ops,
    thread: '77.7',
    plan: { title: 'Restart web-9', reason: 'no ping' },
    policyVersion: '1',
  });
});

test('a new card asks for a confirmation although the first request needed none', async () => {
  const bot = await startTestBot({ config: { isPaused: true }, policy: rules('none') });
  await bot.say('operator', 'restart web-1');
  await bot.until(() => bot.story().includes('[waiting for "Continue"]'), 'the hold');
  const { id } = await newest(bot);
  bot.sim.order({ order: '34-12345', name: 'web-9' });
  bot.pause(false);
  await bot.crash();
  await bot.press('operator', 'Continue');
  await endOf(bot, id);
  await bot.settle();
  expect((await (await newest(bot)).row())?.rule).toMatchObject({ rule: 'confirm' });
  expect(bot.story()).toContain('[Cancel]');
});

test('a new card is posted when other people approve now', async () => {
  const { bot, id } = await asked({ policy: rules({ approve: 1, by }) });
  const others = rules({ approve: 1, by: [`user:${idOf('admin')}`, `user:${idOf('lead')}`] });
  onceApproved(bot, () => bot.savePolicy(ops, others, 1));
  await bot.press('lead', 'Approve');
  expect(await endOf(bot, id)).toEqual([
    'changed',
    expect.stringContaining('the rule of this channel changed since the request: one approval'),
  ]);
});

test('a new card is posted when the risk is higher now, and says why', async () => {
  const { bot, id } = await asked({ policy: graver }, 'restart web-1 web-2');
  const others = bot.sim.state().orders.filter(({ id: order }) => !['34-12345', '34-12399'].includes(order));
  for (const { id: order } of others) if (order.startsWith('34-')) bot.sim.power({ order, state: 'off' });
  await bot.press('operator', 'Confirm');
  expect(await endOf(bot, id)).toEqual([
    'changed',
    'Not run: its risk is higher now than when it was requested. It changes 2 servers: more than a third of those that are on. A new card with the present state was posted.',
  ]);
});

test('a new card is posted for a request about the channel itself', async ({ bot }) => {
  await sayAndSettle(bot, 'admin', 'access rule dangerous confirm');
  const { id } = await newest(bot);
  await bot.savePolicy(ops, graver, 1);
  await bot.press('admin', 'Confirm');
  expect(await endOf(bot, id)).toEqual([
    'changed',
    'Not run: The rights of this channel changed since the request. A new card with the present state was posted.',
  ]);
});
