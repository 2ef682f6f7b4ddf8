/** Measures how long the database has failed to store requests. */
export interface Outage {
  readonly note: (isStored: boolean) => void;
  readonly ms: () => number;
}

export function createOutage(now: () => number): Outage {
  let since: number | undefined;
  return {
    note: (isStored) => {
      since = isStored ? undefined : (since ?? now());
    },
    ms: () => (since === undefined ? 0 : now() - since),
  };
}
