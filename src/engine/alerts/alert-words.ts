import { day, minute, sayDuration } from '../../core/text/words.ts';
import { type Text, text } from '../../core/view/view.ts';
import type { Alert } from './records.ts';

/** How long an alert has lasted, and who is on it, in words. */

/** A start time further back comes from a clock that was never set. */
const mostEarlierMs = 30 * day;

export function since(alert: Pick<Alert, 'openedAt' | 'startsAt'>): Text {
  return ['open since ', { date: beginOf(alert), style: 'full' }];
}

/** The start time from monitoring, if it lies within the 30 days before the alert arrived. */
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

/** `@lead is on it since 4:40, handed over by @operator`; `by` stands for the last, where nobody is to be mentioned. */
export function sayOnIt({ byUser, until, sinceAt, handedBy }: OnIt, by?: string): Text {
  const who: Text = byUser === null ? 'Somebody' : [{ user: byUser }];
  // A time alone is clear as long as it is less than a day ago.
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
  // Of a resolved alert, only a snooze still has an end that matters.
  return until === null ? [' · ', { user: byUser }, ' was on it'] : [' · snoozed by ', { user: byUser }];
}

export function lasted(alert: Alert): string {
  return sayMinutes((alert.resolvedAt ?? beginOf(alert)) - beginOf(alert));
}

/** Sweeps run once a minute: seconds would be more precise than what is known. */
export function sayMinutes(ms: number): string {
  return sayDuration(ms < minute ? ms : Math.round(ms / minute) * minute);
}
