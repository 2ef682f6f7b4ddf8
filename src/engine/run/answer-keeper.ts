import type { Log } from '../context/dependencies.ts';

/**
 * Keeps the provider's answers that cannot be stored in memory, and tries to store them again for as long as the
 * process lives. Until then the step is taken for one that is under way.
 */
export interface AnswerKeeper {
  /** True when it was stored at once. `store` may be called any number of times. */
  readonly keep: (answer: KeptAnswer, store: () => Promise<void>) => Promise<boolean>;
  readonly has: (operation: string, n: number) => boolean;
  /** Tries each once more. */
  readonly stop: () => Promise<void>;
}

interface KeptAnswer {
  readonly operation: string;
  readonly n: number;
  /** For the log, in case it is never stored; contains no secret. */
  readonly text: string;
}

const againMs = [50, 200, 500, 1_000, 2_000];
const againAtMostMs = 5_000;

export function createAnswerKeeper(log: Log, wake: (operation: string) => void): AnswerKeeper {
  const kept = new Map<string, { readonly retry: () => Promise<boolean>; timer: NodeJS.Timeout | undefined }>();
  let isStopped = false;
  const keyOf = (operation: string, n: number) => `${operation}:${n}`;

  return {
    keep: async (answer, store) => {
      const key = keyOf(answer.operation, answer.n);
      const fields = { operation: answer.operation, step: answer.n, answer: answer.text };
      let tries = 0;
      const attempt = async (): Promise<boolean> => {
        try {
          await store();
        } catch (error) {
          log.error(
            { ...fields, err: error },
            'the response of the provider could not be stored; it is kept and stored again',
          );
          return false;
        }
        kept.delete(key);
        if (tries > 0) {
          log.info(fields, 'the response of the provider is stored');
          wake(answer.operation);
        }
        return true;
      };
      const retry = async (): Promise<boolean> => {
        tries += 1;
        const isStored = await attempt();
        if (!isStored) schedule();
        return isStored;
      };
      const schedule = () => {
        const entry = kept.get(key) ?? { retry, timer: undefined };
        kept.set(key, entry);
        if (!isStopped) entry.timer = setTimeout(retry, againMs[tries] ?? againAtMostMs);
      };
      kept.set(key, { retry, timer: undefined });
      const isStored = await attempt();
      if (!isStored) schedule();
      return isStored;
    },
    has: (operation, n) => kept.has(keyOf(operation, n)),
    stop: async () => {
      isStopped = true;
      for (const { timer } of kept.values()) clearTimeout(timer);
      await Promise.all([...kept.values()].map(({ retry }) => retry()));
    },
  };
}
