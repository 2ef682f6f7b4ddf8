import type { AlertRow } from '../../store/records/alert-messages.ts';

type Times = Pick<AlertRow, 'startsAt' | 'endsAt'>;

/*
 * Two senders, retries and a Prometheus that stalls make posts come twice, late, and with the same beginning after an
 * end. A wrong "resolved" is worse than a wrong "firing". So `firing` always opens, whatever its beginning, and these
 * times only decide which `resolved` is believed: one that was not believed before, and that is not the end of an
 * earlier alarm.
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
