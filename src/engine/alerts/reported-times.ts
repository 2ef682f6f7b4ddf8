import type { AlertRow } from '../../store/records/alert-messages.ts';

type Times = Pick<AlertRow, 'startsAt' | 'endsAt'>;

/*
 * With two senders, retries or a stalled Prometheus, posts come twice, late, or with the same start time after an end. A
 * wrong "resolved" is worse than a wrong "firing". So `firing` always opens an alert, and these times only decide which
 * `resolved` counts: one that has not counted before and is not the end of an earlier alert.
 */

/** True if the sender reports a new beginning of the open alert. */
export function startsLater(row: Times, startsAt: string | null): boolean {
  if (startsAt === null) return false;
  return row.startsAt === null || isBefore(row.startsAt, startsAt);
}

/** True if this end belongs to the open alert. */
export function isEndOf(row: Times, { startsAt, endsAt }: Times): boolean {
  if (endsAt !== null && row.endsAt !== null && !isBefore(row.endsAt, endsAt)) return false;
  return !isBefore(endsAt ?? startsAt, row.startsAt);
}

function isBefore(a: string | null, b: string | null): boolean {
  const [first, second] = [Date.parse(a ?? ''), Date.parse(b ?? '')];
  return !Number.isNaN(first) && !Number.isNaN(second) && first < second;
}
