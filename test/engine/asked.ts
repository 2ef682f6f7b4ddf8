import { type Policy, policySchema } from '../../src/core/policy/policy.ts';
import { startTestBot, type TestBot, type TestBotOptions } from '../support/test-bot.ts';

/** A request right before its decision, for tests of its start. */

/** The rules of a channel in which everybody may operate. */
export const rules = (disruptive: object | string, more: object = {}): Policy =>
  policySchema.parse({
    grants: [{ to: ['everyone'], can: ['read', 'operate'] }],
    rules: { disruptive, dangerous: 'confirm' },
    ...more,
  });

/** A bot with one request, which waits for its decision. */
export async function asked(options: TestBotOptions = {}, line = 'restart web-1') {
  const bot = await startTestBot({ replicas: 1, engine: 'sqlite', ...options });
  await bot.say('operator', line);
  await bot.settle();
  return { bot, ...(await newest(bot)) };
}

export async function newest(bot: TestBot) {
  const [row] = await bot.store.operations.list({ limit: 1 });
  const id = row?.id ?? '';
  return { id, wake: () => bot.replicas[0]?.wake(id), row: async () => bot.store.operations.find(id) };
}

/** The waits in ms that the turns of a request ask for. */
export function waitsOf(bot: TestBot, id: string): readonly number[] {
  const { giveBack } = bot.store.turns;
  const waits: number[] = [];
  bot.store.turns.giveBack = async (...given) => {
    const [, , { dueAt }] = given;
    // The moment counts from the end of the turn, some milliseconds ago.
    if (given[0] === id && dueAt !== null) waits.push(Math.round((dueAt - bot.now()) / 100) * 100);
    return giveBack(...given);
  };
  return waits;
}

/** Makes something happen at the moment of the approval, before the second check. */
export function onceApproved(bot: TestBot, happens: () => unknown): void {
  const { move } = bot.store.operations;
  bot.store.operations.move = async (id, from, to, ...rest) => {
    if (to === 'approved') await happens();
    return move(id, from, to, ...rest);
  };
}

/** Makes something happen once, after the last check and right before the write, when the audit entry is written. */
export function beforeTheWrite(bot: TestBot, happens: () => unknown): void {
  const { audit } = bot.store;
  const { append } = audit;
  let hasHappened = false;
  audit.append = async (entry) => {
    if (entry.kind === 'call' && !hasHappened) {
      hasHappened = true;
      await happens();
    }
    return append(entry);
  };
}
