import type { Subscription } from '../../core/alert/alert-subscription.ts';
import type { Severity } from '../../core/view/severity.ts';

/** True if an alert of this severity may be posted now: in quiet hours only critical ones. */
export function mayNotify(subscription: Subscription | undefined, severity: Severity, now: number): boolean {
  return severity === 'critical' || subscription === undefined || !isQuiet(subscription, now);
}

/** `22:00`–`07:00` spans midnight; two equal times mean the whole day. */
export function isQuiet({ quiet, timeZone }: Pick<Subscription, 'quiet' | 'timeZone'>, now: number): boolean {
  if (quiet === null) return false;
  const time = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(now);
  const { from, to } = quiet;
  return from < to ? from <= time && time < to : from <= time || time < to;
}
