import { StoreUnavailable } from '../../core/errors.ts';
import { createSharedRuns } from '../../core/shared-runs.ts';
import { orLate } from '../../core/within.ts';
import { commandAt, type EngineContext } from '../context/engine-context.ts';
import { abandon } from './abandon.ts';
import { advance } from './advance.ts';
import type { Runs } from './runs.ts';
import type { StepWatcher } from './step-watcher.ts';
import type { Turn } from './turn.ts';

export interface Runner {
  /** Lets the operation's next turn be taken now, on whichever replica. `isDue`: its row says already that it is due. */
  readonly wake: (operation: string, isDue?: boolean) => void;
  readonly start: () => Promise<void>;
  /** Waits for the turns under way. */
  readonly stop: () => Promise<void>;
  /** Since this process finished a turn, or found that none was due. */
  readonly lookedAgoMs: () => number;
}

/** Turns mostly wait: for the provider, which takes eight calls at once, and for the database. */
const mostAtOnce = 64;
const lookEveryMs = 1_000;
/** A process that was killed holds an operation for so long at most. */
const leaseMs = 20_000;
const keepEveryMs = 5_000;
const askWithinMs = 5_000;
/** A process at its limit tells the others so often that there is work for them. A job for each operation cost 4 of 23 statements. */
const tellEveryMs = 100;
const failedAgainMs = 5_000;
/** Two minutes of turns that fail. */
const mostFailures = 24;
/** Another replica may be of a newer version, which knows the command. */
const leftToOthersMs = 10 * 60_000;

/**
 * Takes the turns of operations: those it is asked for, and those that the rows say are due. One process at a time has an
 * operation, by a lease in its row; the turn itself is repeated after every crash.
 */
