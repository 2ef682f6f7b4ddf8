import { createSharedRuns } from '../../core/async/shared-runs.ts';
import { StoreUnavailable } from '../../core/view/errors.ts';
import type { ClaimedTurn } from '../../store/records/turns.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { abandon } from './abandon.ts';
import { advance } from './advance.ts';
import { createAnswerKeeper } from './answer-keeper.ts';
import { paced } from './polling-schedule.ts';

export interface Runner {
  /** Takes the operation's next turn now, here or on another replica. */
  readonly wake: (operation: string) => void;
  readonly start: () => Promise<void>;
  /** Waits for the turns under way, and stores the responses that were kept. */
  readonly stop: () => Promise<void>;
  /** Operations that the provider works on. */
  readonly underWay: () => number;
  /** Since this process finished a turn, or found that none was due. */
  readonly lookedAgoMs: () => number;
}

export interface RunnerOptions {
  readonly concurrency?: number | undefined;
  /** 1 in production; tests shorten the delays between looks. */
  readonly timeScale?: number;
  readonly random?: () => number;
}

/** Turns mostly wait: for the provider, which takes eight calls at once, and for the database. */
const mostAtOnce = 64;
/** A turn that somebody waits for finds room while all due ones wait for a slow provider. */
const shareOfDue = 0.75;
/** Finds turns of which no notification arrived. */
const lookEveryMs = 1_000;
/** Added to the due time of a turn, so that the poll finds the turn due. */
const afterDueMs = 20;
/** The poll each second finds turns that are due later, and claims all of them in one statement. */
const exactBelowMs = 10_000;
/** How long a killed process can keep an operation. */
const leaseMs = 8_000;
const keepEveryMs = 2_000;
const notifyEveryMs = 50;
const retryMs = 5_000;
/** Two minutes of turns that fail. */
const mostFailures = 24;

/**
 * The only scheduler of operations: takes the turns that the rows say are due, and those it is woken for. One process at
 * a time has an operation, by a lease in its row; a turn is repeated after every crash.
 */
