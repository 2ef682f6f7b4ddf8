import type { ProviderError } from '../core/view/errors.ts';
import type { Effect } from './endpoint.ts';

/**
 * Retries of calls to the provider. A read is sent at most three times: again after no response, and after one of the
 * statuses below. A write is sent once.
 */

const maxTries = 3;

/** Too many requests, and errors of a proxy: 502, 503 and 504. */
export const retriedStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);

export interface RetryDelays {
  /** The wait before the second try; the wait before the third is double. Jitter takes off up to half. */
  readonly retryDelayMs: number;
  /** The read is not retried if the provider's Retry-After is longer. */
  readonly maxRetryAfterMs: number;
}

export const usualDelays: RetryDelays = { retryDelayMs: 250, maxRetryAfterMs: 60_000 };

/** Ms until the next try; undefined after the last. */
export function retryDelay(
  effect: Effect,
  tries: number,
  { retryAfterMs }: ProviderError,
  { retryDelayMs, maxRetryAfterMs }: RetryDelays,
): number | undefined {
  if (effect === 'write' || tries >= maxTries) return undefined;
  const jitterMs = retryDelayMs * 2 ** (tries - 1) * (0.5 + Math.random() / 2);
  if (retryAfterMs === undefined) return jitterMs;
  return retryAfterMs > maxRetryAfterMs ? undefined : retryAfterMs + jitterMs;
}
