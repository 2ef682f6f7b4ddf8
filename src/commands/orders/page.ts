import { integer, withDefault } from '../../core/args.ts';
import { Refusal } from '../../core/errors.ts';
import type { Button, Part } from '../../core/view.ts';

export const page = withDefault(
  integer({ hint: 'which page of a long list', min: 1, max: 10_000, place: 'option' }),
  1,
);

export interface Paged<T> {
  readonly rows: readonly T[];
  /** ` · page 2 of 3`; empty when there is one. */
  readonly note: string;
  readonly buttons: readonly Button[];
  /** For View.more. */
  readonly more: { readonly more?: string };
}

/** One page of a long list; `lineOf` gives the line that shows another. */
export function paged<T>(all: readonly T[], page: number, size: number, lineOf: (page: number) => string): Paged<T> {
  const pages = Math.max(1, Math.ceil(all.length / size));
  if (page > pages) {
    throw new Refusal('bad_value', `There is no page ${page}: the list has ${pages}.`, { field: 'page' });
  }
  const turn = (label: string, to: number): Button => ({ label, intent: { do: 'run', line: lineOf(to) } });
  return {
    rows: all.slice((page - 1) * size, page * size),
    note: pages === 1 ? '' : ` · page ${page} of ${pages}`,
    buttons: [...(page > 1 ? [turn('Previous', page - 1)] : []), ...(page < pages ? [turn('Next', page + 1)] : [])],
    more: page < pages ? { more: lineOf(page + 1) } : {},
  };
}

/** No part at all when there is no button: an empty row of buttons is not a message. */
export function buttonRow(buttons: readonly Button[]): Part[] {
  return buttons.length === 0 ? [] : [{ kind: 'buttons', buttons }];
}
