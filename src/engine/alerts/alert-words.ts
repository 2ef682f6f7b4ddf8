import { day, minute, sayDuration } from '../../core/text/words.ts';
import { type Text, text } from '../../core/view/view.ts';
import type { Alert } from './records.ts';

/** Words for the duration of an alert and the person on it. */

/** An older start time comes from a clock that was never set. */
const mostEarlierMs = 30 * day;

export function since(alert: Pick<Alert, 'openedAt' | 'startsAt'>): Text {
  return ['open since ', { date: beginOf(alert), style: 'full' }];
}

/** The start time from monitoring, if it is within 30 days before the alert arrived. */
export function beginOf({ openedAt, startsAt }: Pick<Alert, 'openedAt' | 'startsAt'>): number {
  const said = startsAt === null ? Number.NaN : Date.parse(startsAt);
  return said <= openedAt && said > openedAt - mostEarlierMs ? said : openedAt;
}

export function flapping({ flaps }: Alert): Text {
  return flaps === 0 ? '' : ` · ${sayFlaps(flaps)}`;
}

export function sayFlaps(flaps: number): string {
  return `on and off, ${flaps + 1} times`;
}

type OnIt = Pick<Alert, 'byUser' | 'until' | 'sinceAt' | 'handedBy'>;

/** `@lead is on it since 4:40, handed over by @operator`; `by` replaces the last mention by a name. */
export function sayOnIt({ byUser, until, sinceAt, handedBy }: OnIt, by?: string): Text {
  const who: Text = byUser === null ? 'Somebody' : [{ user: byUser }];
  // Within a day, a time without a date is clear.
  const style = sinceAt === null || until === null || until - sinceAt > day ? 'full' : 'time';
  const since: Text = sinceAt === null ? '' : [' since ', { date: sinceAt, style }];
  const handed: Text = handedBy === null ? '' : [', handed over by ', by ?? { user: handedBy }];
  return text(who, ' is on it', since, handed);
}

/** ` · snoozed by @operator until tomorrow 09:00` */
export function snoozedUntil({ state, byUser, until }: Alert): Text {
  if (byUser === null || until === null || state !== 'snoozed') return '';
  return [' · snoozed by ', { user: byUser }, ' until ', { date: until, style: 'full' }];
}

export function wasOnIt({ byUser, state, until }: Alert): Text {
  if (byUser === null) return '';
  if (state === 'accepted') return [' · said by ', { user: byUser }];
  // A resolved alert keeps `until` only if it was snoozed.
  return until === null ? [' · ', { user: byUser }, ' was on it'] : [' · snoozed by ', { user: byUser }];
}

export function lasted(alert: Alert): string {
  return sayMinutes((alert.resolvedAt ?? beginOf(alert)) - beginOf(alert));
}

/** Rounded to minutes, since sweeps run once a minute. */
export function sayMinutes(ms: number): string {
  return sayDuration(ms < minute ? ms : Math.round(ms / minute) * minute);
}
