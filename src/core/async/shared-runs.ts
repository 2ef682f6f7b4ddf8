/** Runs `work` once at a time for each key. Calls during a run share the next one, which sees all before the calls. */
export function createSharedRuns<T>(work: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const runs = new Map<string, { readonly now: Promise<T>; next: Promise<T> | undefined }>();
  return function run(key): Promise<T> {
    const underWay = runs.get(key);
    if (underWay !== undefined) {
      const again = () => run(key);
      underWay.next ??= underWay.now.then(again, again);
      return underWay.next;
    }
    const now = work(key).finally(() => runs.delete(key));
    runs.set(key, { now, next: undefined });
    return now;
  };
}
