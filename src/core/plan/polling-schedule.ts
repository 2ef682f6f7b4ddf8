import { hour, minute, second } from '../text/words.ts';

/**
 * Determines when a job is polled next. Pure: the schedule follows from the durations of earlier jobs. A job of a
 * frequent kind is polled around its usual end, so that few calls show people the end within about two seconds.
 */

const first = [1, 2, 3, 5, 8].map((s) => s * second);
const rareAfterMs = 15 * 60 * second;
/** The bot stops polling a job of the provider after this time. */
const giveUpAfterMs = 2 * hour;

/** The number of jobs of a kind from which its durations are trusted. */
const enough = 10;

/** Ms until the next poll, or undefined if the job has run too long. `random`, 0..1, spreads the polls of many jobs. */
export function nextPoll(elapsedMs: number, looks: number, usualMs: readonly number[], random: number) {
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
 * Ms until the next poll of one operation. All running operations share 40 polls a second, so up to 40 operations poll
 * at their usual pace. Above 400 operations, old jobs poll less often and leave most polls to younger ones: 1,000 old
 * jobs take 14 polls a second.
 */
export function paced(ms: number, underWay: number, ageMs: number, random: number): number {
  const forOld = Math.min(underWay * 100 - 30 * second, ageMs / 2);
  return Math.max(ms, Math.max(underWay * 25, forOld) * (0.9 + 0.2 * random));
}

/** The window from just before the fastest recent jobs to just after the slowest, without the outliers at both ends. */
function usualWindow(usualMs: readonly number[]) {
  if (usualMs.length < enough) return undefined;
  const sorted = [...usualMs].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  const fromMs = Math.max(second, at(0.05) - second / 2);
  const untilMs = at(0.95) + second;
  // One poll a second, or eight over a wide window.
  const stepMs = Math.max(second, Math.ceil((untilMs - fromMs) / 8));
  return { fromMs, untilMs, stepMs, looks: Math.ceil((untilMs - fromMs) / stepMs) + 1 };
}

/** Ms until the next verifying read, at growing intervals; minutes longer if other steps wait. Undefined: unverified. */
export function nextVerify(looks: number, isPatient = false): number | undefined {
  return [1, 2, 4, 8, 15, ...(isPatient ? [30, 60, 60, 60] : [])].map((s) => s * second)[looks - 1];
}

/** Ms until a server is probed again. */
export function nextProbe(looks: number): number {
  return Math.min(2 ** looks, 30) * second;
}

const reads = [2, 3, 5, 10, 20, 40, 60, 60, 90].map((s) => s * second);

/** Ms until the next read after a lost response: for about five minutes, since the change may still be on its way. */
export function nextRead(looks: number): number | undefined {
  return reads[looks - 1];
}

/** From the call without a response to the last read: a minute more for the call and the reads. */
export const readsForMs = reads.reduce((sum, ms) => sum + ms, minute);
