/**
 * One piece of work begins in each turn of the event loop, first come first served. What arrived meanwhile is read and
 * acknowledged in between, so that a burst of requests is acknowledged before all of it is worked on.
 */
export function createPace(): () => Promise<void> {
  const waiting: (() => void)[] = [];
  const next = () => {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(next);
  };
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(next);
    });
}
