import type { RichTextBlock, TableBlock } from '@slack/types';
import type { Text, ViewPart } from '../../core/view.ts';
import { hasMarks, isBlank, plainWithin, richElements, richSection } from './spans.ts';
import { clip, orDash } from './words.ts';

type Table = Extract<ViewPart, { kind: 'table' }>;

const maxRows = 100;
const maxColumns = 20;
const cellCharacters = 500;

export interface Drawn<Block> {
  readonly block: Block;
  readonly rowsLeftOut: number;
  readonly columnsLeftOut: number;
}

/** Slack's table block with as many rows as the characters allow; undefined where not even the head fits. */
export function tableBlock(table: Table, characters: number): Drawn<TableBlock> | undefined {
  const columns = table.columns.slice(0, maxColumns);
  if (columns.length === 0) return undefined;
  // Slack refuses tables of more than 10,000 characters in all cells.
  let left = Math.min(9_500, characters);
  const rows: TableBlock['rows'] = [];
  for (const row of [columns.map((column) => column.name), ...table.rows].slice(0, maxRows)) {
    const cells = columns.map((_, index) => cell(row[index] ?? ''));
    const size = cells.reduce((sum, each) => sum + JSON.stringify(each).length, 0);
    // The braces around a cell are not counted by Slack; counting them keeps a reserve.
    if (size > left) break;
    left -= size;
    rows.push(cells);
  }
  if (rows.length === 0 || (rows.length === 1 && table.rows.length > 0)) return undefined;
  return {
    block: {
      type: 'table',
      rows,
      column_settings: columns.map((column) => ({ align: column.align ?? 'left', is_wrapped: true })),
    },
    rowsLeftOut: table.rows.length - (rows.length - 1),
    columnsLeftOut: table.columns.length - columns.length,
  };
}

function cell(text: Text): TableBlock['rows'][number][number] {
  if (isBlank(text)) return { type: 'raw_text', text: '–' };
  if (!hasMarks(text)) return { type: 'raw_text', text: plainWithin(text, cellCharacters) };
  return { type: 'rich_text', elements: [richSection(richElements(text, cellCharacters).elements)] };
}

/** The same as lines of text, where a table block may not stand: in modals, in Home, and the second in a message. */
export function tableText(table: Table, characters: number): Drawn<RichTextBlock> | undefined {
  const columns = table.columns.slice(0, maxColumns);
  if (columns.length === 0) return undefined;
  const lines = [
    columns.map((column) => column.name),
    ...table.rows.map((row) => columns.map((_, at) => row[at] ?? '')),
  ]
    .slice(0, 400)
    .map((row) => row.map((each) => clip(plainWithin(each, 200).replaceAll('\n', ' '), 60)));
  const widths = columns.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)));
  const written: string[] = [];
  let left = characters;
  for (const line of lines) {
    const padded = line
      .map((each, at) =>
        columns[at]?.align === 'right' ? each.padStart(widths[at] ?? 0) : each.padEnd(widths[at] ?? 0),
      )
      .join('  ')
      .trimEnd();
    const size = JSON.stringify(padded).length + 2;
    if (size > left) break;
    left -= size;
    written.push(padded);
  }
  if (written.length === 0 || (written.length === 1 && table.rows.length > 0)) return undefined;
  return {
    block: {
      type: 'rich_text',
      elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text: orDash(written.join('\n')) }] }],
    },
    rowsLeftOut: table.rows.length - (written.length - 1),
    columnsLeftOut: table.columns.length - columns.length,
  };
}
