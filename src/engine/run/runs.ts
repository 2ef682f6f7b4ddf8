/**
 * Tells a process that an operation's turn is due. The rows say what is due and who has it (store/turns.ts), so a lost
 * call delays a turn by a second, until the rows are checked next, and loses no decision.
 */
export interface Runs {
  /** Within this process, where no call is lost. */
  readonly isLocal: boolean;
  /** Lets `take` be called soon for this operation, here or on another replica. */
  readonly ask: (operation: string) => Promise<void>;
  readonly start: (take: (operation: string) => Promise<void>) => Promise<void>;
  /** Resolves when no more turns are taken; those under way continue. */
  readonly stop: () => Promise<void>;
}

/** Of those that one replica opens on PostgreSQL: one hears of new jobs, the others fetch and finish them. */
export const queueConnections = 4;

/** For a database that only one process uses. */
export function createEmbeddedRuns(): Runs {
  let take: ((operation: string) => Promise<void>) | undefined;
  return {
    isLocal: true,
    ask: async (operation) => {
      // Not awaited: the caller has other work, and errors in a turn are logged there.
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
