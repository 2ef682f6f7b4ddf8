import type { SimMethod } from './method.ts';

interface Bucket {
  tokens: number;
  atMs: number;
}

/** Counts calls and returns the seconds to wait, or 0. */
export function createRateLimiter(nowMs: () => number): (method: SimMethod, args: Record<string, unknown>) => number {
  const buckets = new Map<string, Bucket>();
  return (method, args) => {
    const { perMinute, burst, per } = method.rate;
    const key = per === undefined ? method.name : `${method.name}:${String(args[per])}`;
    const at = nowMs();
    const before = buckets.get(key) ?? { tokens: burst, atMs: at };
    const tokens = Math.min(burst, before.tokens + ((at - before.atMs) * perMinute) / 60_000);
    const isAllowed = tokens >= 1;
    buckets.set(key, { tokens: isAllowed ? tokens - 1 : tokens, atMs: at });
    return isAllowed ? 0 : Math.max(1, Math.ceil(((1 - tokens) * 60) / perMinute));
  };
}
