import type { KnownBlock, TableBlock } from '@slack/types';
import type { Columns, Span, Text, ViewPart } from '../../core/view/view.ts';
import { charactersOf } from './budget.ts';
import { clip, countedLength, orDash } from './escape.ts';
import { paragraphs, preformatted, proseOrder, rich } from './paragraph.ts';
import { isView, type Pen } from './pen.ts';
import { hasMarks, hasMentions, isBlank, plainWithin, richElements, spanSize, textWithin } from './spans.ts';

type Table = Extract<ViewPart, { kind: 'table' }>;

/** Slack's limits for the two blocks; the rows include the header. */
const limits = {
  table: { rows: 100, characters: 9_500 },
  // Another version of Slack's documentation has 201.
  data_table: { rows: 101, characters: 19_000 },
} as const;
const cellCharacters = 500;
/** From this length on, a table gets sorting, filtering and paging. Shorter ones are simply aligned. */
const longRows = 20;
const pageRows = 25;

/** Draws a table as the best block that Slack accepts here; undefined if not even the header and a row fit. */
export function drawTable(table: Table, pen: Pen): KnownBlock[] {
  const characters = Math.max(0, pen.budget.characters - 200);
  const mayBeBlock = !isView(pen.surface) && !pen.hasTable;
  const blocks =
    (mayBeBlock && table.rows.length > longRows ? asBlock('data_table', table, characters, pen) : undefined) ??
    (mayBeBlock ? asBlock('table', table, characters, pen) : undefined) ??
    asLines(table, characters, pen);
  if (blocks === undefined) pen.left.rows += table.rows.length;
  return blocks ?? [];
}

function asBlock(type: keyof typeof limits, table: Table, characters: number, pen: Pen): KnownBlock[] | undefined {
  if (pen.avoid.has(type)) return undefined;
  const rows = rowsWithin(table, limits[type].rows, Math.min(limits[type].characters, characters));
  if (rows === undefined) return undefined;
  pen.hasTable = true;
  pen.left.rows += table.rows.length - (rows.length - 1);
  const column_settings = table.columns.map(({ align = 'left' }) => ({ align, is_wrapped: true }));
  return type === 'table'
    ? [{ type, rows, column_settings }]
    : [{ type, caption: clip(orDash(pen.caption), 100), rows, page_size: pageRows }];
}

type Cells = TableBlock['rows'];

function rowsWithin(table: Table, most: number, characters: number): Cells | undefined {
  let left = characters;
  const rows: Cells = [];
  for (const row of [table.columns.map((column) => column.name), ...table.rows].slice(0, most)) {
    const cells = table.columns.map((_, index) => cell(row[index] ?? ''));
    // A reserve for the signs around a cell, since Slack does not document whether they count.
    left -= cells.reduce((sum, each) => sum + charactersOf(each) + 4, 0);
    if (left < 0) break;
    rows.push(cells);
  }
  return rows.length === 0 || (rows.length === 1 && table.rows.length > 0) ? undefined : rows;
}

function cell(text: Text): Cells[number][number] {
  if (isBlank(text)) return { type: 'raw_text', text: '–' };
  if (!hasMarks(text)) return { type: 'raw_text', text: plainWithin(text, cellCharacters) };
  return rich(richElements(text, cellCharacters).elements);
}

/** Draws a table as lines of text where no table block is allowed: in modals and Home, and for a second table. */
function asLines(table: Table, characters: number, pen: Pen): KnownBlock[] | undefined {
  if (table.rows.some((row) => row.some(hasMentions))) return asSentences(table, characters, pen);
  const lines = [
    table.columns.map((column) => column.name),
    ...table.rows.map((row) => table.columns.map((_, at) => row[at] ?? '')),
  ]
    .slice(0, 400)
    .map((row) => row.map((each) => clip(orDash(plainWithin(each, 200).replaceAll('\n', ' ')), 60)));
  const isAligned = proseOrder.find((type) => !pen.avoid.has(type)) === 'rich_text';
  const widths = table.columns.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)));
  const written: string[] = [];
  let left = Math.min(10_000, characters);
  for (const line of lines) {
    const joined = isAligned ? aligned(line, table.columns, widths) : line.join(' | ');
    left -= countedLength(joined) + 2;
    if (left < 0) break;
    written.push(joined);
  }
  if (written.length === 0 || (written.length === 1 && table.rows.length > 0)) return undefined;
  pen.left.rows += table.rows.length - (written.length - 1);
  return preformatted(written, pen);
}

/** Draws each row as a sentence, since aligned lines cannot show people's names. */
function asSentences(table: Table, mostCharacters: number, pen: Pen): KnownBlock[] | undefined {
  const blocks: KnownBlock[] = [];
  let rows = 0;
  let left = Math.min(10_000, mostCharacters);
  let lines: Span[][] = [];
  let characters = 0;
  const flush = () => {
    blocks.push(...paragraphs(lines, pen));
    lines = [];
    characters = 0;
  };
  const head: Text[] = table.columns.map((column) => [{ bold: orDash(column.name) }]);
  for (const row of [head, ...table.rows.slice(0, 400)]) {
    const line = table.columns.flatMap((_, at): Span[] => {
      const cell = row[at] ?? '';
      return [...(at === 0 ? [] : [' | ']), ...textWithin(isBlank(cell) ? '–' : cell, 200).text];
    });
    const size = line.reduce((sum: number, span) => sum + spanSize(span), 10);
    left -= size;
    if (left < 0 || size > lineCharacters) break;
    if (characters + size > lineCharacters) flush();
    lines.push(line);
    characters += size;
    rows += 1;
  }
  if (rows < 2) return undefined;
  flush();
  pen.left.rows += table.rows.length - (rows - 1);
  return blocks;
}

const lineCharacters = 2_800;

function aligned(line: readonly string[], columns: Columns, widths: readonly number[]): string {
  return line
    .map((each, at) => (columns[at]?.align === 'right' ? each.padStart(widths[at] ?? 0) : each.padEnd(widths[at] ?? 0)))
    .join('  ')
    .trimEnd();
}
