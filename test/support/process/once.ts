import { expect, vi } from 'vitest';
import type { SimMessage } from '../../../sandbox/slack/state.ts';
import { isEnd } from '../../../src/core/plan/operation.ts';
import { readOperationLeniently } from '../../../src/engine/operation/read-operation.ts';
import type { OperationRow } from '../../../src/store/records/operation-row.ts';
import { needsReply } from '../bot/end-told.ts';
import { verdictOn } from '../bot/history-of.ts';
import { patienceMs } from '../suite/patience.ts';
import type { TestSystem } from './test-system.ts';

/**
 * Checks what must hold after any crash: every request came to one end, was reported once, each step was sent at most once, no
 * lock is left, and the audit's chain is whole.
 */

export interface Tally {
  /** Messages that are in Slack twice, since the bot can be killed between a post and its row. */
  repeated: number;
}

export async function checkOnce(
  system: TestSystem,
  tally: Tally = { repeated: 0 },
  // The judge compares the times of the audit with those of Slack and the provider.
  { hasOneClock = true }: { readonly hasOneClock?: boolean } = {},
): Promise<OperationRow[]> {
  const operations = await system.store.operations.list({ limit: 1_000 });
  for (const operation of operations) {
    if (operation.state === 'waiting') continue;
    expect(isEnd(operation.state), `${operation.id} is ${operation.state}`).toBe(true);
    const steps = await system.store.steps.list(operation.id);
    for (const step of steps) {
      if (step.attempt !== null) expect(sentTo(system, operation.command, step.target), operation.id).toBeLessThan(2);
    }
    tally.repeated += await reportsOf(system, operation);
  }
  const locks = await system.store.locks.list();
  expect(locks).toEqual([]);
  expect(await system.store.audit.verify()).toMatchObject({ ok: true });
  if (!hasOneClock) return operations;
  // Messages that are there twice after a kill are counted above.
  const isOver = operations.every(({ state }) => isEnd(state));
  expect(await verdictOn(system, { isOver, kills: Number.POSITIVE_INFINITY })).toEqual([]);
  return operations;
}

/** Writes of this command to this target that the provider saw. */
export function sentTo(system: TestSystem, command: string, target: string): number {
  const path = `/vps/${target.replace(/^order:/, '')}/${command.replace('-', '_')}/`;
  return system.writes().filter((write) => write.endsWith(path)).length;
}

/** Expects the card and the end in Slack; returns how many of them are there a second time. */
async function reportsOf(system: TestSystem, operation: OperationRow): Promise<number> {
  const { sim } = system.slack;
  const end = operation.endText ?? operation.state;
  const { title } = readOperationLeniently(operation).plan;
  const messages = () => sim.messages(operation.channel);
  const own = () => messages().filter((message) => system.cardsOverTime.isCardOf(operation.id, message));
  expect(own().length, `cards of ${operation.id}`).toBeGreaterThan(0);
  // A card whose first post was never recorded is posted again, perhaps as it ended: no button names the request then. The
  // first one may show the end as well, if it was edited before its process was killed; the reply is in the thread of the
  // one that was recorded.
  const isPostedAgain = (message: SimMessage) => {
    const text = sim.plainText(message);
    const isAtRoot = (message.threadTs ?? message.ts) === message.ts;
    const isOfAnother = system.cardsOverTime.isCardOfAnother(operation.id, message);
    return isAtRoot && !isOfAnother && text.includes(title) && text.includes(end);
  };
  const shown = () =>
    messages().filter((message) => system.cardsOverTime.isCardOf(operation.id, message) || isPostedAgain(message));
  // The last edit of a card may still be on its way when its row is done.
  const shownTexts = () =>
    shown()
      .map((card) => sim.plainText(card))
      .join('\n');
  await vi.waitFor(() => expect(shownTexts(), `the cards of ${operation.id}`).toContain(end), patienceMs);
  const cards = shown();
  const threads = new Set(cards.map((card) => card.ts));
  // In the reply the sentence follows the title, and begins with a small letter.
  const tellsEnd = (message: SimMessage) => sim.plainText(message).toLowerCase().includes(end.toLowerCase());
  const ends = messages().filter(
    (message) => threads.has(message.threadTs ?? '') && !threads.has(message.ts) && tellsEnd(message),
  );
  if (!needsReply(operation)) expect(ends, `replies to ${operation.id}`).toEqual([]);
  else if (ends.length === 0) {
    const row = JSON.stringify(await system.store.messages.find(`end:${operation.id}`));
    expect.fail(`no end told of ${operation.id}, “${end}” (${row}):\n${sim.transcript(operation.channel)}`);
  }
  return cards.length - 1 + Math.max(0, ends.length - 1);
}
