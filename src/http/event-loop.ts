import { performance } from 'node:perf_hooks';

const everyMs = 20;

export interface Lateness {
  /** How late a timer comes: for so long nothing else was answered. */
  readonly delaySeconds: number;
  /** The part of it that this process computed. The rest is a machine that gave the processor to others. */
  readonly ownSeconds: number;
}

/** Returns how to stop. */
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
