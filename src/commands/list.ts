import type { Arg, ArgMap, ValuesOf } from '../core/command/args.ts';
import type { AnswerContext, Query, QueryDefinition } from '../core/command/command.ts';
import type { RawArgs } from '../core/grammar/command-shape.ts';
import { lineOf } from '../core/grammar/parse.ts';
import type { Button, Columns, Row, Text, View, ViewPart } from '../core/view/view.ts';
import type { Reader } from '../provider/client.ts';
import { buttonRow, menuPart } from './buttons.ts';
import { defineQuery } from './define.ts';
import { page, paged } from './orders/page.ts';

/** A list, shown in this order: `above`, the table, `showOne`, `foot`, `below`, `buttons`, `after`. */
interface Listing<T, L> {
  /** All that this person may see, in order. */
  readonly all: readonly T[];
  readonly columns: Columns;
  /** The row of an item. It is also weighed without the links, to know how many fit on a page. */
  readonly row: (item: T, links?: L) => Row;
  /** Reads what only the shown rows need, such as links to their cards. */
  readonly linksOf?: (shown: readonly T[]) => Promise<L>;
  /** Without items, this stands for the table and the line below it. */
  readonly none?: Text;
  /** Without items, this stands for the table only, and nothing if it is empty. */
  readonly instead?: Text;
  /** The summary. */
  readonly total: string;
  /** The line below the table, given the note about the page. The default on a page is the total and that note. */
  readonly foot?: (note: string) => Text;
  readonly above?: readonly ViewPart[];
  /** The option of an item in the menu "Show one in full". */
  readonly showOne?: (item: T) => Button;
  readonly below?: (shown: readonly T[]) => readonly ViewPart[];
  readonly buttons?: readonly Button[];
  readonly after?: readonly ViewPart[];
}

type PageArg = { readonly page: Arg<number> };

interface ListDefinition<A extends ArgMap> extends Omit<QueryDefinition<A & PageArg, Reader>, 'args' | 'run'> {
  /** Without `page`, which every list has. */
  readonly args: A;
  /** Reads the list and shows it with `show`, or says something else. */
  readonly list: (args: ValuesOf<A & PageArg>, context: AnswerContext<Reader>, show: Show, line: Line) => Promise<View>;
}

/** Shows the page of a list that was asked for. */
export type Show = <T, L>(listing: Listing<T, L>) => Promise<View>;

/** The line that repeats the command with these arguments changed. */
type Line = (changed: RawArgs) => string;

/** Defines a command that lists: a table in pages, its total, and buttons. */
export function defineList<const A extends ArgMap>(definition: ListDefinition<A>): Query<Reader> {
  const { args, list, ...common } = definition;
  const { path } = common;
  return defineQuery<A & PageArg>({
    ...common,
    args: { ...args, page },
    run: (values, context, canonical) => {
      // TypeScript does not see the page among arguments that are not known yet.
      const { page: at } = values as ValuesOf<PageArg>;
      const line: Line = (changed) => lineOf({ path, args: { ...args, page } }, { ...canonical, ...changed });
      const paging = { at, lineOf: (to: number) => line({ page: to === 1 ? [] : [String(to)] }) };
      return list(values, context, (listing) => listView(listing, paging), line);
    },
  });
}

interface Paging {
  readonly at: number;
  readonly lineOf: (page: number) => string;
}

/** Draws a list; without paging, all of it. */
export async function listView<T, L>(listing: Listing<T, L>, paging?: Paging): Promise<View> {
  const { all, columns, row, linksOf, none, instead, total } = listing;
  const { above = [], showOne, below, buttons = [], after = [] } = listing;
  if (all.length === 0 && none !== undefined) {
    return { summary: none, parts: [...above, { kind: 'text', text: none }, ...buttonRow(buttons), ...after] };
  }
  const shown = paging && paged(all, paging.at, { row: (item) => row(item), lineOf: paging.lineOf });
  const { rows, note, buttons: turning, more } = shown ?? { rows: all, note: '', buttons: [], more: {} };
  const links = await linksOf?.(rows);
  const foot = listing.foot?.(note) ?? (shown === undefined ? '' : `${total}${note}`);
  return {
    summary: total,
    parts: [
      ...above,
      ...(rows.length === 0 && instead !== undefined
        ? textPart('text', instead)
        : [{ kind: 'table', columns, rows: rows.map((item) => row(item, links)) } as const]),
      ...menuPart('Show one in full', showOne === undefined ? [] : rows.map(showOne)),
      ...textPart('context', foot),
      ...(below?.(rows) ?? []),
      ...buttonRow([...turning, ...buttons]),
      ...after,
    ],
    ...more,
  };
}

function textPart(kind: 'text' | 'context', text: Text): ViewPart[] {
  return text === '' ? [] : [{ kind, text }];
}
