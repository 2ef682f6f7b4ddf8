import type { Kit } from '../kit.ts';
import { slotAt } from './sweep.ts';

const lookEveryMs = 5_000;
const waitMs = 60_000;

export interface Sweeps {
  /** Starts the sweep of this moment's interval unless a replica has, and waits for its end. */
  readonly now: () => Promise<void>;
  readonly start: () => void;
  readonly stop: () => void;
}

/**
 * Every replica asks the durable engine for the interval's sweep; the interval is the run's key, so there is one. What was
 * missed while nobody ran is caught up by the next one: the rules know when they looked last.
 */
export function createSweeps(kit: Kit, run: (slot: number) => Promise<void>): Sweeps {
  const { store, now, log } = kit.deps;
  let timer: NodeJS.Timeout | undefined;
  let asked = 0;

  async function ask(): Promise<void> {
    const slot = slotAt(now());
    if (slot <= asked) return;
    // Nobody wants to be told anything, and nothing is open: no run, no reads.
    if ((await kit.alerts.subscriptions.all()).size === 0 && (await store.alerts.busyChannels(now())).length === 0)
      return;
    await run(slot);
    asked = slot;
  }

  async function done(): Promise<number> {
    const key = 'sweep:done';
    const value = (await store.observations.find([key])).get(key)?.value;
    return typeof value === 'number' ? value : 0;
  }

  return {
    now: async () => {
      const slot = slotAt(now());
      await ask();
      const deadline = performance.now() + waitMs;
      while (asked >= slot && (await done()) < slot) {
        if (performance.now() > deadline)
          throw new Error(`waiting for the sweep ${slot}: it has not ended within a minute`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    start: () => {
      const look = () => void ask().catch((error) => log.warn({ err: error }, 'asking for a sweep of the alerts'));
      look();
      timer = setInterval(look, lookEveryMs);
      timer.unref();
    },
    stop: () => clearInterval(timer),
  };
}
