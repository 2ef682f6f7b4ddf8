/** Change notifications: a change is reported, and every listener reads again. */
export interface Changes<C> {
  changed(change: C): void;
  /** The answer stops the listening. */
  onChange(listener: (change: C) => void): () => void;
}

export function createChanges<C>(): Changes<C> {
  const listeners = new Set<(change: C) => void>();
  return {
    changed(change) {
      // A listener may unsubscribe while it is being notified.
      for (const listener of [...listeners]) listener(change);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
