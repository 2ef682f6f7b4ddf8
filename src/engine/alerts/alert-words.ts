import type { Alert } from '../../core/alert/alert.ts';
import { count, day, minute, sayDuration } from '../../core/text/words.ts';
import { type Text, text } from '../../core/view/view.ts';

/** Words for the duration of an alert and the person on it. */

/** An older start time comes from a clock that was never set. */
const mostEarlierMs = 30 * day;

/** The title of the only alert, or the number of several. */
export function titleOf(alerts: readonly Alert[]): string {
  const [only] = alerts;
  return only === undefined || alerts.length > 1 ? count(alerts.length, 'alert') : only.finding.title;
}

export function since(alert: Pick<Alert, 'openedAt' | 'startsAt'>): Text {
  return ['since ', { date: beginOf(alert), style: 'full' }];
}

/** The start time from monitoring, if it is within 30 days before the alert arrived. */
export function beginOf({ openedAt, startsAt }: Pick<Alert, 'openedAt' | 'startsAt'>): number {
  const parsed = startsAt === null ? Number.NaN : Date.parse(startsAt);
  return parsed <= openedAt && parsed > openedAt - mostEarlierMs ? parsed : openedAt;
}

export function flapping({ flaps }: Alert): Text {
  return flaps === 0 ? '' : ` · ${sayFlaps(flaps)}`;
}

export function sayFlaps(flaps: number): string {
  return `on and off, ${flaps + 1} times`;
}

type OnIt = Pick<Alert, 'byUser' | 'until' | 'sinceAt' | 'handedBy'>;

/** `@lead is on it, handed over by @operator`; `by` stands for the last, in texts without mentions. */
export function sayOnIt({ byUser, handedBy }: Pick<OnIt, 'byUser' | 'handedBy'>, by?: string): Text {
  return text(whoIs(byUser), ' is on it', handed(handedBy, by));
}

/** `@lead has been on it since 4:40` */
export function sayOnItSince({ byUser, until, sinceAt, handedBy }: OnIt): Text {
  if (sinceAt === null) return sayOnIt({ byUser, handedBy });
  // A time alone is clear only within a day.
  const style = until === null || until - sinceAt > day ? 'full' : 'time';
  return text(whoIs(byUser), ' has been on it since ', { date: sinceAt, style }, handed(handedBy));
}

function whoIs(user: string | null): Text {
  return user === null ? 'Somebody' : [{ user }];
}

function handed(user: string | null, name?: string): Text {
  return user === null ? '' : [', handed over by ', name ?? { user }];
}

/** `snoozed by @operator until tomorrow 09:00` */
export function saySnoozed({ byUser, until }: Pick<OnIt, 'byUser' | 'until'>): Text {
  if (byUser === null || until === null) return 'snoozed';
  return ['snoozed by ', { user: byUser }, ' until ', { date: until, style: 'full' }];
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

/** Shows the host of the link to an alert in the monitoring system, since the sender chose the link. */
export function sourceLink(link: string): Text {
  return [{ link, text: `Source: ${URL.parse(link)?.host ?? link}` }];
}

/** Rounded to minutes, since sweeps run once a minute. */
export function sayMinutes(ms: number): string {
  return sayDuration(ms < minute ? ms : Math.round(ms / minute) * minute);
}
