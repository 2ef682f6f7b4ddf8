import { type Arg, integer, withDefault } from '../../core/command/args.ts';
import { Refusal } from '../../core/view/errors.ts';
import type { Button, Text } from '../../core/view/view.ts';
import { runButton } from '../buttons.ts';

export const page: Arg<number> = {
  ...withDefault(integer({ hint: 'The page of a long list.', min: 1, max: 10_000, place: 'option' }), 1),
  // Buttons turn pages, so a form needs no field for it.
  isTypedOnly: true,
};

export interface Paged<T> {
  readonly rows: readonly T[];
  /** ` · page 2 of 3`; empty for a single page. */
  readonly note: string;
  readonly buttons: readonly Button[];
  /** For View.more. */
  readonly more: { readonly more?: string };
}

interface Paging<T> {
  /** The table row, whose length determines how many rows fit. */
  readonly row: (item: T) => readonly Text[];
  readonly lineOf: (page: number) => string;
  /** The number of rows on a page, if fewer than usual. */
  readonly most?: number;
}

/** Returns one page of a long list; `lineOf` makes the line for another page. */
export function paged<T>(all: readonly T[], page: number, { row, lineOf, most = rowsMost }: Paging<T>): Paged<T> {
  const pages = pagesOf(all, row, most);
  const rows = pages[page - 1];
  if (rows === undefined) {
    throw new Refusal('bad_value', `There is no page ${page}: the list has ${pages.length}.`, { field: 'page' });
  }
  return {
    rows,
    note: pages.length === 1 ? '' : ` · page ${page} of ${pages.length}`,
    buttons: [
      ...(page > 1 ? [runButton('Previous', lineOf(page - 1))] : []),
      ...(page < pages.length ? [runButton('Next', lineOf(page + 1))] : []),
    ],
    more: page < pages.length ? { more: lineOf(page + 1) } : {},
  };
}

const rowsMost = 25;
/** The size of a table that fits in a message. Rows of a longer one would be cut and appear on no page. */
const weightMost = 9_000;

/** Splits rows into full pages; an empty list has one page. */
function pagesOf<T>(all: readonly T[], row: (item: T) => readonly Text[], most: number): readonly (readonly T[])[] {
  const pages: T[][] = [];
  let current: T[] = [];
  let weight = 0;
  for (const item of all) {
    const own = row(item).reduce((sum, cell) => sum + weightOf(cell), 0);
    if (current.length === most || (current.length > 0 && weight + own > weightMost)) {
      pages.push(current);
      [current, weight] = [[], 0];
    }
    current.push(item);
    weight += own;
  }
  return [...pages, current];
}

/** The size of a cell as sent: markup, and dates most of all, make it larger than its text. */
function weightOf(cell: Text): number {
  if (typeof cell === 'string') return JSON.stringify(cell).length + 30;
  const spans = cell.map((span) => (typeof span === 'string' ? span.length + 30 : JSON.stringify(span).length + 60));
  return spans.reduce((sum, span) => sum + span, 110);
}
