import { type Arg, integer, withDefault } from '../../core/command/args.ts';
import { Refusal } from '../../core/view/errors.ts';
import type { Button, Text } from '../../core/view/view.ts';
import { runButton } from '../buttons.ts';

export const page: Arg<number> = {
  ...withDefault(integer({ hint: 'The page of a long list.', min: 1, max: 10_000, place: 'option' }), 1),
  // Its buttons turn pages; in a form it would only be in the way.
  isTypedOnly: true,
};

export interface Paged<T> {
  readonly rows: readonly T[];
  readonly at: number;
  /** ` · page 2 of 3`; empty when there is one. */
  readonly note: string;
  readonly buttons: readonly Button[];
  /** For View.more. */
  readonly more: { readonly more?: string };
}

interface Paging<T> {
  /** As the table shows it: how long it is decides how many fit. */
  readonly row: (item: T) => readonly Text[];
  readonly lineOf: (page: number) => string;
}

/** One page of a long list; `lineOf` gives the line that shows another. */
export function paged<T>(all: readonly T[], page: number, { row, lineOf }: Paging<T>): Paged<T> {
  const pages = pagesOf(all, row);
  const rows = pages[page - 1];
  if (rows === undefined) {
    throw new Refusal('bad_value', `There is no page ${page}: the list has ${pages.length}.`, { field: 'page' });
  }
  return {
    rows,
    at: page,
    note: pages.length === 1 ? '' : ` · page ${page} of ${pages.length}`,
    buttons: [
      ...(page > 1 ? [runButton('Previous', lineOf(page - 1))] : []),
      ...(page < pages.length ? [runButton('Next', lineOf(page + 1))] : []),
    ],
    more: page < pages.length ? { more: lineOf(page + 1) } : {},
  };
}

const rowsMost = 25;
/** A message holds about this much of a table. What is longer would be cut, and the rows below not be on any page. */
const weightMost = 9_000;

/** Cut where a page is full; a list without rows has one page. */
function pagesOf<T>(all: readonly T[], row: (item: T) => readonly Text[]): readonly (readonly T[])[] {
  const pages: T[][] = [];
  let current: T[] = [];
  let weight = 0;
  for (const item of all) {
    const own = row(item).reduce((sum, cell) => sum + weightOf(cell), 0);
    if (current.length === rowsMost || (current.length > 0 && weight + own > weightMost)) {
      pages.push(current);
      [current, weight] = [[], 0];
    }
    current.push(item);
    weight += own;
  }
  return [...pages, current];
}

/** With what surrounds it on its way: a cell with marks, and most of all one with a date, is more than its words. */
function weightOf(cell: Text): number {
  if (typeof cell === 'string') return JSON.stringify(cell).length + 30;
  const spans = cell.map((span) => (typeof span === 'string' ? span.length + 30 : JSON.stringify(span).length + 60));
  return spans.reduce((sum, one) => sum + one, 110);
}
