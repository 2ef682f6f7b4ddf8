import { setTimeout as pause } from 'node:timers/promises';
import { aside } from '../../core/async/aside.ts';
import { inBackground } from '../../core/async/background.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { leavingOrders } from '../operation/gone.ts';
import { isSwept, slotAt } from './sweep.ts';

const lookEveryMs = 5_000;
const waitMs = 60_000;

interface Sweeps {
  /** Starts the sweep of the present interval unless a replica has, and waits for its end. */
  readonly now: () => Promise<void>;
  readonly start: () => void;
  readonly stop: () => void;
}

/**
 * Every replica requests the sweep of each interval, and the sweep's lease lets one of them run it. The next sweep
 * catches up on missed ones, since the rules store their last reads.
 */
export function createAlertSchedule(context: EngineContext, run: (slot: number) => Promise<void>): Sweeps {
  const { now, log } = context;
  let timer: NodeJS.Timeout | undefined;
  /** The last interval swept here; it may be in the future if the clock is set back. */
  let asked = 0;
  let underWay: Promise<void> | undefined;

  /** False if the interval needs no sweep. */
  async function sweepSlot(slot: number): Promise<boolean> {
    if (slot === asked) return true;
    if (!(await isNeeded(context))) return false;
    if (await isSwept(context, slot)) return true;
    // Sweeps run one after another, so that the timer does not begin a slow one twice.
    await underWay;
    underWay = inBackground(true, () => run(slot)).finally(() => {
      underWay = undefined;
    });
    await underWay;
    asked = slot;
    return true;
  }

  return {
    now: async () => {
      const slot = slotAt(now());
      if (!(await sweepSlot(slot))) return;
      const deadline = performance.now() + waitMs;
      while (!(await isSwept(context, slot))) {
        if (performance.now() > deadline)
          throw new Error(`waiting for the sweep ${slot}: it has not ended within a minute`);
        await pause(5);
      }
    },
    start: () => {
      const poll = () => aside(sweepSlot(slotAt(now())), log, 'sweeping the alerts');
      poll();
      timer = setInterval(poll, lookEveryMs);
      timer.unref();
    },
    stop: () => clearInterval(timer),
  };
}

/**
 * True if a channel subscribes to a rule, an alert is open, a message must be redrawn, a canceled order still exists, or
 * a zone was read, whose later versions are kept.
 */
async function isNeeded({ alerts, store, now }: EngineContext): Promise<boolean> {
  if ((await alerts.subscriptions.all()).size > 0) return true;
  // Monitoring reports to channels without a subscription, and only a sweep ends alerts that it no longer reports.
  if ((await store.alerts.countOpen()) > 0 || (await store.alerts.busyChannels(now())).length > 0) return true;
  return (await leavingOrders(store)).length > 0 || (await store.zoneVersions.isAnyKept());
}
