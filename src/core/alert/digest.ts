import { count } from '../text/words.ts';
import { type Text, text } from '../view/view.ts';

/** The lines of a digest and of a handover. They contain no amount of money. */

export interface DigestFacts {
  readonly trouble: FirstLines;
  /** Orders that are canceled or not renewed. */
  readonly ending: FirstLines;
  /** The orders that renew soon; undefined without any. */
  readonly due: Due | undefined;
  /** How long the balance lasts; undefined if it is unknown, or not for this reader. */
  readonly runway: Runway | undefined;
  readonly open: FirstLines;
  readonly ended: FirstLines;
  /** A sentence for each part that could not be read. */
  readonly missing: readonly string[];
}

/** The lines that can be shown, and the number of all. */
export interface FirstLines {
  readonly lines: readonly Text[];
  readonly total: number;
}

interface Due {
  readonly total: number;
  /** The name of the first, and its days. */
  readonly name: string;
  readonly days: number;
}

interface Runway {
  /** Whole days; undefined if nothing must be paid. */
  readonly days: number | undefined;
  /** Orders of unknown cost, which are not counted. */
  readonly withoutCost: number;
}

export const mostDigestLines = 25;
export const digestWithinDays = 14;

/** The title, then each section with its own title: at most 25 lines, and one if there is nothing to report. */
export function digestBlocks(
  title: string,
  { trouble, ending, due, runway, open, ended, missing }: DigestFacts,
): readonly (readonly Text[])[] {
  const sections = [
    { name: 'Trouble', ...trouble },
    { name: `Ends within ${digestWithinDays} days`, ...ending },
    { name: 'Open requests', ...open },
    { name: 'Requests that ended', ...ended },
  ].filter(({ total }) => total > 0);
  const usual = [...(runway === undefined ? [] : [sayRunway(runway)]), ...(due === undefined ? [] : [sayDue(due)])];
  if (sections.length === 0 && missing.length === 0) return [[[`${title}: nothing to report.`, ...usual].join(' ')]];
  const first: readonly Text[] = [[{ bold: title }], ...missing, ...usual];
  const shares = sharesOf(
    sections.map(({ total }) => total),
    mostDigestLines - first.length - sections.length,
  );
  return [first, ...sections.map((section, at) => [[{ bold: section.name }], ...cut(section, shares[at] ?? 0)])];
}

function sayRunway({ days, withoutCost }: Runway): string {
  const words =
    days === undefined ? 'Nothing has to be paid from the balance' : `The balance covers ${count(days, 'day')}`;
  return withoutCost === 0 ? `${words}.` : `${words}, without ${count(withoutCost, 'order')} of unknown cost.`;
}

/** `6 orders are due for renewal within 14 days, first cache-1 in 1 day.` */
function sayDue({ total, name, days }: Due): string {
  if (total === 1) return `${name} is due for renewal ${inDays(days)}.`;
  return `${count(total, 'order')} are due for renewal within ${digestWithinDays} days, first ${name} ${inDays(days)}.`;
}

/** `in 3 days`, `today` */
export function inDays(days: number): string {
  return days === 0 ? 'today' : `in ${count(days, 'day')}`;
}

/** Divides the lines evenly; what a short section leaves free goes to the others. */
function sharesOf(totals: readonly number[], free: number): readonly number[] {
  const shares = totals.map(() => 0);
  for (let left = free; left > 0; ) {
    const before = left;
    totals.forEach((total, at) => {
      const share = shares[at] ?? 0;
      if (left === 0 || share >= total) return;
      shares[at] = share + 1;
      left -= 1;
    });
    if (left === before) break;
  }
  return shares;
}

function cut({ lines, total }: FirstLines, most: number): readonly Text[] {
  const shown = total <= most ? lines : lines.slice(0, Math.max(0, most - 1));
  const left = total - shown.length;
  return [...shown.map((line) => text('• ', line)), ...(left === 0 ? [] : [`• and ${left} more`])];
}

/** A part of a line: names and titles come from outside and may have many lines. */
export function oneLine(words: string, most = 90): string {
  const line = [...words.toWellFormed().replace(/\s+/g, ' ').trim()];
  return line.length <= most ? line.join('') : `${line.slice(0, most - 1).join('')}…`;
}
