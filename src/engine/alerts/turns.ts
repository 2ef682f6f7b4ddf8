export type InTurn = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** One after another for each key: those that write one alert at once would only make each other begin again. */
export function createInTurn(): InTurn {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const mine = (last.get(key) ?? Promise.resolve()).then(work, work);
    last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (last.get(key) === mine) last.delete(key);
    }
  };
}