export function createRunner(
  context: EngineContext,
  { concurrency = mostAtOnce, timeScale = 1, random = Math.random }: RunnerOptions = {},
): Runner {
  const { store, log, owner, elapsed } = context;
  const answers = createAnswerKeeper(log, context.wake);
  const drawn = new Map<string, string>();
  const turns = new Map<string, Promise<void>>();
  /** Woken during its turn, or while this process has no room. */
  const woken = new Set<string>();
  const timers: NodeJS.Timeout[] = [];
  let underWay = 0;
  /** The last look found as many as there was room for. */
  let isMoreDue = false;
  let lookedAt = performance.now();
  let notifiedAt = Number.NEGATIVE_INFINITY;
  /** No turn starts earlier: a long absence is noticed first. */
  let isStarted = false;
  let isStopped = false;
  let looking: Promise<void> | undefined;
  let stopListening = async () => {};

  function wake(operation: string): void {
    if (!isStarted || isStopped) return;
    if (turns.has(operation)) setWoken(operation);
    else if (turns.size < concurrency) begin(operation);
    else {
      setWoken(operation);
      offer(operation).catch((error) => log.warn({ err: error, operation }, 'offering a turn to other replicas'));
    }
  }

  function setWoken(operation: string): void {
    woken.add(operation);
    log.debug({ operation }, 'another turn follows');
  }

  function begin(operation: string, claimed?: ClaimedTurn): void {
    woken.delete(operation);
    const taking = takeTurns(operation, claimed)
      .catch((error) => log.warn({ err: error, operation }, 'a turn could not be taken; it is due again in its row'))
      .finally(() => {
        turns.delete(operation);
        log.debug({ operation }, 'no turn follows');
        fillUp();
      });
    turns.set(operation, taking);
  }

  function fillUp(): void {
    if (isStopped) return;
    for (const operation of woken) {
      if (turns.size >= concurrency) return;
      if (!turns.has(operation)) begin(operation);
    }
    if (isMoreDue && turns.size <= concurrency / 2) lookNow();
  }

  /** This process has no room: its row is due, and another replica may take it first. */
  async function offer(operation: string): Promise<void> {
    if (!store.wakeUps.reachOthers) return;
    await store.turns.request(operation);
    if (performance.now() - notifiedAt < notifyEveryMs) return;
    notifiedAt = performance.now();
    await store.wakeUps.notify();
  }

  async function takeTurns(operation: string, claimed?: ClaimedTurn): Promise<void> {
    let turn = claimed ?? (await store.turns.claim(operation, owner, leaseMs));
    // Another replica has it, and sees before it gives it back that it is due.
    if (turn === undefined) return store.turns.request(operation);
    while (turn !== undefined) {
      const { waitMs, isDue } = await takeOne(operation, turn);
      if (isStopped) return;
      if (!isDue) {
        if (waitMs !== null && waitMs < exactBelowMs) setTimeout(lookNow, waitMs + afterDueMs).unref();
        return;
      }
      turn = await store.turns.claim(operation, owner, leaseMs);
    }
  }

  async function takeOne(operation: string, { operation: first, at }: ClaimedTurn) {
    const claimedAt = elapsed();
    const scope = {
      answers,
      drawn,
      random,
      paced: (ms: number, ageMs: number) => paced(ms, underWay, ageMs, random()) * timeScale,
      dueTime: () => at + elapsed() - claimedAt,
    };
    for (let row: typeof first | undefined = first; ; row = await store.operations.find(operation)) {
      woken.delete(operation);
      if (row === undefined) return { waitMs: null, isDue: false };
      log.debug({ operation, state: row.state }, 'a turn begins');
      const { turnFailures } = row;
      const rest = await advance(context, scope, row).then(
        (nextMs) => ({ waitMs: nextMs === null ? null : Math.max(1, Math.round(nextMs)) }),
        (error: unknown) => afterError(operation, turnFailures, error),
      );
      // Woken meanwhile: the lease is kept for another turn. An operation that is over needs none.
      if (rest.waitMs !== null && woken.has(operation) && !isStopped) continue;
      const isDue = await store.turns.giveBack(operation, owner, rest);
      lookedAt = performance.now();
      return { waitMs: rest.waitMs, isDue };
    }
  }

  /** An unavailable database comes back; any other error that repeats is a bug, and is reported as one. */
  async function afterError(operation: string, failures: number, error: unknown) {
    log.error({ err: error, operation }, 'a turn of an operation failed; it is repeated');
    if (error instanceof StoreUnavailable) return { waitMs: retryMs };
    if (failures < mostFailures) return { waitMs: retryMs, hasFailed: true };
    await abandon(context, operation, error).catch((worse) =>
      log.error({ err: worse, operation }, 'giving an operation up'),
    );
    return { waitMs: 1 };
  }

  async function look(): Promise<void> {
    const room = Math.ceil(concurrency * shareOfDue) - turns.size;
    if (room > 0) {
      const due = await store.turns.claimDue(owner, leaseMs, room);
      isMoreDue = due.length === room;
      for (const turn of due) await beginDue(turn);
    }
    lookedAt = performance.now();
  }

  async function beginDue(turn: ClaimedTurn): Promise<void> {
    const { id } = turn.operation;
    if (isStopped) await store.turns.giveBack(id, owner, { waitMs: 0 });
    // Its lease had lapsed while this process stood still.
    else if (turns.has(id)) setWoken(id);
    else begin(id, turn);
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

  async function keep(): Promise<void> {
    if (turns.size > 0) await store.turns.keep(owner, leaseMs, [...turns.keys()]);
    underWay = await store.turns.underWay();
  }

  return {
    wake,
    start: async () => {
      stopListening = await store.wakeUps.listen(lookNow);
      underWay = await store.turns.underWay();
      timers.push(
        setInterval(lookNow, lookEveryMs),
        setInterval(() => {
          keep().catch((error: unknown) => log.warn({ err: error }, 'keeping the turns under way'));
        }, keepEveryMs),
      );
      for (const timer of timers) timer.unref();
      isStarted = true;
      lookNow();
    },
    stop: async () => {
      isStopped = true;
      for (const timer of timers) clearInterval(timer);
      await stopListening().catch((error: unknown) => log.warn({ err: error }, 'stopping'));
      await looking;
      await Promise.allSettled(turns.values());
      await answers.stop();
    },
    underWay: () => underWay,
    lookedAgoMs: () => performance.now() - lookedAt,
  };
}