export function createRunner(
  context: EngineContext,
  watcher: () => StepWatcher,
  runs: Runs,
  { concurrency = mostAtOnce }: { concurrency?: number | undefined } = {},
): Runner {
  const { store, log, owner } = context;
  const taking = new Map<string, Promise<void>>();
  /** Woken while this process takes its turn, or while it is at its limit. */
  const asked = new Set<string>();
  /** Due by their rows, and waiting until this process has room; another one may take them first. */
  const waiting = new Set<string>();
  let toldAt = Number.NEGATIVE_INFINITY;
  /** The last look found as many as there was room for, or a process at its limit has more. */
  let isMoreDue = false;
  let lookedAt = performance.now();
  /** Nothing begins before the start: a long absence has to be noticed first. */
  let isStarted = false;
  let isStopped = false;
  const timers: NodeJS.Timeout[] = [];
  let looking: Promise<void> | undefined;

  function begin(operation: string, isAsked: boolean): void {
    if (isStopped) return;
    // A turn under way sees at its end whether it was asked for again.
    if (taking.has(operation) || taking.size >= concurrency) {
      if (isAsked) askAgain(operation);
      return;
    }
    asked.delete(operation);
    waiting.delete(operation);
    const work = takeTurns(operation, isAsked)
      .catch((error) => log.warn({ err: error, operation }, 'a turn could not be taken; it is due again in its row'))
      .finally(() => {
        taking.delete(operation);
        log.debug({ operation }, 'no turn follows');
        beginNext();
      });
    taking.set(operation, work);
  }

  function askAgain(operation: string): void {
    asked.add(operation);
    log.debug({ operation }, 'another turn follows');
  }

  function beginNext(): void {
    for (const [line, isAsked] of [[asked, true] as const, [waiting, false] as const]) {
      for (const operation of line) {
        if (taking.size >= concurrency) return;
        begin(operation, isAsked);
      }
    }
    if (isMoreDue && taking.size <= concurrency / 2) lookNow();
  }

  async function takeTurns(operation: string, isAsked: boolean): Promise<void> {
    let row = await store.turns.claim(operation, owner, leaseMs, isAsked);
    if (row === undefined) {
      // Another replica has it, and looks again before it gives it back.
      if (isAsked) await store.turns.ask(operation);
      return;
    }
    for (; row !== undefined; row = await store.operations.find(operation)) {
      const { turnFailures, state } = row;
      asked.delete(operation);
      log.debug({ operation, state }, 'a turn begins');
      const given = isUnknown(row)
        ? { waitMs: leftToOthersMs / 20 }
        : await advance(context, watcher(), row).then(restOf, (error: unknown) =>
            afterError(operation, turnFailures, error),
          );
      // Woken meanwhile: the lease is kept for another turn. An operation that is over needs none.
      if (given.waitMs !== null && asked.has(operation) && !isStopped) continue;
      asked.delete(operation);
      const isDue = await store.turns.giveBack(operation, owner, given);
      lookedAt = performance.now();
      if (isDue) askAgain(operation);
      return;
    }
  }

  function isUnknown({ command, updatedAt }: { command: string; updatedAt: number }): boolean {
    return commandAt(context, command) === undefined && context.now() - updatedAt < leftToOthersMs;
  }

  function restOf(turn: Turn): { waitMs: number | null } {
    return { waitMs: turn.isOver ? null : Math.max(1, Math.round(turn.waitMs)) };
  }

  /** An unavailable database comes back; any other error that repeats is a bug, and is reported as one. */
  async function afterError(operation: string, failures: number, error: unknown) {
    log.error({ err: error, operation }, 'a turn of an operation went wrong; it is taken again');
    if (error instanceof StoreUnavailable) return { waitMs: failedAgainMs };
    if (failures < mostFailures) return { waitMs: failedAgainMs, hasFailed: true };
    await abandon(context, operation, error).catch((worse) =>
      log.error({ err: worse, operation }, 'giving an operation up'),
    );
    return { waitMs: 1 };
  }

  async function look(): Promise<void> {
    const free = concurrency - taking.size;
    if (free > 0) {
      const due = await store.turns.due(free);
      isMoreDue = due.length === free;
      for (const operation of due) begin(operation, false);
    }
    lookedAt = performance.now();
  }

  const lookOnce = createSharedRuns(look);
  function lookNow(): void {
    if (isStopped) return;
    looking = lookOnce('').catch((error) => {
      log.warn({ err: error }, 'looking for turns that are due');
      // An unavailable database answers with an error; only a call without any answer counts as a hang.
      if (error instanceof StoreUnavailable) lookedAt = performance.now();
    });
  }

  /** This process is at its limit: another replica takes it, or the first one with room. */
  async function share(operation: string, isDue: boolean): Promise<void> {
    // Stored in the row first, which some replica checks within a second.
    if (!isDue) await store.turns.ask(operation);
    waiting.add(operation);
    if (performance.now() - toldAt < tellEveryMs) return;
    toldAt = performance.now();
    await orLate(runs.ask(operation), askWithinMs, () => new Error('asking for a turn: no answer'));
  }

  return {
    wake: (operation, isDue = false) => {
      if (isStopped || !isStarted) return;
      if (taking.has(operation)) askAgain(operation);
      else if (runs.isLocal || taking.size < concurrency) begin(operation, true);
      else
        share(operation, isDue).catch((error) => {
          log.warn({ err: error, operation }, 'asking for a turn: it is taken here');
          begin(operation, true);
        });
    },
    start: async () => {
      await runs.start(async (operation) => {
        // A process that is at its limit leaves the operation to a replica that is not.
        while (!runs.isLocal && taking.size >= concurrency && !isStopped) await Promise.race(taking.values());
        begin(operation, true);
        // The process that told it has more.
        isMoreDue = true;
        lookNow();
      });
      const keep = () => {
        if (taking.size > 0)
          store.turns
            .keep(owner, leaseMs, [...taking.keys()])
            .catch((error: unknown) => log.warn({ err: error }, 'keeping what is under way'));
      };
      timers.push(setInterval(lookNow, lookEveryMs), setInterval(keep, keepEveryMs));
      for (const timer of timers) timer.unref();
      isStarted = true;
      lookNow();
    },
    stop: async () => {
      isStopped = true;
      for (const timer of timers) clearInterval(timer);
      await orLate(runs.stop(), askWithinMs, () => new Error('stopping the queue of turns: no answer')).catch((error) =>
        log.warn({ err: error }, 'stopping'),
      );
      await looking;
      await Promise.allSettled(taking.values());
    },
    lookedAgoMs: () => performance.now() - lookedAt,
  };
}
