import type { Offer } from '../../core/alert/alert.ts';
import { endSign } from '../../core/alert/alert-state.ts';
import { handOverButton, messageMark, onItButton, rightButtons } from '../../core/alert/on-it-button.ts';
import { isForSupport, ticketButton } from '../../core/alert/ticket-button.ts';
import { count } from '../../core/text/words.ts';
import { severities, severitySigns, severityWords } from '../../core/view/severity.ts';
import { signs } from '../../core/view/signs.ts';
import type { Button, Span, Text, View, ViewPart } from '../../core/view/view.ts';
import { text } from '../../core/view/view.ts';
import { beginOf, flapping, lasted, sayMinutes, sayOnIt, since, snoozedUntil, wasOnIt } from './alert-words.ts';
import type { Attempts } from './attempts.ts';
import type { Alert } from './records.ts';

/** Maximum number of alerts shown in a digest; the others are counted, and `alerts list` shows all. */
const mostLines = 20;
const mostOffers = 5;
const mostSources = 3;
const minute = 60_000;
const hour = 60 * minute;

export const snoozes = [
  { label: '1 hour', forMs: hour },
  { label: '4 hours', forMs: 4 * hour },
  { label: '1 day', forMs: 24 * hour },
  { label: '7 days', forMs: 7 * 24 * hour },
] as const;

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
      ? drawOne(message, only, attempts)
      : drawMany(message, alerts, heading, attempts);
  if (pinged.length === 0) return view;
  const [first, ...rest] = view.parts;
  const parts = first === undefined ? rest : [first, { kind: 'text', text: pinged } as const, ...rest];
  return { ...view, parts };
}

/** For each alert, the attempts to end its cause. */
type AttemptsOf = ReadonlyMap<string, Attempts>;

function drawOne(message: string, alert: Alert, attempts: AttemptsOf): View {
  const { finding } = alert;
  const lines = finding.lines.map((line): ViewPart => ({ kind: 'text', text: line }));
  const next = attempts.get(alert.id)?.offers ?? [];
  const offers = [...finding.offers, ...next].map((offer) => offerButton(alert, offer));
  if (finding.isNews) {
    const buttons = offers.length === 0 ? [] : [{ kind: 'buttons', buttons: offers } as const];
    return { summary: finding.title, parts: [{ kind: 'heading', text: finding.title }, ...lines, ...buttons] };
  }
  if (alert.resolvedAt !== null) {
    const title = `${endSign(alert.state)} ${alert.endText ?? nameOf(alert)}`;
    const was: Text[] = alert.endText === null ? ['resolved'] : [`was: ${finding.title}`];
    const parts: ViewPart[] = [
      { kind: 'text', text: [{ bold: title }] },
      { kind: 'context', text: text(...was, ` · lasted ${lasted(alert)}`, flapping(alert), wasOnIt(alert)) },
    ];
    return { summary: `${title} · lasted ${lasted(alert)}`, parts };
  }
  const title = `${severitySigns[alert.severity]} ${finding.title}`;
  return {
    summary: title,
    parts: [
      { kind: 'heading', text: title, aside: asideOf(alert) },
      ...lines,
      ...(alert.state === 'acknowledged' ? [{ kind: 'text', text: text(sayOnIt(alert), '.') } as const] : []),
      ...(attempts.get(alert.id)?.lines ?? []).map((line): ViewPart => ({ kind: 'text', text: line })),
      { kind: 'context', text: text(since(alert), flapping(alert), snoozedUntil(alert)) },
      ...controls(message, [alert], offers, [
        ...(alert.state === 'acknowledged' ? [handOverButton(alert.id)] : []),
        ...(isForSupport(finding) ? [ticketButton(`alert:${alert.id}`)] : []),
        ...rightButtons(alert.id, finding),
      ]),
    ],
  };
}

