import { type Alert, endSign, graver } from '../../core/alert/alert.ts';
import { defined } from '../../core/text/defined.ts';
import { byNumbers, count, day, firstLines, minute, sayDuration } from '../../core/text/words.ts';
import { severitySigns, signs } from '../../core/view/signs.ts';
import { buttonRow, dotted, joined, type Text, text, type View, type ViewPart } from '../../core/view/view.ts';
import { buttonsOfMany, buttonsOfNews, buttonsOfOne, offersOf } from './alert-buttons.ts';
import type { Attempts, AttemptsOf } from './attempts.ts';

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

export function flapping({ flaps }: Alert): string {
  return flaps === 0 ? '' : ` · on and off, ${flaps + 1} times`;
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

function wasOnIt({ byUser, state, until }: Alert): Text {
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

/** Maximum number of alerts shown in a message; the others are counted, and `alerts list` shows all. */
const mostLines = 20;
const mostSources = 3;

/** Draws the only message of these alerts, in any state. Pure: the same rows give the same view. */
export function drawAlerts(
  message: string,
  alerts: readonly Alert[],
  heading: (n: number) => string,
  pinged: Text = '',
  attempts: AttemptsOf = new Map(),
): View {
  const [only] = alerts;
  const view =
    only !== undefined && alerts.length === 1
      ? drawOne(message, only, attempts.get(only.id))
      : drawMany(message, alerts, heading, attempts);
  if (pinged.length === 0) return view;
  const [first, ...rest] = view.parts;
  const parts = first === undefined ? rest : [first, { kind: 'text', text: pinged } as const, ...rest];
  return { ...view, parts };
}

function drawOne(message: string, alert: Alert, attempts: Attempts | undefined): View {
  const { finding, state } = alert;
  if (finding.isNews) {
    const heading = { kind: 'heading', text: finding.title } as const;
    return { summary: finding.title, parts: [heading, ...toParts(finding.lines), ...buttonsOfNews(alert)] };
  }
  if (alert.resolvedAt !== null) return drawEnd(alert);
  const title = `${severitySigns[alert.severity]} ${finding.title}`;
  const isSnoozed = state === 'snoozed';
  const onIt = state === 'acknowledged' ? [sayOnIt(alert)] : [];
  const [first = '', ...others] = finding.lines;
  // One line takes both; of several each says something else.
  const lines = finding.lines.length === 1 ? [dotted([first, ...onIt])] : [first, ...others, ...onIt];
  return {
    summary: title,
    parts: [
      { kind: 'heading', text: title, ...defined({ aside: isSnoozed ? 'snoozed' : finding.aside }) },
      ...toParts(lines.filter((line) => line.length > 0)),
      ...toParts(attempts?.lines ?? []),
      ...toParts(attempts?.earlier ? [`and ${attempts.earlier} earlier, in the thread`] : []),
      { kind: 'context', text: text(since(alert), flapping(alert), isSnoozed ? text(' · ', saySnoozed(alert)) : '') },
      ...buttonsOfOne(message, alert, attempts),
    ],
  };
}

function toParts(lines: readonly Text[]): ViewPart[] {
  return lines.map((line) => ({ kind: 'text', text: line }));
}

/** `✅ db-1 is on again, after 6 min`. Monitoring says no more than that it is over. */
function drawEnd(alert: Alert): View {
  const { state, endText, finding } = alert;
  const words = `${endSign(state)} ${endText ?? `Resolved: ${nameOf(alert)}`}`;
  const title = `${words}${state === 'resolved' ? ',' : ' ·'} after ${lasted(alert)}`;
  const was = endText === null ? since(alert) : `was: ${finding.title}`;
  return {
    summary: title,
    parts: [
      { kind: 'text', text: [{ bold: title }] },
      { kind: 'context', text: text(was, flapping(alert), wasOnIt(alert)) },
    ],
  };
}

function drawMany(message: string, alerts: readonly Alert[], heading: (n: number) => string, attempts: AttemptsOf) {
  if (alerts.every(({ finding }) => finding.isNews)) return drawNews(alerts, heading);
  const open = alerts.filter((alert) => alert.resolvedAt === null).toSorted(worstFirst);
  const over = alerts.filter((alert) => alert.resolvedAt !== null).toSorted(oldestFirst);
  const title = open.length === 0 ? allOver(over, heading) : `${worstSign(open)} ${heading(open.length)}`;
  const shown = [...open, ...over].slice(0, mostLines);
  const left = alerts.length - shown.length;
  const lines = shown.flatMap((alert) => [lineAmongOthers(alert), ...lastAttempt(alert, attempts)]);
  const more = `and ${count(left, 'more', 'more')}; /host alerts list shows all that are open`;
  const aside = over.length === 0 ? {} : { aside: `${count(over.length, 'other')} resolved` };
  return {
    summary: title,
    parts: [
      open.length === 0 ? { kind: 'text', text: [{ bold: title }] } : { kind: 'heading', text: title, ...aside },
      { kind: 'text', text: joined(lines, '\n') },
      ...sources(open),
      ...(left > 0 ? [{ kind: 'context', text: more } as const] : []),
      ...(open.length === 0 ? [] : buttonsOfMany(message, open, attempts, mostLines)),
    ],
  } satisfies View;
}

/** `✅ Resolved: 3 orders are blocked, after 12 min` */
function allOver(over: readonly Alert[], heading: (n: number) => string): string {
  const isGood = over.every(({ state }) => state === 'resolved');
  const from = Math.min(...over.map(beginOf));
  const to = Math.max(...over.map((alert) => alert.resolvedAt ?? 0));
  const after = `after ${sayMinutes(to - from)}`;
  return isGood
    ? `${signs.done} Resolved: ${heading(over.length)}, ${after}`
    : `${signs.neutral} Over: ${heading(over.length)} · ${after}`;
}

function drawNews(alerts: readonly Alert[], heading: (n: number) => string): View {
  const title = heading(alerts.length);
  const titles = alerts.map(({ finding }) => finding.title);
  return {
    summary: title,
    parts: [
      { kind: 'heading', text: title },
      { kind: 'text', text: firstLines(titles, mostLines).join('\n') },
      ...buttonRow(offersOf(alerts)),
    ],
  };
}

export function worstSign(alerts: readonly Pick<Alert, 'severity'>[]): string {
  return severitySigns[alerts.toSorted(graver)[0]?.severity ?? 'info'];
}

function worstFirst(a: Alert, b: Alert): number {
  const left = (alert: Alert) => alert.finding.left ?? 0;
  return graver(a, b) || b.level - a.level || left(a) - left(b) || oldestFirst(a, b);
}

/** Alerts of one sweep open in the same millisecond and are then sorted by title. */
function oldestFirst(a: Alert, b: Alert): number {
  return a.openedAt - b.openedAt || byNumbers(a.finding.title, b.finding.title);
}

/** `🔴 InstanceDown · web-1 · since 10:01`, `✅ InstanceDown · web-2 · resolved after 18 s` */
function lineAmongOthers(alert: Alert): Text {
  const { state, severity, endText, resolvedAt } = alert;
  if (resolvedAt === null)
    return text(
      `${severitySigns[severity]} ${nameOf(alert)} · `,
      since(alert),
      state === 'open' ? '' : text(' · ', state === 'snoozed' ? saySnoozed(alert) : sayOnIt(alert)),
    );
  const after = `${endText === null ? 'resolved ' : ''}after ${lasted(alert)}`;
  return text(`${endSign(state)} ${endText ?? nameOf(alert)} · ${after}`, state === 'accepted' ? wasOnIt(alert) : '');
}

function lastAttempt({ id, resolvedAt }: Alert, attempts: AttemptsOf): Text[] {
  const lines = resolvedAt === null ? (attempts.get(id)?.lines ?? []) : [];
  return lines.slice(-1).map((line) => text('   ', line));
}

/** The title with the server and the labels that distinguish alerts of the same title. */
function nameOf({ finding: { title, target, which } }: Alert): string {
  const server = target.kind === 'order' ? target.name : '';
  // A label that is the name of the server tells nothing more.
  const labels = which?.split('=').at(-1) === server ? '' : (which ?? '');
  return [title, ...[server, labels].filter((part) => part !== '' && !title.includes(part))].join(' · ');
}

/** Links to these alerts in the monitoring systems, each once. */
function sources(alerts: readonly Alert[]): ViewPart[] {
  const links = [...new Set(alerts.flatMap(({ finding }) => finding.source ?? []))];
  const shown = links.length > mostSources ? [] : links;
  if (shown.length === 0) return [];
  return [{ kind: 'context', text: dotted(shown.map(sourceLink)) }];
}
