/** Notifies listeners of changes; each listener then reads the state again. */
export interface Changes<C> {
  changed(change: C): void;
  /** Returns the function that removes the listener. */
  onChange(listener: (change: C) => void): () => void;
}

export function createChanges<C>(): Changes<C> {
  const listeners = new Set<(change: C) => void>();
  return {
    changed(change) {
      // A copy, since a listener may unsubscribe during its call.
      for (const listener of [...listeners]) listener(change);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
