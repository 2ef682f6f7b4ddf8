import type { SimulatedSlack } from '../../../sandbox/slack/server.ts';

export interface CardsOverTime {
  /** True for a message that had a button for this request, now or before: a card that has ended names no id. */
  readonly isCardOf: (operation: string, message: Place) => boolean;
  /** True for a message that had a button for another request, and none for this one. */
  readonly isCardOfAnother: (operation: string, message: Place) => boolean;
}

interface Place {
  readonly channel: string;
  readonly ts: string;
}

/** Keeps which message was the card of which request, from now on. */
export function watchCards({ sim }: SimulatedSlack): CardsOverTime {
  const cards = new Map<string, Set<string>>();
  sim.onChange((change) => {
    if (change.kind !== 'message' || change.ts === undefined) return;
    const { id: channel, ts } = change;
    const blocks = JSON.stringify(sim.messages(channel).find((message) => message.ts === ts)?.blocks ?? []);
    // A button's value is JSON within JSON.
    for (const [, operation = ''] of blocks.matchAll(/\\"operation\\":\\"([a-z\d]+)\\"/g)) {
      const seen = cards.get(operation) ?? new Set();
      cards.set(operation, seen.add(`${channel} ${ts}`));
    }
  });
  const isCardOf = (operation: string, { channel, ts }: Place) =>
    cards.get(operation)?.has(`${channel} ${ts}`) ?? false;
  const isCard = ({ channel, ts }: Place) => [...cards.values()].some((seen) => seen.has(`${channel} ${ts}`));
  return { isCardOf, isCardOfAnother: (operation, message) => isCard(message) && !isCardOf(operation, message) };
}
