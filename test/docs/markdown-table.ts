/** Aligns the columns as the formatter does. */
export function markdownTable(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [columns, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = columns.map((_, at) => Math.max(3, ...cells.map((row) => [...(row[at] ?? '')].length)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, at) => cell + ' '.repeat((widths[at] ?? 0) - [...cell].length)).join(' | ')} |`;
  const [head = [], ...body] = cells;
  return [head, widths.map((width) => '-'.repeat(width)), ...body].map(line).join('\n');
}
