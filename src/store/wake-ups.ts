/**
 * Notifies other replicas that a turn is due. A notification carries no state and may be lost: the rows say what is
 * due, and each replica reads them every second.
 */
export interface WakeUps {
  /** False where a single process uses the database. */
  readonly reachOthers: boolean;
  readonly notify: () => Promise<void>;
  /** Calls `onWake` for each notification. The result stops listening. */
  readonly listen: (onWake: () => void) => Promise<() => Promise<void>>;
}

export const noWakeUps: WakeUps = {
  reachOthers: false,
  notify: async () => {},
  listen: async () => async () => {},
};
