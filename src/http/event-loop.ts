import { performance } from 'node:perf_hooks';

const everyMs = 20;

export interface Lateness {
  /** How late a timer fired: the loop handled no other event for this long. */
  readonly delaySeconds: number;
  /** The share of the delay in which this process used the processor; in the rest, the machine ran other processes. */
  readonly ownSeconds: number;
}

/** Measures the loop's delay until the returned function is called. */
export function watchEventLoop(observe: (lateness: Lateness) => void): () => void {
  let expected = performance.now() + everyMs;
  let computed = process.threadCpuUsage();
  const timer = setInterval(() => {
    const now = performance.now();
    const { user, system } = process.threadCpuUsage(computed);
    const delaySeconds = Math.max(0, now - expected) / 1_000;
    observe({ delaySeconds, ownSeconds: Math.min(delaySeconds, (user + system) / 1_000_000) });
    expected = now + everyMs;
    computed = process.threadCpuUsage();
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