function drawMany(
  message: string,
  alerts: readonly Alert[],
  heading: (n: number) => string,
  attempts: AttemptsOf,
): View {
  if (alerts.every(({ finding }) => finding.isNews)) return drawNews(alerts, heading);
  const open = alerts.filter((alert) => alert.resolvedAt === null).toSorted(worstFirst);
  const over = alerts.filter((alert) => alert.resolvedAt !== null).toSorted(oldestFirst);
  const isOver = open.length === 0;
  const isGood = over.every(({ state }) => state === 'resolved');
  const title = isOver
    ? `${isGood ? signs.done : signs.neutral} ${heading(alerts.length)}: all ${isGood ? 'resolved' : 'over'}`
    : `${worstSign(open)} ${heading(open.length)}`;
  const shown = [...open, ...over].slice(0, mostLines);
  const left = alerts.length - shown.length;
  const lines = shown
    .flatMap((alert) => [digestLine(alert), ...(attempts.get(alert.id)?.lines ?? []).map((line) => text('   ', line))])
    .flatMap((line, index) => (index === 0 ? [line] : ['\n', line]));
  const parts: ViewPart[] = [
    isOver
      ? { kind: 'text', text: [{ bold: title }] }
      : { kind: 'heading', text: title, aside: over.length === 0 ? 'open' : `${count(over.length, 'other')} resolved` },
    { kind: 'text', text: text(...lines) },
  ];
  parts.push(...sources(isOver ? [] : open));
  if (left > 0)
    parts.push({
      kind: 'context',
      text: `and ${count(left, 'more', 'more')}; /host alerts list shows all that are open`,
    });
  if (isOver) {
    const from = Math.min(...alerts.map(beginOf));
    const to = Math.max(...over.map((alert) => alert.resolvedAt ?? 0));
    parts.push({ kind: 'context', text: `lasted ${sayMinutes(to - from)}` });
    return { summary: title, parts };
  }
  const [first] = open;
  if (first !== undefined && left === 0) parts.push({ kind: 'context', text: text(since(oldest(open))) });
  const offers = offersOf(open, attempts);
  const list: Button = { label: 'List', intent: { do: 'run', line: 'alerts list' } };
  const handing = open.some(({ state }) => state === 'acknowledged') ? [handOverButton(messageMark + message)] : [];
  parts.push(...controls(message, open, [...offers, list], handing));
  const right = open.slice(0, mostLines).flatMap((alert) =>
    rightButtons(alert.id, alert.finding).map((button) => ({
      ...button,
      label: named(`${button.label}:`, alert).slice(0, 75),
    })),
  );
  if (right.length > 0) parts.push({ kind: 'menu', label: 'Is right', options: right });
  return { summary: title, parts };
}

function drawNews(alerts: readonly Alert[], heading: (n: number) => string): View {
  const title = heading(alerts.length);
  const shown = alerts.slice(0, mostLines);
  const more = alerts.length - shown.length;
  const lines = [
    ...shown.map(({ finding }) => finding.title),
    ...(more > 0 ? [`and ${count(more, 'more', 'more')}`] : []),
  ];
  const buttons = offersOf(alerts);
  return {
    summary: title,
    parts: [
      { kind: 'heading', text: title },
      { kind: 'text', text: lines.join('\n') },
      ...(buttons.length === 0 ? [] : [{ kind: 'buttons', buttons } as const]),
    ],
  };
}

/** The sign of the alert with the highest severity. */
export function worstSign(alerts: readonly Pick<Alert, 'severity'>[]): string {
  return severitySigns[alerts.toSorted(graver)[0]?.severity ?? 'info'];
}

function graver(a: Pick<Alert, 'severity'>, b: Pick<Alert, 'severity'>): number {
  return severities.indexOf(b.severity) - severities.indexOf(a.severity);
}

function oldest(alerts: readonly Alert[]): Alert {
  return alerts.reduce((first, alert) => (beginOf(alert) < beginOf(first) ? alert : first));
}

function worstFirst(a: Alert, b: Alert): number {
  const left = (alert: Alert) => alert.finding.left ?? 0;
  return graver(a, b) || b.level - a.level || left(a) - left(b) || oldestFirst(a, b);
}

