import { OpenWorkflow } from 'openworkflow';
import { isEnd } from '../core/operation.ts';
import { advance, type Turn } from './advance.ts';
import type { Kit } from './kit.ts';
import type { Watcher } from './watch.ts';

type Backend = ConstructorParameters<typeof OpenWorkflow>[0]['backend'];

/** The durable engine's own tables: a schema in PostgreSQL, a file of its own beside ours with SQLite. */
export async function openRuns(
  address: { engine: 'sqlite'; path: string } | { engine: 'postgres'; url: string },
): Promise<Backend> {
  if (address.engine === 'postgres')
    return (await import('openworkflow/postgres')).BackendPostgres.connect(address.url);
  return (await import('openworkflow/sqlite')).BackendSqlite.connect(address.path);
}

export interface Carrier {
  readonly carry: (operation: string) => Promise<void>;
  readonly wake: (operation: string) => void;
  /** Gives a new run to every open operation whose run is gone: given up by the durable engine, or lost with its file. */
  readonly revive: () => Promise<void>;
  /** The sweep of this interval, on whichever replica: asked for by all of them, made once. */
  readonly sweep: (slot: number) => Promise<void>;
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
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
const wakeAgainMs = [50, 150, 400, 1_000, 2_500];

/**
 * Carries operations: a run per operation that takes a turn, waits for a signal or a while, and takes the next. The rows
 * say how things stand; the run only makes sure that somebody goes on, on whichever replica, after whatever crash.
 */
export function createCarrier(
  kit: Kit,
  watcher: () => Watcher,
  backend: Backend,
  { concurrency = 16, sweep }: { concurrency?: number; sweep: (slot: number) => Promise<void> },
): Carrier {
  const { store, log } = kit.deps;
  const flow = new OpenWorkflow({ backend });
  const turning = new Set<string>();
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
      return await advance(kit, watcher(), operation);
    } catch (error) {
      log.error({ err: error, operation }, 'a turn of an operation went wrong; it is taken again');
      return { isOver: false, waitMs: 5_000 };
    } finally {
      turning.delete(operation);
    }
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

  async function signal(operation: string, tries = 0): Promise<void> {
    if (isStopped) return;
    const { workflowRunIds } = await flow.sendSignal({ signal: signalOf(operation) });
    tick();
    if (workflowRunIds.length > 0) return;
    // Nobody waits at this moment: a turn is under way, or the run is about to be made. Say it again unless it is over.
    const row = await store.operations.find(operation);
    const delayMs = wakeAgainMs[tries];
    if (row === undefined || isEnd(row.state) || delayMs === undefined) return;
    setTimeout(() => wakeAgain(operation, tries + 1), delayMs).unref();
  }

  function wakeAgain(operation: string, tries: number): void {
    signal(operation, tries).catch((error) =>
      log.warn({ err: error, operation }, 'waking an operation: it wakes by itself within a minute'),
    );
  }

  return {
    carry: async (operation) => {
      const row = await store.operations.find(operation);
      if (row === undefined || row.runId !== null) return;
      const handle = await workflow.run({ operation }, { idempotencyKey: `${operation}:${row.updatedAt}` });
      await store.operations.patch(operation, { runId: handle.workflowRun.id });
      tick();
    },
    wake: (operation) => wakeAgain(operation, 0),
    revive: async () => {
      for (const { id } of await store.operations.open()) {
        const row = await store.operations.find(id);
        if (row === undefined || row.runId === null || isEnd(row.state)) continue;
        const run = await backend.getWorkflowRun({ workflowRunId: row.runId });
        if (run !== null && !endedRuns.has(run.status)) continue;
        log.warn(
          { operation: id, run: run?.status ?? 'gone' },
          'the run of an open operation is no more; it gets another',
        );
        // Replicas that see it at the same time are given the same run.
        const handle = await workflow.run({ operation: id }, { idempotencyKey: `${id}:after:${row.runId}` });
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
