import type { Runs } from '../../src/engine/run/runs.ts';
import type { Scheduler } from './scheduler.ts';
import { runAs } from './virtual-world.ts';

/** Passes each turn that is asked for to one of the processes, in turn. */
export function createRuns(scheduler: Scheduler) {
  const takers = new Map<string, (operation: string) => Promise<void>>();
  let asked = 0;
  return {
    of: (process: string): Runs => ({
      isLocal: false,
      ask: async (operation) => {
        const alive = [...takers].filter(([taker]) => !scheduler.isDead(taker));
        const [taker, take] = alive[asked++ % Math.max(1, alive.length)] ?? [];
        if (taker !== undefined && take !== undefined) void runAs(taker, () => take(operation)).catch(() => undefined);
      },
      start: async (take) => {
        takers.set(process, take);
      },
      stop: async () => {},
    }),
  };
}
