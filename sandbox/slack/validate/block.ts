import { asDicts, type Dict, isDict } from '../dict.ts';
import { rawNumber, rawText, type } from './composition.ts';
import { richTextCell } from './rich-text.ts';
import { byType, problem, type Report, shape, string, type ValidationRule } from './rule.ts';

/** Rules that blocks share. */

type Rules = Record<string, ValidationRule>;
export type FurtherCheck = (value: Dict, at: string, report: Report) => void;

/** The rule of a block: its fields, and a unique block_id. */
export function block(name: string, required: Rules, optional: Rules = {}, more?: FurtherCheck): ValidationRule {
  return shape({ type: type(name), ...required }, { block_id: string(255, 1), ...optional }, (value, at, report) => {
    if (typeof value.block_id === 'string') {
      if (report.blockIds.has(value.block_id)) {
        problem(report, at, `\`block_id\` ${JSON.stringify(value.block_id)} already exists`);
      }
      report.blockIds.add(value.block_id);
    }
    more?.(value, at, report);
  });
}

export const cell = byType({ raw_text: rawText, raw_number: rawNumber, rich_text: richTextCell }, ' in a table cell');

/** Limits of tables and data tables: one per message, total characters of cells, and rows of equal length. */
export const tableLimits: FurtherCheck = (value, at, report) => {
  report.tables += 1;
  if (report.tables > 1) problem(report, at, 'only_one_table_allowed');
  if (cellCharacters(value.rows) > 10_000) {
    problem(report, at, 'table cells must be less than 10001 characters together');
  }
  const rows = Array.isArray(value.rows) ? value.rows : [];
  const widths = new Set(rows.map((row) => (Array.isArray(row) ? row.length : 0)));
  if (widths.size > 1) problem(report, `${at}/rows`, 'all rows must have the same number of cells');
};

/** Counts characters as in JSON, which gives the highest count. */
function cellCharacters(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + cellCharacters(item), 0);
  if (!isDict(value)) return 0;
  const own = typeof value.text === 'string' ? JSON.stringify(value.text).length - 2 : 0;
  return own + asDicts(value.elements).reduce((sum, element) => sum + cellCharacters(element), 0);
}
