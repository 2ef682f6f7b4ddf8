/**
 * Milliseconds that only go forward, for durations inside one process. A wall clock that is set back would make a lease,
 * a remembered answer or a pause last for hours. A jump forward counts: the machine may have slept, and then nothing but
 * the wall clock knows for how long.
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
