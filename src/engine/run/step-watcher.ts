import { within } from '../../core/within.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { type AnswerKeeper, createAnswerKeeper } from './answer-keeper.ts';
import { wasLossNotified } from './lost-answer.ts';
import { hasPhase, load, look } from './step-phases.ts';

/**
 * Looks after steps that the provider has: jobs until they end, changes until they can be read, lost answers until they
 * are known. It holds only timers; what it finds goes into the step's row, and the operation is woken. A step is looked
 * after by one process at a time, by a lease; another takes over when that lapses.
 */
export interface StepWatcher {
  /** Does nothing when this process, or another one, looks after it already. `leasedMs`: it is ours already for so long. */
  readonly arm: (operation: string, n: number, leasedMs?: number) => void;
  /** True when the step ends within so long. */
  readonly ends: (operation: string, n: number, withinMs: number) => Promise<boolean>;
  readonly count: () => number;
  /** Responses of the provider that could not be stored yet. */
  readonly answers: AnswerKeeper;
  /** Begins no further look, and answers those who wait for an end. Turns may still go on. */
  readonly stop: () => void;
  /** After the last turn: stores what is kept, and gives each step back, so that another process need not wait. */
  readonly giveBack: () => Promise<void>;
}

interface Watch {
  readonly operation: string;
  readonly n: number;
  phase: string | undefined;
  looks: number;
  lookedAt: number | undefined;
  leaseUntil: number;
  timer: NodeJS.Timeout | undefined;
  /** Never rejects. */
  looking: Promise<void> | undefined;
  /** Called once: with true at the end of the step, with false when another process watches it from now on. */
  onEnd: ((hasEnded: boolean) => void) | undefined;
}

/**
 * Beyond the next look: long enough for a slow look, short enough that steps of a killed replica are soon watched
 * again.
 */
export const watchLeaseMs = 20_000;

/**
 * The least time between two looks of all watches together, so that five hundred jobs, or five thousand that hang,
 * neither queue up at the provider nor slow down the bot. Below a hundred watches nothing is slowed down.
 */
const lookEveryMs = 10;
const firstWithinMs = 5_000;
const notifiedSoonMs = 1_000;

export function createStepWatcher(
  context: EngineContext,
  { timeScale, random = Math.random }: { timeScale: number; random?: () => number },
): StepWatcher {
  const { store, now, elapsed, log } = context;
  const answers = createAnswerKeeper(log, context.wake);
  const watches = new Map<string, Watch>();
  let isStopped = false;

  function schedule(watch: Watch, delayMs: number): void {
    if (isStopped) return;
    watch.timer = setTimeout(() => {
      watch.looking = lookAt(watch).catch((error) => {
        log.error({ err: error, operation: watch.operation }, 'watching: a look went wrong, it goes on');
        schedule(watch, 5_000);
      });
    }, delayMs * timeScale);
  }

  function stopWatching(watch: Watch): void {
    watches.delete(keyOf(watch.operation, watch.n));
    watch.onEnd?.(true);
    context.wake(watch.operation);
  }

  async function lookAt(watch: Watch): Promise<void> {
    if (!(await keepLease(watch, 0))) {
      watches.delete(keyOf(watch.operation, watch.n));
      watch.onEnd?.(false);
      return;
    }
    const found = await load(context, watch.operation, watch.n);
    if (found === undefined) return stopWatching(watch);
    const { state: phase, acceptedAt } = found.step;
    if (!hasPhase(phase)) return stopWatching(watch);
    if (phase !== watch.phase) Object.assign(watch, { phase, looks: 0 });
    // Its end is looked for once the thread and the audit say that the response was lost.
    if (phase === 'reading' && !(await wasLossNotified(context, watch.operation, watch.n))) {
      context.wake(watch.operation);
      return schedule(watch, notifiedSoonMs);
    }
    watch.looks++;
    // Only a step that was accepted is asked for it.
    const elapsedMs = now() - (acceptedAt ?? now());
    const sinceLookMs = watch.lookedAt === undefined ? elapsedMs : elapsed() - watch.lookedAt;
    watch.lookedAt = elapsed();
    const next = await look(context, found, phase, { looks: watch.looks, elapsedMs, sinceLookMs, random });
    if (next === 'over') return stopWatching(watch);
    const delayMs = next === 'next' ? 0 : Math.max(next, watches.size * lookEveryMs * (0.9 + 0.2 * random()));
    // A lease that was lost meanwhile is noticed by the next look.
    await keepLease(watch, delayMs * timeScale);
    schedule(watch, delayMs);
  }

  /** Leases the step for so many ms and a little longer; false when another process has it. */
  async function keepLease(watch: Watch, forMs: number): Promise<boolean> {
    const at = elapsed();
    if (watch.leaseUntil >= at + forMs + watchLeaseMs / 2) return true;
    const leaseMs = forMs + watchLeaseMs;
    const isMine = await store.steps.claimWatch(watch.operation, watch.n, context.owner, leaseMs);
    if (isMine) watch.leaseUntil = at + leaseMs;
    return isMine;
  }

  return {
    arm: (operation, n, leasedMs = 0) => {
      if (watches.has(keyOf(operation, n))) return;
      const watch: Watch = {
        operation,
        n,
        phase: undefined,
        looks: 0,
        lookedAt: undefined,
        leaseUntil: elapsed() + leasedMs,
        timer: undefined,
        looking: undefined,
        onEnd: undefined,
      };
      watches.set(keyOf(operation, n), watch);
      // First looks are spread as well: after a start there may be thousands.
      schedule(watch, watches.size < 100 ? 0 : random() * Math.min(firstWithinMs, watches.size * lookEveryMs));
    },
    ends: async (operation, n, withinMs) => {
      const watch = watches.get(keyOf(operation, n));
      if (watch === undefined || isStopped) return false;
      const { promise, resolve } = Promise.withResolvers<boolean>();
      watch.onEnd = resolve;
      const end = await within(promise, withinMs * timeScale);
      return end.kind === 'done' && end.value;
    },
    count: () => watches.size,
    answers,
    stop: () => {
      isStopped = true;
      for (const watch of watches.values()) {
        clearTimeout(watch.timer);
        watch.onEnd?.(false);
      }
    },
    giveBack: async () => {
      await answers.stop();
      await Promise.all([...watches.values()].map(({ looking }) => looking));
      await Promise.allSettled(
        [...watches.values()].map((watch) => store.steps.claimWatch(watch.operation, watch.n, context.owner, 0)),
      );
    },
  };
}

function keyOf(operation: string, n: number): string {
  return `${operation}:${n}`;
}
