import type { Alert, Offer } from '../../core/alert/alert.ts';
import { handOverButton, messageMark, onItButton, rightButtons } from '../../core/alert/on-it-button.ts';
import { isForSupport, ticketButton } from '../../core/alert/ticket-button.ts';
import { day, hour } from '../../core/text/words.ts';
import { type Button, buttonRow, menuPart, runButton, type ViewPart } from '../../core/view/view.ts';
import type { Attempts, AttemptsOf } from './attempts.ts';

/** The offers of one alert that are buttons; further ones are in the menu. */
const mostInOpen = 3;
const mostOffers = 5;
const labelLimit = 75;

const snoozesMs = { '1 hour': hour, '4 hours': 4 * hour, '1 day': day, '7 days': 7 * day };

/** The next useful step in the open, everything else in the menu. */
export function buttonsOfOne(message: string, alert: Alert, attempts: Attempts | undefined): ViewPart[] {
  const { id, finding, state } = alert;
  const [first = [], ...rest] = inTwo(alert, attempts);
  const right = rightButtons(id, finding);
  const isInOpen = finding.rightAs?.isInOpen === true;
  return controls(
    message,
    [alert],
    [...first, ...(isInOpen ? right : [])],
    [...rest.flat(), ...(state === 'acknowledged' ? [handOverButton(id)] : []), ...(isInOpen ? [] : right)],
  );
}

/** Once an attempt failed, the next steps are to try it again, what else may help, and support. */
function inTwo(alert: Alert, attempts: Attempts | undefined): readonly (readonly Button[])[] {
  const offers = offersWith(alert, attempts).map((offer) => offerButton(alert, offer));
  const ticket = isForSupport(alert.finding) ? [{ ...ticketButton(`alert:${alert.id}`), label: 'Ticket…' }] : [];
  if (attempts?.failed === undefined) return [offers.slice(0, mostInOpen), [...offers.slice(mostInOpen), ...ticket]];
  const next = attempts.offers.map((offer) => offerButton(alert, offer));
  return [[...offers.slice(0, 1), ...next, ...ticket], offers.slice(1)];
}

/** The one whose attempt failed stands first and says that it is tried again. */
function offersWith({ finding: { offers } }: Alert, attempts: Attempts | undefined): Offer[] {
  const isTried = ({ line }: Offer) => attempts?.failed !== undefined && `${line} `.startsWith(`${attempts.failed} `);
  return [
    ...offers.filter(isTried).map((offer) => ({ ...offer, label: `${offer.label} again` })),
    ...offers.filter((offer) => !isTried(offer)),
  ];
}

export function buttonsOfNews(alert: Alert): ViewPart[] {
  return buttonRow(alert.finding.offers.map((offer) => offerButton(alert, offer)));
}

export function buttonsOfMany(message: string, open: readonly Alert[], attempts: AttemptsOf, most: number): ViewPart[] {
  const handing = open.some(({ state }) => state === 'acknowledged') ? [handOverButton(messageMark + message)] : [];
  const right = open.slice(0, most).flatMap((alert) =>
    rightButtons(alert.id, alert.finding).map((button) => {
      return { ...button, label: named(`${button.label}:`, alert).slice(0, labelLimit) };
    }),
  );
  return [
    ...controls(message, open, [...offersOf(open, attempts), runButton('List', 'alerts list')], handing),
    ...menuPart('Is right', right),
  ];
}

/** Shows all buttons if they are few; else the first of each alert; else only the one for `alerts list`. */
export function offersOf(open: readonly Alert[], attempts: AttemptsOf = new Map()): Button[] {
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
  const intent = { do: 'run', line: line.replaceAll('$alert', alert.id), alert: alert.id } as const;
  return { label: label.slice(0, labelLimit), intent };
}

/** An alert that somebody is on needs no button for it; a snoozed one may be snoozed for longer. */
function controls(message: string, open: readonly Alert[], inOpen: readonly Button[], more: readonly Button[]) {
  const alert = messageMark + message;
  const isAllAcknowledged = open.every((alert) => alert.state !== 'open');
  const buttons = [...inOpen, ...(isAllAcknowledged ? [] : [onItButton(alert)])];
  const silent = Object.entries(snoozesMs).map(([span, forMs]): Button => {
    return { label: `Snooze for ${span}`, intent: { do: 'alert', alert, act: 'snooze', forMs } };
  });
  const menu: ViewPart = { kind: 'menu', label: 'More', options: [...more, ...silent], isOverflow: true };
  return [...buttonRow(buttons), menu];
}
