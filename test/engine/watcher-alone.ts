import { onTestFinished, vi } from 'vitest';
import type { EngineContext } from '../../src/engine/context/engine-context.ts';
import { createStepWatcher } from '../../src/engine/run/step-watcher.ts';

const request = {
  ...{ id: 'op1', command: 'restart', requester: 'U1', channel: 'C1', thread: null, args: {}, outcome: null },
  plan: { title: 'Restart web-1', subject: [], targets: [], effect: '', details: [], facts: {} },
  rule: { rule: 'confirm', isSolo: false },
};
/** Read back after 1, 2, 4, 8 and 15 seconds; then its watch is over. */
const step = { n: 0, state: 'verifying', data: {}, receipt: null, note: null, seenAway: 0, acceptedAt: 0 };

/**
 * A step watcher whose store is in memory, and whose time only passes when the test says so. Its wall clock is ahead of
 * the time inside the process.
 */
export function openWatcher({ timeScale = 1, random = () => 0.5 }: { timeScale?: number; random?: () => number } = {}) {
  vi.useFakeTimers({ now: 0 });
  onTestFinished(() => void vi.useRealTimers());
  const rows = new Map<number, Partial<typeof step> | undefined>();
  const claims: unknown[][] = [];
  const looks: [number, number][] = [];
  const moves: unknown[][] = [];
  const measured: unknown[] = [];
  const woken: string[] = [];
  const logged: unknown[] = [];
  const told = new Set<string>();
  const answers = {
    claim: async (): Promise<boolean> => true,
    verify: async (): Promise<object> => ({ is: 'unsure', text: 'not read yet' }),
    follow: (): object | undefined => undefined,
    job: async (): Promise<object> => ({ job_state: 'running', completed: false, note: '' }),
  };
  const closed = {
    follow: () => answers.follow(),
    verify: () => answers.verify(),
    reconcile: async () => ({ is: 'not', text: 'it is as it was', isFinal: true }),
  };
  const at = () => Date.now();
  const context = {
    commands: [
      {
        path: 'restart',
        kind: 'action',
        step: ({ n }: { n: number }) => {
          looks.push([n, at()]);
          return closed;
        },
      },
    ],
    store: {
      operations: { find: async () => request },
      steps: {
        list: async () =>
          [...rows].flatMap(([n, row]) => (row === undefined ? [] : [{ ...step, n, data: { n }, ...row }])),
        claimWatch: async (...given: unknown[]) => {
          claims.push([at(), ...given]);
          return answers.claim();
        },
        move: async (...given: [string, number, string, string]) => {
          moves.push(given);
          rows.set(given[1], { ...rows.get(given[1]), state: given[3] });
        },
      },
      messages: { find: async (key: string) => (told.has(key) ? {} : undefined) },
      durations: {
        add: async (...given: unknown[]) => void measured.push(given),
        recent: async () => [],
      },
    },
    meter: { watched: (ms: number) => void measured.push(ms) },
    accessOf: async () => ({}),
    readContext: async () => ({ reader: { vps: { logDetails: () => answers.job() } } }),
    now: () => 1_000_000 + at(),
    elapsed: at,
    owner: 'me',
    wake: (operation: string) => void woken.push(operation),
    log: { warn() {}, info() {}, error: (...given: unknown[]) => void logged.push(given) },
  };
  // Watching uses nothing else of it.
  const watcher = createStepWatcher(context as unknown as EngineContext, { timeScale, random });
  rows.set(0, {});
  const pass = async (ms: number) => void (await vi.advanceTimersByTimeAsync(ms));
  return {
    ...{ watcher, rows, claims, looks, moves, measured, woken, logged, told, answers, pass },
    /** The moments at which the first step was looked at. */
    times: () => looks.flatMap(([n, ms]) => (n === 0 ? [ms] : [])),
  };
}
