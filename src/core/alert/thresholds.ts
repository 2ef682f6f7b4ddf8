import { minute } from '../text/words.ts';

export interface Thresholds {
  readonly unit: 'days' | 'percent' | 'minutes';
  /** From the mildest to the worst. */
  readonly usual: readonly number[];
  /** Lower is worse, as with days that are left. */
  readonly isFalling: boolean;
  readonly min: number;
  readonly max: number;
  /** How many make sense; 1 for a rule that does not escalate. */
  readonly most: number;
}

/** The level a falling number has reached, as an index into thresholds; undefined when none. */
export function levelBelow(value: number, at: readonly number[]): number | undefined {
  const level = at.findLastIndex((threshold) => value <= threshold);
  return level < 0 ? undefined : level;
}

export function levelAbove(value: number, at: readonly number[]): number | undefined {
  const level = at.findLastIndex((threshold) => value >= threshold);
  return level < 0 ? undefined : level;
}

/** The thresholds a channel has for a rule. */
export function thresholdsFor(
  rule: { readonly thresholds?: Thresholds },
  wish: { readonly at: readonly number[] } | undefined,
): readonly number[] {
  return wish !== undefined && wish.at.length > 0 ? wish.at : (rule.thresholds?.usual ?? []);
}

/**
 * The longest time from an event to its alert: a rule looks at each of its targets so often, and a sweep comes every
 * minute.
 */
export function noticeMs({ everyMs, withinMs = 0 }: { readonly everyMs: number; readonly withinMs?: number }): number {
  const readMs = Math.max(everyMs, withinMs);
  return readMs <= minute ? minute : readMs + minute;
}
