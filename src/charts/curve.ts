/** A curve for pictures and for their descriptions. A point without a value is a gap, never a zero. */
export interface Curve {
  readonly name: string;
  readonly points: readonly (readonly [atMs: number, value: number | null])[];
}

/** Undefined for a curve without values. */
export function extentOf({ points }: Curve) {
  const values = points.flatMap(([, value]) => value ?? []);
  const last = values.at(-1);
  if (last === undefined) return undefined;
  // A call with each value as an argument could overflow the stack.
  return {
    min: values.reduce((a, b) => Math.min(a, b)),
    mean: values.reduce((a, b) => a + b) / values.length,
    max: values.reduce((a, b) => Math.max(a, b)),
    last,
  };
}

/** The curve to draw: sorted by time, with gaps for values that are not finite and for missing points. */
export function withGaps({ name, points }: Curve): Curve {
  const sorted = points
    .filter(([atMs]) => Number.isFinite(atMs))
    .map(([atMs, value]) => [atMs, value !== null && Number.isFinite(value) ? value : null] as const)
    .sort((a, b) => a[0] - b[0]);
  const usualMs = usualStep(sorted.map(([atMs]) => atMs));
  const whole = sorted.flatMap((point, index) => {
    const previous = sorted[index - 1];
    const isSkipped = previous !== undefined && usualMs !== undefined && point[0] - previous[0] > 2.5 * usualMs;
    return isSkipped ? [[previous[0] + usualMs, null] as const, point] : [point];
  });
  return { name, points: whole };
}

/** The number of gaps between the first and the last value. */
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

/** Three significant digits: `4.1`, `23`, `1,840`. */
export function sayNumber(value: number): string {
  const size = Math.abs(value);
  const maximumFractionDigits = size === 0 || size >= 100 ? 0 : size >= 10 ? 1 : size >= 0.1 ? 2 : 4;
  return value.toLocaleString('en-US', { maximumFractionDigits });
}
