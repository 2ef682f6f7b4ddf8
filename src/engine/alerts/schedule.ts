import { setTimeout as pause } from 'node:timers/promises';
import { aside } from '../../core/async/aside.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { leavingOrders } from '../operation/gone.ts';
import { isSwept, slotAt } from './sweep.ts';

const lookEveryMs = 5_000;
const waitMs = 60_000;

export interface Sweeps {
  /** Starts the sweep of this moment's interval unless a replica has, and waits for its end. */
  readonly now: () => Promise<void>;
  readonly start: () => void;
  readonly stop: () => void;
}

/**
 * Every replica wants the interval's sweep, and the sweep's lease lets one of them make it. What was missed while nobody
 * ran is caught up by the next one: the rules know when they looked last.
 */
export function createAlertSchedule(context: EngineContext, run: (slot: number) => Promise<void>): Sweeps {
  const { now, log } = context;
  let timer: NodeJS.Timeout | undefined;
  /** The interval that was swept here last; a clock that is set back makes it a later one. */
  let asked = 0;
  let underWay: Promise<void> | undefined;

  /** False when there is no sweep of this interval. */
  async function ask(slot: number): Promise<boolean> {
    if (slot === asked) return true;
    if (!(await isNeeded(context))) return false;
    if (await isSwept(context, slot)) return true;
    // One sweep after another: the timer does not begin a slow one twice.
    await underWay;
    underWay = run(slot).finally(() => {
      underWay = undefined;
    });
    await underWay;
    asked = slot;
    return true;
  }

  return {
    now: async () => {
      const slot = slotAt(now());
      if (!(await ask(slot))) return;
      const deadline = performance.now() + waitMs;
      while (!(await isSwept(context, slot))) {
        if (performance.now() > deadline)
          throw new Error(`waiting for the sweep ${slot}: it has not ended within a minute`);
        await pause(5);
      }
    },
    start: () => {
      const look = () => aside(ask(slotAt(now())), log, 'asking for a sweep of the alerts');
      look();
      timer = setInterval(look, lookEveryMs);
      timer.unref();
    },
    stop: () => clearInterval(timer),
  };
}

/** A channel subscribes to a rule, an alert is open, a message of one is to be drawn, or a canceled order is still there. */
async function isNeeded({ alerts, store, now }: EngineContext): Promise<boolean> {
  if ((await alerts.subscriptions.all()).size > 0) return true;
  // Monitoring reports to channels without a subscription, and only a sweep ends what it reports no more.
  if ((await store.alerts.countOpen()) > 0 || (await store.alerts.busyChannels(now())).length > 0) return true;
  return (await leavingOrders(store)).length > 0;
}
