import { expect, test } from 'vitest';
import type { Vote } from '../../../src/core/view/intent.ts';
import type { Button } from '../../../src/core/view/view.ts';
import { operationId } from '../../../src/engine/context/operation-id.ts';
import { people } from '../../support/fake-slack.ts';
import { startTestBot, type TestBot } from '../../support/test-bot.ts';

/**
 * A decision is written to its row, and then the process that wrote it begins a turn. The decision has its effect at
 * once, beside any other work and on any replica, without waiting for a clock or for the sweep.
 */

async function ask(bot: TestBot, line: string, replica: number): Promise<string> {
  const { id } = await bot.say('operator', line, { replica });
  return operationId(id);
}

async function isUnderWay(bot: TestBot, operation: string): Promise<boolean> {
  const row = await bot.store.operations.find(operation);
  return row?.state !== 'waiting' && row?.state !== 'approved';
}

function vote(operation: string, vote: Vote): Button {
  return { label: vote, intent: { do: 'vote', operation, vote } };
}

test('each of many operations begins, although it is decided at the moment when its card is posted', async () => {
  const bot = await startTestBot({ timeScale: 0.001, seed: { orders: 60 } });
  const servers = bot.sim
    .state()
    .orders.filter(({ status, vps }) => status === 'active' && vps?.power === 'on')
    .map(({ id }) => id);
  const decide = async (server: string, n: number) => {
    const operation = await ask(bot, `restart ${server}`, n);
    await bot.click('operator', vote(operation, 'confirm'), { replica: n + 1 });
    // No sweep comes in this test.
    await bot.until(() => isUnderWay(bot, operation), `${operation} to begin`);
  };
  // Two at a time, so that each waits for its own run, not for the others.
  for (let n = 0; n < 12; n += 2) await Promise.all(servers.slice(n, n + 2).map((server, m) => decide(server, n + m)));
  await bot.settle();
});

test('a decided operation begins, although its process ended before it woke the run', async () => {
  const bot = await startTestBot();
  const operation = await ask(bot, 'restart web-1', 0);
  await bot.store.votes.cast({ operationId: operation, userId: people.operator ?? '', vote: 'confirm' });
  await bot.store.operations.move(operation, 'waiting', 'approved');
  await bot.until(() => isUnderWay(bot, operation), 'the operation to begin');
  await bot.settle();
});

test('when a replica is killed during a job, the other one continues within ten seconds', async () => {
  const bot = await startTestBot({ engine: 'sqlite', replicas: 2, jobMs: 60_000 });
  await bot.say('operator', 'restart web-1', { replica: 1 });
  await bot.press('operator', 'Confirm', { replica: 1 });
  await bot.until(() => bot.story().includes('accepted by the provider'));
  await bot.replicas[1]?.kill();
  bot.skip(10_000);
  bot.sim.advance(60_000);
  await bot.until(() => bot.story().includes('[done in'), 'its end');
  expect(bot.writes()).toHaveLength(1);
});

test('a click on a card whose messages were deleted is answered, and posts no second card', async () => {
  const bot = await startTestBot();
  const operation = await ask(bot, 'restart web-1', 0);
  await bot.click('operator', vote(operation, 'withdraw'));
  await bot.until(async () => (await bot.store.operations.find(operation))?.nextTurnAt === null);
  await bot.settle();
  await bot.pass(31 * 86_400_000);
  await bot.replicas[0]?.sweep();
  await bot.click('operator', vote(operation, 'confirm'));
  expect(bot.transcript()).toContain('(only @operator) This has ended already. Restart web-1');
  expect(await bot.database.run('select key from messages')).toEqual([]);
});
