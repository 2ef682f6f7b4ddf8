import type { Fault } from './faults.ts';

/** The wait before a message is sent again. */

const longestMs = 60_000;
/** The longest wait while Slack is unavailable, so that messages arrive soon after its return. */
const longestAwayMs = 15_000;

/** Slack says itself how long to wait when it limits the rate (429); other waits double with each attempt. */
export function backoffMs(fault: Fault, attempts: number): number {
  if (fault.kind === 'limited') return fault.retryAfterMs;
  if (fault.kind === 'revoked') return longestMs;
  return Math.min(fault.kind === 'away' ? longestAwayMs : longestMs, 1_000 * 2 ** Math.min(attempts, 6));
}
