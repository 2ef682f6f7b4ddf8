import { minute } from '../text/words.ts';

export interface Thresholds {
  readonly unit: 'days' | 'percent' | 'minutes';
  /** From the mildest to the worst. */
  readonly usual: readonly number[];
  /** True if lower values are worse, as with days left. */
  readonly isFalling: boolean;
  readonly min: number;
  readonly max: number;
  /** Maximum number of thresholds; 1 for a rule that does not escalate. */
  readonly most: number;
}

/** The level that a falling number has reached, as an index into the thresholds; undefined above all of them. */
export function levelBelow(value: number, at: readonly number[]): number | undefined {
  const level = at.findLastIndex((threshold) => value <= threshold);
  return level < 0 ? undefined : level;
}

export function levelAbove(value: number, at: readonly number[]): number | undefined {
  const level = at.findLastIndex((threshold) => value >= threshold);
  return level < 0 ? undefined : level;
}

/** A channel's thresholds for a rule. */
export function thresholdsFor(
  rule: { readonly thresholds?: Thresholds },
  settings: { readonly at: readonly number[] } | undefined,
): readonly number[] {
  return settings !== undefined && settings.at.length > 0 ? settings.at : (rule.thresholds?.usual ?? []);
}

/**
 * The longest time from an event to its alert: the interval at which the rule reads each target, plus the minute
 * between sweeps.
 */
export function noticeMs({ everyMs, withinMs = 0 }: { readonly everyMs: number; readonly withinMs?: number }): number {
  const readMs = Math.max(everyMs, withinMs);
  return readMs <= minute ? minute : readMs + minute;
}
