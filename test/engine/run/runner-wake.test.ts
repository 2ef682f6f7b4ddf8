import { expect, test } from 'vitest';
import { operationId } from '../../../src/engine/context/request.ts';
import { startTestBot, type TestBot } from '../../support/bot/test-bot.ts';
import { engines } from '../../support/database/databases.ts';
import { moveRow, newest } from '../asked.ts';
import { sayAndPress, sayAndSettle } from '../told.ts';

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

test.each(engines)('on %s, each of many operations begins, although it is decided with its card', async (engine) => {
  const bot = await startTestBot({ engine, process: { timeScale: 0.001 }, provider: { seed: { orders: 60 } } });
  const servers = bot.sim
    .state()
    .orders.filter(({ status, vps }) => status === 'active' && vps?.power === 'on')
    .map(({ id }) => id);
  const decide = async (server: string, n: number) => {
    const operation = await ask(bot, `restart ${server}`, n);
    await bot.click('operator', { label: '', intent: { do: 'vote', operation, vote: 'confirm' } }, { replica: n + 1 });
    // No sweep comes in this test.
    await bot.until(() => isUnderWay(bot, operation), `${operation} to begin`);
  };
  // Two at a time, so that each waits for its own run, not for the others.
  for (let n = 0; n < 12; n += 2) await Promise.all(servers.slice(n, n + 2).map((server, m) => decide(server, n + m)));
  await bot.settle();
});

test.each(engines)('on %s, a decided operation begins, although its process ended before that', async (engine) => {
  const bot = await startTestBot({ engine });
  const operation = await ask(bot, 'restart web-1', 0);
  await moveRow(bot, operation, 'approved');
  await bot.until(() => isUnderWay(bot, operation), 'the operation to begin');
  await bot.settle();
});

test('when a replica is killed during a job, the other one continues within ten seconds', async () => {
  const bot = await startTestBot({ replicas: 2, provider: { jobMs: 60_000 } });
  await bot.say('operator', 'restart web-1', { replica: 1 });
  await bot.press('operator', 'Confirm', { replica: 1 });
  await bot.until(() => bot.story().includes('accepted by the provider'));
  await bot.replicas[1]?.kill();
  bot.skip(10_000);
  bot.sim.advance(60_000);
  await bot.until(() => bot.story().includes('[done in'), 'its end');
  expect(bot.writes()).toHaveLength(1);
});

test.each(engines)('on %s, a vote and a Continue begin the work at once, not with the next check', async (engine) => {
  const bot = await startTestBot({ engine, replicas: 1 });
  const { claimDue } = bot.store.turns;
  bot.store.turns.claimDue = async () => [];
  await sayAndPress(bot, 'operator', 'restart web-1');
  await bot.until(() => bot.writes().length === 1, 'the first write');
  bot.store.turns.claimDue = claimDue;
  await bot.settle();
  await sayAndSettle(bot, 'operator', 'restart web-2');
  await moveRow(bot, (await newest(bot)).id, 'approved');
  await bot.pass(3 * 86_400_000);
  await bot.until(() => bot.story().includes('The bot was offline for 3 days.'), 'the card to say so');
  bot.store.turns.claimDue = async () => [];
  await bot.press('operator', 'Continue');
  await bot.until(() => bot.writes().length === 2, 'the second write');
});
