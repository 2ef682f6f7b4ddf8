import { performance } from 'node:perf_hooks';

const everyMs = 20;

/** How late a timer comes: for so long nothing else was answered. Returns how to stop. */
export function watchEventLoop(observe: (seconds: number) => void): () => void {
  let expected = performance.now() + everyMs;
  const timer = setInterval(() => {
    const now = performance.now();
    observe(Math.max(0, now - expected) / 1_000);
    expected = now + everyMs;
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
