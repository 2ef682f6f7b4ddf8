import { onTestFinished, vi } from 'vitest';
import { defined } from '../../../src/core/text/defined.ts';
import type { EngineContext } from '../../../src/engine/context/engine-context.ts';
import { createRunner } from '../../../src/engine/run/runner.ts';

const plan = { title: 'Restart web-1', subject: [], targets: [], effect: '', details: [], facts: {} };

/** Requests that wait for a decision: a turn only reads the votes, and is due again ten minutes after `createdAt`. */
const waits = {
  command: 'restart',
  state: 'waiting',
  args: {},
  plan,
  rule: { rule: 'confirm', isSolo: false },
  begins: { kind: 'now' },
  glass: null,
  token: null,
  outcome: null,
  createdAt: 0,
  updatedAt: 0,
  expiresAt: 3_600_000,
  turnFailures: 0,
  turnOwner: 'me',
};
export const restMs = 600_000;
/** Until the poll after the next full second. */
export const untilPollMs = 1_020;

interface Options {
  readonly concurrency?: number;
  readonly startsAt?: number;
}

/** A runner on a store in memory, with a clock that the test moves. */
export async function openRunner({ concurrency, startsAt = 0 }: Options = {}) {
  vi.useFakeTimers({ now: startsAt });
  onTestFinished(() => void vi.useRealTimers());
  const calls: string[] = [];
  const taken: string[] = [];
  const logged: [string, unknown][] = [];
  const holds = new Map<string, PromiseWithResolvers<void>>();
  const rows = new Map<string, object>();
  const claimed = (id: string) => ({ operation: { id, ...waits, ...rows.get(id) }, at: Date.now() });
  let due: string[] = [];
  const turns = {
    claim: async (id: string): Promise<unknown> => {
      calls.push(`claim ${id}`);
      return claimed(id);
    },
    claimDue: async (_owner: string, _leaseMs: number, limit: number): Promise<unknown[]> => {
      const now = due.slice(0, limit);
      due = due.slice(limit);
      if (now.length > 0) calls.push(`claim due ${now.join(' ')}`);
      return now.map(claimed);
    },
    giveBack: async (
      id: string,
      _owner: string,
      { dueAt, hasFailed }: { dueAt: number | null; hasFailed?: boolean },
    ) => {
      calls.push(`give back ${id} ${dueAt === null ? null : dueAt - Date.now()}${hasFailed === true ? ' failed' : ''}`);
      return false;
    },
    request: async (id: string) => void calls.push(`request ${id}`),
    keep: async (_owner: string, _leaseMs: number, ids: readonly string[]) => void calls.push(`keep ${ids.join(' ')}`),
    underWay: async () => 0,
  };
  const store = {
    turns,
    operations: { find: async (id: string) => claimed(id).operation, move: async () => true },
    votes: {
      list: async (id: string) => {
        taken.push(id);
        await holds.get(id)?.promise;
        return [];
      },
    },
  };
  const log = (fields: { err?: unknown }, words: string) => void logged.push([words, fields.err]);
  const context = {
    store,
    commands: [{ path: 'restart' }],
    now: () => Date.now(),
    elapsed: () => performance.now(),
    audit: async () => {},
    log: { debug() {}, info() {}, warn: log, error: log },
    meter: { operation() {} },
    wake: () => {},
    owner: 'me',
  };
  // A turn of a request that waits touches nothing else.
  const runner = createRunner(context as unknown as EngineContext, defined({ concurrency }));
  const pass = async (ms: number) => void (await vi.advanceTimersByTimeAsync(ms));
  const end = (...ids: string[]) => {
    for (const id of ids) holds.get(id)?.resolve();
    for (const id of ids) holds.delete(id);
  };
  await runner.start();
  onTestFinished(async () => {
    end(...holds.keys());
    await Promise.race([runner.stop(), pass(10_000)]);
  });
  return {
    runner,
    store,
    /** Statements of turns, in their order. */
    calls,
    taken,
    logged,
    rows,
    pass,
    settle: () => pass(0),
    /** Wakes these and lets their turns begin. */
    wake: async (...ids: string[]) => {
      for (const id of ids) runner.wake(id);
      await pass(0);
    },
    /** Lets the turns of these last until `end`. */
    hold: (...ids: string[]) => {
      for (const id of ids) holds.set(id, Promise.withResolvers());
    },
    end,
    setDue: (...ids: string[]) => {
      due = ids;
    },
  };
}
