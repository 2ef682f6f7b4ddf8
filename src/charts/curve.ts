/** A curve as a picture shows it and as words say it. A point without a value is a gap, never a zero. */
export interface Curve {
  readonly name: string;
  readonly points: readonly (readonly [atMs: number, value: number | null])[];
}

export interface Extent {
  readonly min: number;
  readonly mean: number;
  readonly max: number;
  readonly last: number;
}

/** Undefined when there is no value at all. */
export function extentOf({ points }: Curve): Extent | undefined {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  let sum = 0;
  let count = 0;
  let last = 0;
  for (const [, value] of points) {
    if (value === null) continue;
    min = Math.min(min, value);
    max = Math.max(max, value);
    sum += value;
    count++;
    last = value;
  }
  return count === 0 ? undefined : { min, mean: sum / count, max, last };
}

/** The curve as it is drawn: in order of time, what is not finite is a gap, and so is a missing beat. */
export function withGaps({ name, points }: Curve): Curve {
  const sorted = points
    .filter(([atMs]) => Number.isFinite(atMs))
    .map(([atMs, value]) => [atMs, value !== null && Number.isFinite(value) ? value : null] as const)
    .sort((a, b) => a[0] - b[0]);
  const beat = usualStep(sorted.map(([atMs]) => atMs));
  const whole = sorted.flatMap((point, index) => {
    const previous = sorted[index - 1];
    const isSkipped = previous !== undefined && beat !== undefined && point[0] - previous[0] > 2.5 * beat;
    return isSkipped ? [[previous[0] + beat, null] as const, point] : [point];
  });
  return { name, points: whole };
}

/** How often the curve is interrupted between its first and its last value. */
export function gapsIn({ points }: Curve): number {
  const first = points.findIndex(([, value]) => value !== null);
  const last = points.findLastIndex(([, value]) => value !== null);
  return points
    .slice(first, last + 1)
    .filter(([, value], index, inside) => value === null && inside[index - 1]?.[1] !== null).length;
}

function usualStep(times: readonly number[]): number | undefined {
  const steps = times
    .slice(1)
    .map((at, index) => at - (times[index] ?? at))
    .filter((step) => step > 0)
    .sort((a, b) => a - b);
  return steps[Math.floor(steps.length / 2)];
}

/** `4.1`, `23`, `1,840`: three digits that mean something. */
export function sayNumber(value: number): string {
  const size = Math.abs(value);
  const maximumFractionDigits = size === 0 || size >= 100 ? 0 : size >= 10 ? 1 : size >= 0.1 ? 2 : 4;
  return value.toLocaleString('en-US', { maximumFractionDigits });
}
