import { aside } from '../../core/async/aside.ts';
import type { Log } from '../context/dependencies.ts';

export type AnswerKeeper = ReturnType<typeof createAnswerKeeper>;

interface Kept {
  /** Logged in case the response is never stored; contains no secret. */
  readonly fields: { readonly operation: string; readonly step: number; readonly answer: string };
  readonly store: () => Promise<void>;
  tries: number;
  timer: NodeJS.Timeout | undefined;
  trying: Promise<boolean> | undefined;
}

const againMs = [50, 200, 500, 1_000, 2_000];
const againAtMostMs = 5_000;

/**
 * Keeps provider responses in memory while the database cannot store them, and retries until the process ends. Until a
 * response is stored, its step counts as under way.
 */
export function createAnswerKeeper(log: Log, wake: (operation: string) => void) {
  const kept = new Map<string, Kept>();
  let isStopped = false;
  const keyOf = (operation: string, n: number) => `${operation}:${n}`;

  async function attempt(entry: Kept): Promise<boolean> {
    const { operation, step } = entry.fields;
    try {
      await entry.store();
    } catch (error) {
      const words = 'could not store the provider response; it is kept in memory and retried';
      log.error({ ...entry.fields, err: error }, words);
      return false;
    }
    // A later response for the same step may have replaced this one.
    if (kept.get(keyOf(operation, step)) === entry) kept.delete(keyOf(operation, step));
    if (entry.tries > 0) {
      log.info(entry.fields, 'stored the provider response after a retry');
      wake(operation);
    }
    return true;
  }

  /** Runs one attempt at a time: of two concurrent ones, the second would fail. */
  async function tryAgain(entry: Kept): Promise<boolean> {
    entry.trying = attempt(entry);
    const isStored = await entry.trying;
    const delayMs = againMs[entry.tries++] ?? againAtMostMs;
    if (!isStored && !isStopped)
      entry.timer = setTimeout(() => aside(tryAgain(entry), log, 'storing a response'), delayMs);
    return isStored;
  }

  return {
    /** Resolves to true if the first attempt stored the response. `store` may be called any number of times. */
    keep: (fields: Kept['fields'], store: () => Promise<void>): Promise<boolean> => {
      const entry: Kept = { fields, store, tries: 0, timer: undefined, trying: undefined };
      kept.set(keyOf(fields.operation, fields.step), entry);
      return tryAgain(entry);
    },
    has: (operation: string, n: number) => kept.has(keyOf(operation, n)),
    /** Attempts each unstored response once more. */
    stop: async () => {
      isStopped = true;
      await Promise.all(
        [...kept.values()].map(async (entry) => {
          clearTimeout(entry.timer);
          if ((await entry.trying) !== true) await tryAgain(entry);
        }),
      );
    },
  };
}
