import type { Runs } from '../../src/engine/run/runs.ts';
import type { Scheduler } from './scheduler.ts';
import { asTask } from './tasks.ts';

/** Passes each turn that is asked for to one of the processes, in turn. */
export function createRuns(scheduler: Scheduler) {
  const takers = new Map<string, (operation: string) => Promise<void>>();
  let asked = 0;
  const alive = () => [...takers].filter(([taker]) => !scheduler.isDead(taker));
  return {
    of: (process: string): Runs => ({
      isLocal: false,
      ask: async (operation) => {
        scheduler.touch({ name: 'alive', isWrite: false }, { name: 'runs', isWrite: true });
        const there = alive();
        const [taker, take] = there[asked++ % Math.max(1, there.length)] ?? [];
        if (taker !== undefined && take !== undefined)
          void asTask(taker, `turn ${operation}`, () => take(operation)).catch(() => undefined);
      },
      start: async (take) => {
        scheduler.touch({ name: 'alive', isWrite: true });
        takers.set(process, take);
      },
      stop: async () => {},
    }),
    takers: (): string[] => alive().map(([taker]) => taker),
    /** The next turn goes to a process by this number. */
    asked: (): number => asked,
  };
}
