import { inBackground } from '../../core/async/background.ts';
import { createSharedRuns } from '../../core/async/shared-runs.ts';
import { paced } from '../../core/plan/polling-schedule.ts';
import { StoreUnavailable } from '../../core/view/errors.ts';
import type { ClaimedTurn } from '../../store/records/turns.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { abandon } from './abandon.ts';
import { advance } from './advance.ts';
import { createAnswerKeeper } from './answer-keeper.ts';

export type Runner = ReturnType<typeof createRunner>;

interface RunnerOptions {
  readonly concurrency?: number | undefined;
  /** 1 in production; tests shorten the delays between polls. */
  readonly timeScale?: number;
}

/**
 * Far above the limit of eight concurrent calls to the provider: turns spend most of their time waiting, and those that
 * begin together share their reads and commits. 184 requests due in the same second take 2.3 s of processor time
 * and 4 reads of the account, and with a limit of 64, 3.2 s and 18 (`npm run bench -- scheduled`, on a busy machine).
 */
const mostAtOnce = 256;
/** The share of the turns for polled work; the rest stays free for turns that a person waits for. */
const shareOfDue = 0.75;
/** The poll that finds turns without a wake-up runs right after each full second, at which most hours begin. */
const pollEveryMs = 1_000;
/** Added to a turn's due time, so that the poll finds it due. */
const afterDueMs = 20;
/** Turns with a shorter wait get an exact timer. Each second's poll finds later ones, and claims all at once. */
const exactBelowMs = 10_000;
/** The lifetime of a lease: how long a killed process can keep an operation. */
const leaseMs = 8_000;
const renewEveryMs = 2_000;
const retryMs = 5_000;
/** Two minutes of failing turns. */
const mostFailures = 24;

/**
 * The only scheduler of operations: claims turns that are due in the rows and turns of woken operations. A lease in the
 * row gives an operation to one process at a time; a turn is repeated after a crash.
 */
