/** Change notifications: those who change something report it, those who watch look again. */
export interface Changes<C> {
  changed(change: C): void;
  /** The answer stops the listening. */
  onChange(listener: (change: C) => void): () => void;
}

export function createChanges<C>(): Changes<C> {
  const listeners = new Set<(change: C) => void>();
  return {
    changed(change) {
      // A listener may stop listening while it is told.
      for (const listener of [...listeners]) listener(change);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
