/**
 * A clock in milliseconds that never goes back, for durations within one process. With a wall clock that is set back, a
 * lease, a cached value or a pause would last for hours. A jump forward counts: after a sleep of the machine, only the
 * wall clock shows its length.
 */
export function createForwardClock(now: () => number): () => number {
  let wall = now();
  let steady = performance.now();
  let at = 0;
  return () => {
    const [wallBefore, steadyBefore] = [wall, steady];
    wall = now();
    steady = performance.now();
    at += Math.max(0, wall - wallBefore, steady - steadyBefore);
    return at;
  };
}
