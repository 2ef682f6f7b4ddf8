import { openOperations } from '../support/bot/open-operations.ts';
import type { TestBot } from '../support/bot/test-bot.ts';

/** Waits until no turn of the request is under way or due, so that later changes are for its next turn. */
export function untilItRests(bot: TestBot, id: string): Promise<void> {
  return bot.until(async () => {
    const { turnOwner = '', nextTurnAt = 0 } = (await bot.store.operations.find(id)) ?? {};
    return turnOwner === null && (nextTurnAt ?? 0) > bot.now();
  }, 'a turn of the request');
}

/** Moves the clock and waits until the request has had a turn since. */
export async function passWithTurn(bot: TestBot, ms: number): Promise<void> {
  const [row] = await openOperations(bot.store);
  const id = row?.id ?? '';
  await bot.pass(ms);
  await bot.store.turns.request(id);
  bot.replicas[0]?.wake(id);
  await untilItRests(bot, id);
  await bot.settle();
}
