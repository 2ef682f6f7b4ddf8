import { type Arg, type ArgMap, integer, type ValuesOf, withDefault } from '../core/command/args.ts';
import { closeAction, closeQuery } from '../core/command/close-command.ts';
import type { ActionDefinition, AnswerContext, Common, QueryDefinition, ReadContext } from '../core/command/command.ts';
import type { RawArgs } from '../core/grammar/command-shape.ts';
import { lineOf } from '../core/grammar/parse.ts';
import type { Receipt, Verdict } from '../core/plan/plan.ts';
import type { Json } from '../core/text/json.ts';
import { Refusal } from '../core/view/errors.ts';
import type { Button, Columns, Row, Text, View, ViewPart } from '../core/view/view.ts';
import { buttonRow, menuPart, offered, runButton, textPart } from '../core/view/view.ts';
import type { Provider, Reader } from '../provider/client.ts';
import type { Job } from '../provider/endpoints/vps-orders.ts';

/** The context of a command that reads from the provider. */
export type CommandContext = ReadContext<Reader>;

/**
 * A command as its file has it. One without arguments has only its path as an example. An answer is for the person who
 * asked, unless its command says otherwise.
 */
export type Written<A extends ArgMap, Whole extends Common<A>> = Omit<Whole, 'args' | 'examples' | 'visibility'> &
  Partial<Pick<Whole, keyof Whole & ('examples' | 'visibility')>> & { readonly args?: A };
/** A read whose answer may go to the channel. */
export const channelRead = { capability: 'read', visibility: 'channel' } as const;
/** The same with costs, which go to the channel only if the person shares them. */
export const moneyRead = { capability: 'read', visibility: 'money' } as const;

export type NoArgs = Readonly<Record<never, never>>;

/** Defines a command that reads. */
export function defineQuery<const A extends ArgMap = NoArgs>(query: Written<A, QueryDefinition<A, Reader>>) {
  return closeQuery({ visibility: 'person', ...withoutArgs(query.path), ...query } as QueryDefinition<A, Reader>);
}

/** Defines a command that changes something. Its plan gets only the provider's reading side. */
export function defineAction<const A extends ArgMap = NoArgs, S extends Json = Json>(
  action: Written<A, ActionDefinition<A, S, Reader, Provider>>,
) {
  return closeAction({ ...withoutArgs(action.path), ...action } as ActionDefinition<A, S, Reader, Provider>);
}

/** Only these two may be missing. */
function withoutArgs(path: string) {
  return { args: {}, examples: [path, path] };
}

/** The receipt of a write whose response says nothing. */
export async function sent(write: Promise<unknown>): Promise<Receipt> {
  await write;
  return { text: '', data: null };
}

/** The receipt of a write that makes a thing with an id: `key 7`. */
export async function made(noun: string, write: Promise<{ readonly id: number }>): Promise<Receipt> {
  const { id } = await write;
  return { text: `${noun} ${id}`, data: { id } };
}

/** The receipt of a write that the provider works on in a job: `job 812`. */
export async function accepted(write: Promise<Pick<Job, 'pk'>>): Promise<Receipt> {
  const { pk } = await write;
  return { text: `job ${pk}`, data: { jobId: pk } };
}

/** The verdict of a reading that shows whether the change took effect; one text may say both. */
export function verdictOf(isSo: boolean, so = '', not = so): Verdict {
  return isSo ? { is: 'so', text: so } : { is: 'not', text: not };
}

const page: Arg<number> = {
  ...withDefault(integer({ hint: 'The page of a long list.', min: 1, max: 10_000, place: 'option' }), 1),
  // Buttons turn pages, so a form needs no field for it.
  isTypedOnly: true,
};

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

type ListQuery<A extends ArgMap> = Omit<Written<A & PageArg, QueryDefinition<A & PageArg, Reader>>, 'args' | 'run'>;

interface ListDefinition<A extends ArgMap> extends ListQuery<A> {
  /** Without `page`, which every list has. */
  readonly args?: A;
  /** Reads the list and shows it with `show`, or says something else. */
  readonly list: (args: ValuesOf<A & PageArg>, context: AnswerContext<Reader>, show: Show, line: Line) => Promise<View>;
}

/** Shows the requested page of a list. */
type Show = <T, L>(listing: Listing<T, L>) => Promise<View>;

/** The line that repeats the command with these arguments changed. */
type Line = (changed: RawArgs) => string;

/** Defines a command that lists: a table in pages, its total, and buttons. */
export function defineList<const A extends ArgMap = NoArgs>(definition: ListDefinition<A>) {
  const { list, ...common } = definition;
  const { path } = common;
  const args = { ...definition.args, page } as A & PageArg;
  return defineQuery<A & PageArg>({
    examples: [path, `${path} page:1`],
    ...common,
    args,
    run: (values, context, canonical) => {
      // TypeScript does not see the page among arguments that are not known yet.
      const { page: at } = values as ValuesOf<PageArg>;
      const line: Line = (changed) => lineOf({ path, args }, { ...canonical, ...changed });
      const paging = { at, lineOf: (to: number) => line({ page: to === 1 ? [] : [String(to)] }) };
      return list(values, context, (listing) => listView(listing, paging), line);
    },
  });
}

/** Draws a list; without paging, all of it. */
export async function listView<T, L>(listing: Listing<T, L>, paging?: Paging): Promise<View> {
  const { all, columns, row, linksOf, none, instead, total } = listing;
  const { above = [], showOne, below, buttons = [], after = [] } = listing;
  if (all.length === 0 && none !== undefined)
    return { summary: none, parts: [...above, { kind: 'text', text: none }, ...buttonRow(buttons), ...after] };
  const shown = paging && paged(all, row, paging);
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

interface Paging {
  readonly at: number;
  readonly lineOf: (page: number) => string;
  /** The number of rows on a page, if fewer than usual. */
  readonly most?: number;
}

const rowsMost = 25;

/** Returns one page of a long list; the length of its rows determines how many fit. */
export function paged<T>(all: readonly T[], row: (item: T) => Row, { at, lineOf, most = rowsMost }: Paging) {
  const pages = pagesOf(all, row, most);
  const rows = pages[at - 1];
  if (rows === undefined)
    throw new Refusal('bad_value', `There is no page ${at}: the list has ${pages.length}.`, { field: 'page' });
  const isLast = at === pages.length;
  return {
    rows,
    /** ` · page 2 of 3`; empty for a single page. */
    note: pages.length === 1 ? '' : ` · page ${at} of ${pages.length}`,
    buttons: offered([
      [at > 1, runButton('Previous', lineOf(at - 1))],
      [!isLast, runButton('Next', lineOf(at + 1))],
    ]),
    more: isLast ? {} : { more: lineOf(at + 1) },
  };
}

/** The size of a table that fits in a message. Rows of a longer one would be cut and appear on no page. */
const weightMost = 9_000;

/** Splits rows into full pages; an empty list has one page. */
function pagesOf<T>(all: readonly T[], row: (item: T) => Row, most: number): readonly (readonly T[])[] {
  const pages: T[][] = [];
  let current: T[] = [];
  let weight = 0;
  for (const item of all) {
    const own = row(item).reduce((sum: number, cell) => sum + weightOf(cell), 0);
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

/** `Read today 4:28`, in each reader's time zone, since messages are read again hours later. */
export function withReadAt(words: string, readAt: number): Text {
  return [`${words === '' ? 'Read ' : `${words} · read `}`, { date: readAt, style: 'full' }];
}
