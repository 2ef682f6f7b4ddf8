import { giveUpAfterMs } from '../context/time-limits.ts';

/**
 * Decides when a job is read again. Pure: the moments follow from what is known of such jobs. A job of a kind that has
 * been seen often is read around the time it usually ends, so that people hear of it within about two seconds at few
 * calls.
 */

const second = 1_000;
const first = [1, 2, 3, 5, 8].map((s) => s * second);
const rareAfterMs = 15 * 60 * second;

/** Enough of a kind to trust its times. */
const enough = 10;

/**
 * Ms until the next look, or undefined when it has gone on too long. `random` is 0..1: looks of many jobs do not fall
 * together.
 */
export function nextLook(
  elapsedMs: number,
  looks: number,
  usualMs: readonly number[],
  random: number,
): number | undefined {
  if (elapsedMs >= giveUpAfterMs) return undefined;
  if (elapsedMs >= rareAfterMs) return 60 * second;
  const usual = usualWindow(usualMs);
  if (usual !== undefined && elapsedMs < usual.untilMs) {
    if (elapsedMs < usual.fromMs) return usual.fromMs - elapsedMs;
    return usual.stepMs;
  }
  const sinceWindow = usual === undefined ? looks : looks - usual.looks;
  const delay = first[Math.max(0, sinceWindow)] ?? 10 * second;
  return Math.round(delay * (0.9 + 0.2 * random));
}

/**
 * Ms until the next poll of one operation. All running operations share 40 polls a second, so up to 40 operations poll at
 * their usual pace. Above 400 operations, old jobs poll less often and leave most polls to younger ones: 1,000 old jobs
 * take 14 polls a second.
 */
export function paced(ms: number, underWay: number, ageMs: number, random: number): number {
  const forOld = Math.min(underWay * 100 - 30 * second, ageMs / 2);
  return Math.max(ms, Math.max(underWay * 25, forOld) * (0.9 + 0.2 * random));
}

/** From just before the fastest of the last ones to just after the slowest: outliers at either end are left out. */
function usualWindow(
  usualMs: readonly number[],
): { fromMs: number; untilMs: number; stepMs: number; looks: number } | undefined {
  if (usualMs.length < enough) return undefined;
  const sorted = [...usualMs].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  const fromMs = Math.max(second, at(0.05) - second / 2);
  const untilMs = at(0.95) + second;
  // A look a second; fewer when the spread is so wide that this would be many.
  const stepMs = Math.max(second, Math.ceil((untilMs - fromMs) / 8));
  return { fromMs, untilMs, stepMs, looks: Math.ceil((untilMs - fromMs) / stepMs) + 1 };
}

/**
 * Reading after a change: at once, then soon, then not so soon; for minutes where others wait for it. Undefined when it is
 * time to say "not verified".
 */
export function nextVerify(looks: number, isPatient = false): number | undefined {
  return [1, 2, 4, 8, 15, ...(isPatient ? [30, 60, 60, 60] : [])].map((s) => s * second)[looks - 1];
}

/** Reading after a lost answer: for about five minutes, since the change may still be on its way. */
export function nextRead(looks: number): number | undefined {
  return [2, 3, 5, 10, 20, 40, 60, 60, 90].map((s) => s * second)[looks - 1];
}
