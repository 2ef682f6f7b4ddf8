/** Lets a number of works run at once; the others wait in order. */
export function createTurnstile(most: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running < most) running += 1;
    else await new Promise<void>((go) => waiting.push(go));
    try {
      return await work();
    } finally {
      // The place goes to the next one, or becomes free.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
