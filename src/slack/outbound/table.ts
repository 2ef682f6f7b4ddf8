import type { KnownBlock, RichTextBlock, TableBlock } from '@slack/types';
import type { Text, ViewPart } from '../../core/view.ts';
import { charactersOf } from './budget.ts';
import { preformatted, proseOrder } from './paragraph.ts';
import type { Pen } from './pen.ts';
import { hasMarks, isBlank, plainWithin, richElements, richSection } from './spans.ts';
import { isView } from './surface.ts';
import { clip, countedLength, orDash } from './words.ts';

type Table = Extract<ViewPart, { kind: 'table' }>;

/** Slack's limits of the block; the head counts as a row. */
const limits = {
  table: { rows: 100, characters: 9_500 },
} as const;
const maxColumns = 20;
const cellCharacters = 500;

interface Drawn {
  readonly blocks: readonly KnownBlock[];
  readonly rowsLeftOut: number;
}

/** A table as the best of the blocks that Slack takes here; nothing where not even the head and a row fit. */
export function drawTable(table: Table, pen: Pen): KnownBlock[] {
  const columns = table.columns.slice(0, maxColumns);
  const room = Math.max(0, pen.room.characters - 200);
  const mayBeBlock = !isView(pen.surface) && !pen.hasTable && columns.length > 0;
  const drawn = (mayBeBlock ? plainTable(table, columns, room, pen) : undefined) ?? asLines(table, columns, room, pen);
  if (drawn === undefined) {
    pen.left.rows += table.rows.length;
    return [];
  }
  pen.left.rows += drawn.rowsLeftOut;
  pen.left.columns += table.columns.length - columns.length;
  return [...drawn.blocks];
}

function plainTable(table: Table, columns: Table['columns'], room: number, pen: Pen): Drawn | undefined {
  if (pen.avoid.has('table')) return undefined;
  const kept = rowsWithin(table, columns, limits.table.rows, Math.min(limits.table.characters, room));
  if (kept === undefined) return undefined;
  pen.hasTable = true;
  const block: TableBlock = {
    type: 'table',
    rows: kept,
    column_settings: columns.map((column) => ({ align: column.align ?? 'left', is_wrapped: true })),
  };
  return { blocks: [block], rowsLeftOut: table.rows.length - (kept.length - 1) };
}

type Cells = TableBlock['rows'];

/** The head and as many rows as fit. */
function rowsWithin(table: Table, columns: Table['columns'], most: number, characters: number): Cells | undefined {
  let left = characters;
  const rows: Cells = [];
  for (const row of [columns.map((column) => column.name), ...table.rows].slice(0, most)) {
    const cells = columns.map((_, index) => cell(row[index] ?? ''));
    // The signs around a cell keep a reserve: nobody says what of them is counted.
    left -= cells.reduce((sum, each) => sum + charactersOf(each) + 4, 0);
    if (left < 0) break;
    rows.push(cells);
  }
  return rows.length === 0 || (rows.length === 1 && table.rows.length > 0) ? undefined : rows;
}

function cell(text: Text): Cells[number][number] {
  if (isBlank(text)) return { type: 'raw_text', text: '–' };
  if (!hasMarks(text)) return { type: 'raw_text', text: plainWithin(text, cellCharacters) };
  return { type: 'rich_text', elements: [richSection(richElements(text, cellCharacters).elements)] } as RichTextBlock;
}

/** The same as lines of text, where a table block may not stand: in modals, in Home, and the second in a message. */
function asLines(table: Table, columns: Table['columns'], room: number, pen: Pen): Drawn | undefined {
  if (columns.length === 0) return undefined;
  const lines = [
    columns.map((column) => column.name),
    ...table.rows.map((row) => columns.map((_, at) => row[at] ?? '')),
  ]
    .slice(0, 400)
    .map((row) => row.map((each) => clip(orDash(plainWithin(each, 200).replaceAll('\n', ' ')), 60)));
  const isAligned = proseOrder.find((type) => !pen.avoid.has(type)) === 'rich_text';
  const widths = columns.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)));
  const written: string[] = [];
  let left = Math.min(10_000, room);
  for (const line of lines) {
    const joined = isAligned ? aligned(line, columns, widths) : line.join(' | ');
    left -= countedLength(joined) + 2;
    if (left < 0) break;
    written.push(joined);
  }
  if (written.length === 0 || (written.length === 1 && table.rows.length > 0)) return undefined;
  return { blocks: preformatted(written, pen), rowsLeftOut: table.rows.length - (written.length - 1) };
}

function aligned(line: readonly string[], columns: Table['columns'], widths: readonly number[]): string {
  return line
    .map((each, at) => (columns[at]?.align === 'right' ? each.padStart(widths[at] ?? 0) : each.padEnd(widths[at] ?? 0)))
    .join('  ')
    .trimEnd();
}
