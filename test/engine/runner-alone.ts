import { onTestFinished, vi } from 'vitest';
import { defined } from '../../src/core/defined.ts';
import { StoreUnavailable } from '../../src/core/errors.ts';
import type { EngineContext } from '../../src/engine/context/engine-context.ts';
import { createRunner } from '../../src/engine/run/runner.ts';
import type { StepWatcher } from '../../src/engine/run/step-watcher.ts';

const plan = { title: 'Restart web-1', subject: [], targets: [], effect: '', details: [], facts: {} };

/** The requests wait for a decision, so that a turn only reads the votes. Without any it rests for ten minutes. */
const waits = {
  command: 'restart',
  state: 'waiting',
  args: {},
  plan,
  rule: { rule: 'confirm', isSolo: false },
  outcome: null,
  createdAt: 0,
  updatedAt: 0,
  expiresAt: 3_600_000,
  turnFailures: 0,
};
export const restMs = 600_000;

type Row = Partial<Omit<typeof waits, 'rule'>> & { readonly rule?: object };
interface Return {
  readonly waitMs: number | null;
  readonly hasFailed?: boolean;
}

/**
 * A runner whose store is in memory, beside other replicas or alone, and whose time only passes when the test says so.
 * Tests replace functions of `store` and of `runs` to let calls fail or hang.
 */
export async function openRunner({
  concurrency,
  isLocal = false,
  isStarted = true,
}: {
  concurrency?: number;
  isLocal?: boolean;
  isStarted?: boolean;
} = {}) {
  vi.useFakeTimers({ now: 0 });
  onTestFinished(() => void vi.useRealTimers());
  const rows = new Map<string, Row>();
  const votes: object[] = [];
  const claims: string[] = [];
  const taken: string[] = [];
  const returned: [string, Return][] = [];
  const asked: string[] = [];
  const told: string[] = [];
  const looks: number[] = [];
  const found: string[][] = [];
  const finds: string[] = [];
  const logged: [string, unknown][] = [];
  /** Lines of the log at the level debug. */
  const traced: [string, object][] = [];
  const kept: [string, number, readonly string[]][] = [];
  const leases = new Set<number>();
  const ends = new Map<string, PromiseWithResolvers<void>>();
  const gone = new Set<string>();
  const row = (id: string) => (gone.has(id) ? undefined : { id, ...waits, ...rows.get(id) });
  /** An endless loop of calls has to end with its test. */
  const calm = async (calls: readonly unknown[]) => {
    if (calls.length > 1_000) await new Promise(() => {});
  };
  const turns = {
    claim: async (id: string, _owner: string, leaseMs: number, isAsked: boolean): Promise<unknown> => {
      claims.push(`${id} ${isAsked ? 'asked' : 'due'}`);
      leases.add(leaseMs);
      await calm(claims);
      return row(id);
    },
    giveBack: async (id: string, _owner: string, given: Return): Promise<boolean> => {
      returned.push([id, given]);
      return false;
    },
    ask: async (id: string): Promise<void> => void asked.push(id),
    due: async (limit: number): Promise<string[]> => {
      looks.push(limit);
      await calm(looks);
      return found.shift() ?? [];
    },
    keep: async (owner: string, leaseMs: number, ids: readonly string[]): Promise<void> =>
      void kept.push([owner, leaseMs, ids]),
  };
  const store = {
    turns,
    operations: {
      find: async (id: string): Promise<unknown> => {
        finds.push(id);
        await calm(finds);
        return row(id);
      },
      move: async () => true,
    },
    votes: {
      list: async (id: string): Promise<readonly object[]> => {
        taken.push(id);
        await ends.get(id)?.promise;
        return votes;
      },
    },
  };
  let take: ((operation: string) => Promise<void>) | undefined;
  const runs = {
    isLocal,
    ask: async (operation: string): Promise<void> => void told.push(operation),
    start: async (given: (operation: string) => Promise<void>) => {
      take = given;
    },
    stop: async () => {},
  };
  const log = (fields: { err?: unknown }, words: string) => void logged.push([words, fields.err]);
  const context = {
    store,
    commands: [{ path: 'restart' }],
    now: () => Date.now(),
    elapsed: () => performance.now(),
    audit: async () => {},
    log: {
      debug: (fields: object, words: string) => void traced.push([words, fields]),
      info() {},
      warn: log,
      error: log,
    },
    meter: { operation() {} },
    owner: 'me',
  };
  const runner = createRunner(
    // A turn of a request that waits touches nothing else.
    context as unknown as EngineContext,
    () => ({}) as StepWatcher,
    runs,
    defined({ concurrency }),
  );
  const letGo = (id: string) => {
    ends.get(id)?.resolve();
    ends.delete(id);
  };
  const pass = async (ms: number) => void (await vi.advanceTimersByTimeAsync(ms));
  if (isStarted) await runner.start();
  onTestFinished(async () => {
    for (const { resolve } of ends.values()) resolve();
    // Some tests leave calls without an answer, for which a stop would wait.
    await Promise.race([runner.stop(), pass(10_000)]);
  });
  return {
    runner,
    store,
    runs,
    rows,
    /** Every request has these. */
    votes,
    claims,
    taken,
    returned,
    asked,
    told,
    looks,
    /** Of each look to come, what it finds to be due. */
    found,
    logged,
    traced,
    kept,
    leases,
    /** Lets the turns of these last until they are let go. */
    hold: (...ids: string[]) => {
      for (const id of ids) ends.set(id, Promise.withResolvers());
    },
    letGo,
    remove: (id: string) => void gone.add(id),
    pass,
    /** Until all is done that waits for no time. */
    settle: () => pass(0),
    wake: (...ids: string[]) => {
      for (const id of ids) runner.wake(id);
    },
    /** Another replica notifies this one. */
    tell: (id: string) => take?.(id),
  };
}

export const unavailable = new StoreUnavailable('the database is away');