export function createRunner(context: EngineContext, { concurrency = mostAtOnce, timeScale = 1 }: RunnerOptions = {}) {
  const { store, log, owner, elapsed } = context;
  const answers = createAnswerKeeper(log, context.wake);
  const drawn = new Map<string, string>();
  const turns = new Map<string, Promise<void>>();
  /** Operations woken during their turn or while this process is full. */
  const woken = new Set<string>();
  /** Operations whose turn ended while a claim of due turns was under way, which may have claimed them before that end. */
  const givenBack = new Set<string>();
  let underWay = 0;
  /** True if the last claim filled all free turns. */
  let isMoreDue = false;
  let polledAt = performance.now();
  /** Turns start only after the check for a long absence. */
  let isStarted = false;
  let isStopped = false;
  let polling: Promise<void> | undefined;
  let nextPoll: NodeJS.Timeout | undefined;
  let renewing: NodeJS.Timeout | undefined;

  function wake(operation: string): void {
    if (!isStarted || isStopped) return;
    if (turns.has(operation)) setWoken(operation);
    else if (turns.size < concurrency) begin(operation);
    else {
      setWoken(operation);
      // Makes the row due, so that the poll of another replica can claim it.
      store.turns
        .request(operation)
        .catch((error) => log.warn({ err: error, operation }, 'could not offer a turn to other replicas'));
    }
  }

  function setWoken(operation: string): void {
    woken.add(operation);
    log.debug({ operation }, 'another turn follows');
  }

  function begin(operation: string, claimed?: ClaimedTurn): void {
    woken.delete(operation);
    // No person waits for a turn that was due.
    const running = inBackground(claimed !== undefined, () => runTurns(operation, claimed))
      .catch((error) => log.warn({ err: error, operation }, 'could not claim a turn; its row stays due'))
      .finally(() => {
        turns.delete(operation);
        log.debug({ operation }, 'no turn follows');
        fillFreeTurns();
      });
    turns.set(operation, running);
  }

  function fillFreeTurns(): void {
    if (isStopped) return;
    for (const operation of woken) {
      if (turns.size >= concurrency) return;
      if (!turns.has(operation)) begin(operation);
    }
    if (isMoreDue && turns.size <= concurrency / 2) pollNow();
  }

  async function runTurns(operation: string, claimed?: ClaimedTurn): Promise<void> {
    let turn = claimed ?? (await store.turns.claim(operation, owner, leaseMs));
    // Another replica has the lease; when it releases the turn, it finds the row due.
    if (turn === undefined) return store.turns.request(operation);
    while (turn !== undefined) {
      const { waitMs, isDue } = await runTurn(operation, turn);
      if (isStopped) return;
      if (!isDue) {
        if (waitMs !== null && waitMs < exactBelowMs) setTimeout(pollNow, Math.max(0, waitMs) + afterDueMs).unref();
        return;
      }
      turn = await store.turns.claim(operation, owner, leaseMs);
    }
  }

  async function runTurn(operation: string, { operation: first, at }: ClaimedTurn) {
    const claimedAt = elapsed();
    const scope = {
      answers,
      drawn,
      random: Math.random,
      paced: (ms: number, ageMs: number) => paced(ms, underWay, ageMs, Math.random()) * timeScale,
      dueTime: () => at + elapsed() - claimedAt,
    };
    for (let row: typeof first | undefined = first; ; row = await store.operations.find(operation)) {
      woken.delete(operation);
      if (row === undefined) return { waitMs: null, isDue: false };
      log.debug({ operation, state: row.state }, 'a turn begins');
      const { turnFailures } = row;
      let hasFailed = false;
      const nextMs = await advance(context, scope, row).catch(async (error: unknown) => {
        const retry = await afterError(operation, turnFailures, error);
        hasFailed = retry.hasFailed;
        return retry.waitMs;
      });
      // By the clock of this turn: a process that is suspended here, or before the claim returned, is late for nothing.
      const dueAt = nextMs === null ? null : Math.round(scope.dueTime() + Math.max(1, nextMs));
      // The operation was woken meanwhile: keep the lease for another turn, unless the operation has ended.
      if (dueAt !== null && woken.has(operation) && !isStopped) continue;
      const isDue = await store.turns.giveBack(operation, owner, { dueAt, hasFailed });
      givenBack.add(operation);
      polledAt = performance.now();
      return { waitMs: dueAt === null ? null : dueAt - scope.dueTime(), isDue };
    }
  }

  /** An unavailable database recovers, so it never counts as a failure; any other error that repeats is a bug. */
  async function afterError(operation: string, failures: number, error: unknown) {
    log.error({ err: error, operation }, 'a turn of an operation failed and will be repeated');
    if (error instanceof StoreUnavailable) return { waitMs: retryMs, hasFailed: false };
    if (failures < mostFailures) return { waitMs: retryMs, hasFailed: true };
    await abandon(context, operation, error).catch((worse) =>
      log.error({ err: worse, operation }, 'could not abandon an operation'),
    );
    return { waitMs: 1, hasFailed: false };
  }

  async function pollDueTurns(): Promise<void> {
    const room = Math.ceil(concurrency * shareOfDue) - turns.size;
    if (room > 0) {
      givenBack.clear();
      const due = await store.turns.claimDue(owner, leaseMs, room);
      isMoreDue = due.length === room;
      for (const turn of due) await beginDue(turn);
    }
    polledAt = performance.now();
  }

  async function beginDue(turn: ClaimedTurn): Promise<void> {
    const { id } = turn.operation;
    if (isStopped) await store.turns.giveBack(id, owner, { dueAt: turn.at });
    // The lease had expired while this process was frozen.
    else if (turns.has(id)) setWoken(id);
    else begin(id, givenBack.has(id) ? undefined : turn);
  }

  const pollOnce = createSharedRuns(pollDueTurns);
  function pollNow(): void {
    if (isStopped) return;
    polling = pollOnce('').catch((error) => {
      log.warn({ err: error }, 'could not claim due turns');
      // An unavailable database returns an error; only a call that never returns counts as a hang.
      if (error instanceof StoreUnavailable) polledAt = performance.now();
    });
  }

  /** Not an interval, which would drift away from the full second. */
  function pollEachSecond(): void {
    const untilNextMs = pollEveryMs - (context.now() % pollEveryMs);
    nextPoll = setTimeout(pollEachSecond, untilNextMs + afterDueMs).unref();
    pollNow();
  }

  async function renewLeases(): Promise<void> {
    if (turns.size > 0) await store.turns.keep(owner, leaseMs, [...turns.keys()]);
    underWay = await store.turns.underWay();
  }

  return {
    /** Starts the operation's next turn now, here or on another replica. */
    wake,
    start: async () => {
      underWay = await store.turns.underWay();
      renewing = setInterval(() => {
        renewLeases().catch((error: unknown) =>
          log.warn({ err: error }, 'could not renew the leases of turns under way'),
        );
      }, renewEveryMs).unref();
      isStarted = true;
      pollEachSecond();
    },
    /** Waits for the turns under way and stores the kept responses. */
    stop: async () => {
      isStopped = true;
      clearInterval(renewing);
      clearTimeout(nextPoll);
      await polling;
      await Promise.allSettled(turns.values());
      await answers.stop();
    },
    /** The number of operations that the provider is working on. */
    underWay: () => underWay,
    /** Time since this process last finished a turn or polled for due ones. */
    polledAgoMs: () => performance.now() - polledAt,
  };
}
