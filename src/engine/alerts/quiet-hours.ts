import type { Subscription } from '../../core/alert/alert-subscription.ts';
import { isWithin } from '../../core/text/day-hours.ts';
import type { Severity } from '../../core/view/severity.ts';

/** True if an alert of this severity may be posted now: in quiet hours only critical ones. */
export function mayNotify(subscription: Subscription | undefined, severity: Severity, now: number): boolean {
  return severity === 'critical' || subscription === undefined || !isQuiet(subscription, now);
}

export function isQuiet({ quiet, timeZone }: Pick<Subscription, 'quiet' | 'timeZone'>, now: number): boolean {
  return quiet !== null && isWithin(quiet, timeZone, now);
}
