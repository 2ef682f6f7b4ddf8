import type { ProviderError } from '../core/view/errors.ts';
import type { Effect } from './endpoint.ts';

/**
 * Retries of calls to the provider. A read is sent at most three times: again after no response, and after one of the
 * statuses below. A write is sent once.
 */

const maxTries = 3;
/** The read is not retried if the provider's Retry-After is longer. */
const maxRetryAfterMs = 60_000;

/** Too many requests, and errors of a proxy: 502, 503 and 504. */
export const retriedStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Ms until the next try; undefined after the last. */
export function retryDelay(effect: Effect, tries: number, { retryAfterMs }: ProviderError, retryDelayMs: number) {
  if (effect === 'write' || tries >= maxTries) return undefined;
  const jitterMs = retryDelayMs * 2 ** (tries - 1) * (0.5 + Math.random() / 2);
  if (retryAfterMs === undefined) return jitterMs;
  return retryAfterMs > maxRetryAfterMs ? undefined : retryAfterMs + jitterMs;
}
