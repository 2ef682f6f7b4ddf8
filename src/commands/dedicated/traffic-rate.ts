import { day } from '../../core/text/words.ts';
import { parseProviderDate } from '../../core/view/days.ts';
import type { TrafficLimits } from '../../provider/endpoints/ds.ts';

export type TrafficRate =
  /** There is no limit, or the dates cannot be used. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'over' }
  | { readonly kind: 'early' }
  | { readonly kind: 'runs_out'; readonly atMs: number; readonly daysBeforeEnd: number }
  | { readonly kind: 'lasts'; readonly expected: number };

/**
 * Estimates the traffic of the range at its present rate. The dates are days without a time zone, so there is no
 * estimate before one whole day has passed.
 */
export function trafficRateOf(limits: TrafficLimits, now: number): TrafficRate {
  if (limits.limit <= 0) return { kind: 'unknown' };
  if (limits.used >= limits.limit) return { kind: 'over' };
  const start = parseProviderDate(limits.range_start)?.ms;
  const end = parseProviderDate(limits.range_end)?.ms;
  if (start === undefined || end === undefined || end <= start) return { kind: 'unknown' };
  const elapsedMs = Math.min(now, end) - start;
  if (elapsedMs < day) return { kind: 'early' };
  const atMs = start + (limits.limit * elapsedMs) / limits.used;
  if (limits.used > 0 && atMs < end) {
    return { kind: 'runs_out', atMs, daysBeforeEnd: Math.floor((end - atMs) / day) };
  }
  return { kind: 'lasts', expected: (limits.used * (end - start)) / elapsedMs };
}

/** The used share of the limit; without a limit, the provider's own rate. */
export function shareUsed({ used, limit, used_rate: rate }: TrafficLimits): number {
  return limit > 0 ? used / limit : rate;
}

/** `85 %`; a small share is never rounded to 0 %. */
export function percent(share: number): string {
  const value = share * 100;
  return value > 0 && value < 1 ? 'under 1 %' : `${Math.floor(value)} %`;
}
