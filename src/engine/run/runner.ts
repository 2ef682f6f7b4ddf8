import { OpenWorkflow } from 'openworkflow';
import { StoreUnavailable } from '../../core/errors.ts';
import { isEnd } from '../../core/operation.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { abandon } from './abandon.ts';
import { advance } from './advance.ts';
import type { StepWatcher } from './step-watcher.ts';
import type { Turn } from './turn.ts';

type Backend = ConstructorParameters<typeof OpenWorkflow>[0]['backend'];

/** The durable engine's own tables: a schema in PostgreSQL, a file of its own beside ours with SQLite. */
export async function openRuns(
  address: { engine: 'sqlite'; path: string } | { engine: 'postgres'; url: string },
): Promise<Backend> {
  if (address.engine === 'postgres')
    return (await import('openworkflow/postgres')).BackendPostgres.connect(address.url);
  return (await import('openworkflow/sqlite')).BackendSqlite.connect(address.path);
}

export interface Runner {
  readonly carry: (operation: string) => Promise<void>;
  readonly wake: (operation: string) => void;
  /** Gives a new run to every open operation whose run is gone: given up by the durable engine, or lost with its file. */
  readonly revive: () => Promise<void>;
  /** The sweep of this interval, on whichever replica: asked for by all of them, made once. */
  readonly sweep: (slot: number) => Promise<void>;
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/**
 * On PostgreSQL a signal can be lost to a run that is being put to rest (openworkflow 0.10.1, postgres/backend.js,
 * 2026-11-21): `sendSignal` leaves the run alone because it has a worker still, `sleepWorkflowRun` takes the worker away
 * and looks for signals, and only then the signal is committed. Every later one meets the first and wakes nobody either.
 * The backend's own look, taken once more after the commit, closes it: one of the two comes last and sees the other.
 * SQLite does both under one lock and has no such call.
 */
interface Rousing {
  readonly reconcileWorkflowSleepWakeUp: (workflowRunId: string) => Promise<unknown>;
}

function canRouse(backend: object): backend is Rousing {
  return 'reconcileWorkflowSleepWakeUp' in backend;
}

/** Below openworkflow's limit of 1,000 step attempts a run; what is open longer goes on in a run of its own. */
const turnsPerRun = 300;
/** openworkflow gives a run up for good at its first error unless told otherwise; an outage must not end an operation. */
const retryPolicy = {
  initialInterval: '1s',
  backoffCoefficient: 1.5,
  maximumInterval: '5s',
  maximumAttempts: 0,
} as const;
const endedRuns: ReadonlySet<string> = new Set(['completed', 'succeeded', 'failed', 'canceled']);
const hopelessAfterMs = 2 * 60_000;
const wakeAgainMs = [50, 150, 400];
const wakeAgainAtMostMs = 1_000;

/**
 * Carries operations: a run per operation that takes a turn, waits for a signal or a while, and takes the next. The rows
 * say how things stand; the run only makes sure that somebody goes on, on whichever replica, after whatever crash.
 */
export function createRunner(
  context: EngineContext,
  watcher: () => StepWatcher,
  backend: Backend,
  { concurrency = 16, sweep }: { concurrency?: number; sweep: (slot: number) => Promise<void> },
): Runner {
  const { store, log } = context;
  const flow = new OpenWorkflow({ backend });
  const turning = new Set<string>();
  /** Since when turns go wrong. */
  const failures = new Map<string, number>();
  /** Woken in the middle of a turn that this process takes: it looks again before it rests, and needs no signal. */
  const woken = new Set<string>();
  const wakingAgain = new Set<string>();
  let isTickPlanned = false;
  let isStopped = false;

  const workflow = flow.defineWorkflow<{ operation: string }, null>(
    { name: 'operation', version: '1', retryPolicy },
    async ({ input, step, run }) => {
      for (let n = 0; n < turnsPerRun; n++) {
        const turn = await step.run({ name: `turn ${n}` }, () => takeTurn(input.operation, run.id));
        if (turn.isOver) return null;
        await step.waitForSignal({
          name: `wait ${n}`,
          signal: signalOf(input.operation),
          timeout: Math.max(1, Math.round(turn.waitMs)),
        });
      }
      await store.operations.patch(input.operation, { runId: null });
      return null;
    },
  );
  const sweeping = flow.defineWorkflow<{ slot: number }, null>(
    { name: 'sweep', version: '1' },
    async ({ input, step }) => {
      await step.run({ name: 'sweep' }, () => sweep(input.slot));
      return null;
    },
  );
  const worker = flow.newWorker({ concurrency });

  async function takeTurn(operation: string, runId: string): Promise<Turn> {
    const row = await store.operations.find(operation);
    // Two runs for one operation can only come from a crash between making a run and noting it: the noted one goes on.
    if (row === undefined || (row.runId !== null && row.runId !== runId)) return { isOver: true };
    if (turning.has(operation)) return { isOver: false, waitMs: 1_000 };
    turning.add(operation);
    try {
      for (;;) {
        woken.delete(operation);
        const turn = await advance(context, watcher(), operation);
        failures.delete(operation);
        if (turn.isOver || !woken.has(operation)) return turn;
      }
    } catch (error) {
      log.error({ err: error, operation }, 'a turn of an operation went wrong; it is taken again');
      if (await isHopeless(operation, error)) return { isOver: false, waitMs: 1 };
      return { isOver: false, waitMs: 5_000 };
    } finally {
      turning.delete(operation);
    }
  }

  /** A database that is away comes back; anything else that goes wrong time after time is a bug, and is told as one. */
  async function isHopeless(operation: string, error: unknown): Promise<boolean> {
    if (error instanceof StoreUnavailable) return false;
    const since = failures.get(operation) ?? context.now();
    failures.set(operation, since);
    if (context.now() - since < hopelessAfterMs) return false;
    failures.delete(operation);
    await abandon(context, operation, error).catch((worse) =>
      log.error({ err: worse, operation }, 'giving an operation up'),
    );
    return true;
  }

  function tick(): void {
    if (isTickPlanned || isStopped) return;
    isTickPlanned = true;
    setImmediate(() => {
      isTickPlanned = false;
      if (!isStopped)
        worker.tick().catch((error) => log.warn({ err: error }, 'the durable engine could not be asked for work'));
    });
  }

  /**
   * Goes on until a run has the signal, or has ended and needs none. An operation that has ended may still owe its card
   * and its reply, so only the run is asked.
   */
  async function signal(operation: string, tries = 0): Promise<void> {
    if (isStopped) return;
    if (turning.has(operation)) {
      woken.add(operation);
      return;
    }
    const { workflowRunIds } = await flow.sendSignal({ signal: signalOf(operation) });
    // Before the tick: a run that is being roused is locked, and a worker passes over what is locked.
    for (const id of workflowRunIds) await rouse(id);
    tick();
    if (workflowRunIds.length > 0) return;
    // Nobody waits at this moment: a turn is under way on another replica, or the run is about to be made.
    const row = await store.operations.find(operation);
    if (row === undefined) return;
    const run = row.runId === null ? null : await backend.getWorkflowRun({ workflowRunId: row.runId });
    if (run === null ? isEnd(row.state) : endedRuns.has(run.status)) return;
    // Or it rests, with an earlier signal that nobody roused it for.
    if (run !== null) await rouse(run.id);
    signalAgain(operation, tries);
  }

  function signalAgain(operation: string, tries: number): void {
    if (wakingAgain.has(operation)) return;
    wakingAgain.add(operation);
    setTimeout(() => {
      wakingAgain.delete(operation);
      wake(operation, tries + 1);
    }, wakeAgainMs[tries] ?? wakeAgainAtMostMs).unref();
  }

  function wake(operation: string, tries = 0): void {
    signal(operation, tries).catch((error) => {
      if (tries === 0) log.warn({ err: error, operation }, 'waking an operation: it is tried again every second');
      signalAgain(operation, tries);
    });
  }

  /** See Rousing: the run may have been put to rest without the signal that it has. */
  async function rouse(workflowRunId: string): Promise<void> {
    if (canRouse(backend)) await backend.reconcileWorkflowSleepWakeUp(workflowRunId);
  }

  return {
    carry: async (operation) => {
      const row = await store.operations.find(operation);
      if (row === undefined || row.runId !== null) return;
      const handle = await workflow.run({ operation }, { idempotencyKey: `${operation}:${row.updatedAt}` });
      await store.operations.patch(operation, { runId: handle.workflowRun.id });
      tick();
    },
    wake,
    revive: async () => {
      for (const { id, runId } of await store.operations.carried()) {
        const run = await backend.getWorkflowRun({ workflowRunId: runId });
        if (run !== null && !endedRuns.has(run.status)) continue;
        // Meanwhile it may have ended, or gone on in another.
        const row = await store.operations.find(id);
        if (row === undefined || row.runId !== runId || isEnd(row.state)) continue;
        log.warn(
          { operation: id, run: run?.status ?? 'gone' },
          'the run of an open operation is no more; it gets another',
        );
        // Replicas that see it at the same time are given the same run.
        const handle = await workflow.run({ operation: id }, { idempotencyKey: `${id}:after:${runId}` });
        await store.operations.patch(id, { runId: handle.workflowRun.id });
        tick();
      }
    },
    sweep: async (slot) => {
      await sweeping.run({ slot }, { idempotencyKey: `sweep:${slot}` });
      tick();
    },
    start: () => worker.start(),
    stop: async () => {
      isStopped = true;
      await worker.stop();
      await backend.stop();
    },
  };
}

function signalOf(operation: string): string {
  return `operation:${operation}`;
}
