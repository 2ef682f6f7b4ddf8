import type { Subscription } from '../../core/alert/alert-subscription.ts';
import { isWithin } from '../../core/text/day-hours.ts';
import { count, firstLines } from '../../core/text/words.ts';
import { type Severity, severitySigns } from '../../core/view/severity.ts';
import type { Span, Text } from '../../core/view/view.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { worstSign } from './alert-view.ts';
import { sayFlaps } from './alert-words.ts';
import type { Alert } from './records.ts';

const mostNamed = 5;

/** True if an alert of this severity may be posted now: in quiet hours only critical ones. */
export function mayNotify(subscription: Subscription | undefined, severity: Severity, now: number): boolean {
  return severity === 'critical' || subscription === undefined || !isQuiet(subscription, now);
}

export function isQuiet({ quiet, timeZone }: Pick<Subscription, 'quiet' | 'timeZone'>, now: number): boolean {
  return quiet !== null && isWithin(quiet, timeZone, now);
}

/** The channel's mentions for these alerts; empty if none is critical. */
export function mentionsFor(alerts: readonly Alert[], subscription: Subscription | undefined, now: number): Text {
  const isNight = subscription !== undefined && isQuiet(subscription, now);
  const pings = alerts
    .filter(({ severity }) => severity === 'critical')
    .flatMap(({ rule }) => subscription?.rules[rule]?.ping ?? [])
    .filter(({ always }) => always || !isNight);
  const subjects = new Set(pings.flatMap(({ to }) => to.map(({ subject }) => subject)));
  return [...subjects].flatMap((subject, at): Span[] => {
    const id = subject.slice(subject.indexOf(':') + 1);
    const mention = subject.startsWith('group:') ? { group: id } : { user: id };
    return at === 0 ? [mention] : [' ', mention];
  });
}

/** Days that pass deserve no reply: until the alert is critical, the edit of its message says so. */
export function isWorthReply({ rule: name, severity, flaps }: Alert, rules: EngineContext['alerts']['rules']): boolean {
  const rule = rules.find((candidate) => candidate.name === name);
  return severity === 'critical' || flaps > 0 || rule?.thresholds?.unit !== 'days';
}

/** One reply for all alerts that escalated or returned in one sweep. */
export function sayWorse(worse: readonly Alert[]): string {
  const [first] = worse;
  if (first !== undefined && worse.length === 1) {
    const more = first.flaps > 0 ? ` · ${sayFlaps(first.flaps)}` : '';
    return `${severitySigns[first.severity]} ${first.finding.title}${more}`;
  }
  const what = worse.every(({ flaps }) => flaps > 0) ? 'are on again' : 'got worse';
  const titles = worse.map(({ finding }) => finding.title);
  return `${worstSign(worse)} ${count(worse.length, 'alert')} ${what}: ${firstLines(titles, mostNamed).join('; ')}`;
}