/** Alerts of one sweep open in the same millisecond and are then sorted by title. */
function oldestFirst(a: Alert, b: Alert): number {
  return a.openedAt - b.openedAt || a.finding.title.localeCompare(b.finding.title, 'en', { numeric: true });
}

function digestLine(alert: Alert): Text {
  if (alert.resolvedAt !== null)
    return text(
      `${endSign(alert.state)} ${alert.endText ?? `${nameOf(alert)} · resolved`} · lasted ${lasted(alert)}`,
      alert.state === 'accepted' ? wasOnIt(alert) : '',
    );
  return text(
    `${severitySigns[alert.severity]} ${nameOf(alert)} · ${severityWords[alert.severity]}`,
    alert.state === 'acknowledged' ? text(' · ', sayOnIt(alert)) : snoozedUntil(alert),
  );
}

/** The title with the server and the labels that distinguish alerts of the same title. */
function nameOf({ finding: { title, target, which } }: Alert): string {
  const server = target.kind === 'order' ? target.name : '';
  return [title, ...[server, which ?? ''].filter((part) => part !== '' && !title.includes(part))].join(' · ');
}

/** Links to these alerts in the monitoring systems, each once. */
function sources(alerts: readonly Alert[]): ViewPart[] {
  const links = [...new Set(alerts.flatMap(({ finding }) => finding.source ?? []))];
  const shown = links.length > mostSources ? [] : links;
  if (shown.length === 0) return [];
  const words = shown.flatMap((link, at): Span[] => [
    ...(at === 0 ? [] : [' · ']),
    { link, text: `Source: ${URL.parse(link)?.host ?? link}` },
  ]);
  return [{ kind: 'context', text: words }];
}

/** Shows all buttons if they are few; else the first of each alert; else only the one for `alerts list`. */
function offersOf(open: readonly Alert[], attempts: AttemptsOf = new Map()): Button[] {
  const buttons = (most: number) => {
    const all = open.flatMap((alert) =>
      [...alert.finding.offers, ...(attempts.get(alert.id)?.offers ?? [])].slice(0, most).map((offer) => {
        const label = named(offer.label, alert);
        return [`${label} ${offer.line}`, offerButton(alert, { ...offer, label })] as const;
      }),
    );
    return [...new Map(all).values()];
  };
  return [buttons(mostOffers), buttons(1)].find((some) => some.length <= mostOffers) ?? [];
}

/** Adds the server's name to a title that does not contain it. */
function named(words: string, { finding: { target } }: Alert): string {
  return words.includes(target.name) ? words : `${words} ${target.name}`;
}

function offerButton(alert: Pick<Alert, 'id'>, { label, line }: Offer): Button {
  return {
    label: label.slice(0, 75),
    intent: { do: 'run', line: line.replaceAll('$alert', alert.id), alert: alert.id },
  };
}

/**
 * The buttons and the snooze menu. Assigned alerts need no button to take them; a snoozed one may be snoozed for
 * longer.
 */
function controls(
  message: string,
  open: readonly Alert[],
  offers: readonly Button[],
  more: readonly Button[] = [],
): ViewPart[] {
  const alert = messageMark + message;
  const isAllAcknowledged = open.every((one) => one.state !== 'open');
  return [
    {
      kind: 'buttons',
      buttons: [...offers, ...(isAllAcknowledged ? [] : [onItButton(alert)]), ...more],
    },
    {
      kind: 'menu',
      label: 'Snooze',
      options: snoozes.map(({ label, forMs }) => ({ label, intent: { do: 'alert', alert, act: 'snooze', forMs } })),
    },
  ];
}

function asideOf(alert: Alert): string {
  if (alert.state === 'snoozed') return 'snoozed';
  return severityWords[alert.severity];
}

/** A reply in the thread of a message, since Slack notifies no one of an edit. */
export function reply(words: Text): View {
  return { summary: words, parts: [{ kind: 'text', text: words }] };
}
