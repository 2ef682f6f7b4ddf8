import { setTimeout as sleep } from 'node:timers/promises';
import type { Store } from '../../store/database.ts';

const waitMs = 15_000;
const lookEveryMs = 100;

/** Waits until the bot has posted the message, and returns a sentence about the result. */
export async function sayPosted(store: Store, key: string): Promise<string> {
  for (const until = performance.now() + waitMs; performance.now() < until; await sleep(lookEveryMs)) {
    const message = await store.messages.find(key);
    if (message?.ts) return 'The first message is in the channel.';
    if (message?.state === 'dead') return `Slack refused the first message: ${message.error ?? 'no reason given'}.`;
  }
  return 'The first message is not in the channel yet; the bot posts it when Slack takes it.';
}
