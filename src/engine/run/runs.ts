/**
 * Carries the word that an operation's turn is due to a process that takes it. Rows say what is due and who has it
 * (store/turns.ts), so a word that is lost costs until the next look at the rows, a second, and never a decision.
 */
export interface Runs {
  /** Within this process, where no word is lost. */
  readonly isLocal: boolean;
  /** Lets `take` be called soon for this operation, here or on another replica. */
  readonly ask: (operation: string) => Promise<void>;
  readonly start: (take: (operation: string) => Promise<void>) => Promise<void>;
  /** Resolves when nothing more is taken; what is under way goes on. */
  readonly stop: () => Promise<void>;
}

/** Of those that one replica opens on PostgreSQL: one hears of new jobs, the others fetch and finish them. */
export const queueConnections = 4;

/** For a database that one process has to itself: the word stays in the process. */
export function createEmbeddedRuns(): Runs {
  let take: ((operation: string) => Promise<void>) | undefined;
  return {
    isLocal: true,
    ask: async (operation) => {
      // Not waited for: whoever asks has something else to do, and what goes wrong in a turn is logged there.
      take?.(operation).catch(() => undefined);
    },
    start: async (given) => {
      take = given;
    },
    stop: async () => {
      take = undefined;
    },
  };
}
