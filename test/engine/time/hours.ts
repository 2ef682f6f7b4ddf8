import { type Policy, policySchema } from '../../../src/core/policy/policy.ts';
import { opsGroup, people } from '../../support/bot/fake-slack.ts';
import { usualPolicy } from '../../support/bot/policy.ts';
import type { TestBot } from '../../support/bot/test-bot.ts';

/** Hours that pass, for requests that begin at one. */

const usual = usualPolicy(opsGroup);
/** The usual policy, in which the lead approves a restart. */
export const approved: Policy = policySchema.parse({
  ...usual,
  rules: { ...usual.rules, disruptive: { approve: 1, by: [`user:${people.lead}`] } },
});

/** Time passes, and the bot is there. */
export async function later(bot: TestBot, ms: number): Promise<void> {
  bot.skip(ms);
  await bot.store.presence.note();
  await bot.pass(0);
}

/** Time passes while no process runs. */
export async function offline(bot: TestBot, ms: number): Promise<void> {
  for (const replica of bot.replicas) await replica.halt();
  bot.skip(ms);
  bot.sim.advance(ms);
  await bot.openReplica();
  bot.replicas.splice(0, bot.replicas.length - 1);
}

/** The words that the card of the newest request keeps under Details. */
export async function detailsOf(bot: TestBot): Promise<string> {
  return JSON.stringify(await bot.open('operator', { button: 'Details' }));
}

/** The newest request. */
export async function newestRow(bot: TestBot) {
  const [found] = await bot.store.operations.list({ limit: 1 });
  if (found === undefined) throw new Error('no request');
  return found;
}

export const restarts = (bot: TestBot): number => bot.writes().filter((write) => write.includes('/restart/')).length;
