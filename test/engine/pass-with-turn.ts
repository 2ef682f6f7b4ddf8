import type { TestBot } from '../support/test-bot.ts';

/** Moves the clock and waits until the request has had a turn since. */
export async function passWithTurn(bot: TestBot, ms: number): Promise<void> {
  const [row] = await bot.store.operations.open();
  const id = row?.id ?? '';
  await bot.pass(ms);
  await bot.store.turns.ask(id);
  bot.replicas[0]?.wake(id);
  await bot.until(async () => {
    const { turnOwner = '', nextTurnAt = 0 } = (await bot.store.operations.find(id)) ?? {};
    return turnOwner === null && (nextTurnAt ?? 0) > bot.now();
  }, 'a turn of the request');
  await bot.settle();
}
