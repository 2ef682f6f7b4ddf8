import type { Row } from './measure.ts';

const heads = ['', 'Hostler', 'bare Bolt', 'ratio', 'processor time', 'goal', ''];

/** A Markdown table for docs/measurements.md. */
export function table(title: string, rows: readonly Row[]): string {
  const cells = [heads, ...rows.map(cellsOf)];
  const widths = heads.map((_, column) => Math.max(3, ...cells.map((row) => (row[column] ?? '').length)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => (column === 0 || column > 4 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`;
  const rule = `| ${widths.map((width, column) => (column === 0 || column > 4 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  const notes = rows.flatMap(({ what, note }) => (note === undefined ? [] : [`- ${what}: ${note}`]));
  const [head = [], ...body] = cells;
  return [`\n## ${title}\n`, line(head), rule, ...body.map(line), ...(notes.length > 0 ? ['', ...notes] : []), ''].join(
    '\n',
  );
}

function cellsOf({ what, unit, hostler, bare, ratio, cpu, goal, isMet }: Row): string[] {
  return [
    what,
    figure(hostler, unit),
    bare === undefined ? '' : figure(bare, unit),
    bare === undefined ? '' : (ratio ?? hostler / bare).toFixed(2),
    cpu === undefined ? '' : `${cpu.hostler.toFixed(2)} : ${cpu.bare.toFixed(2)} ms`,
    goal ?? '',
    isMet === undefined ? '' : isMet ? 'met' : 'MISSED',
  ];
}

function figure(value: number, unit: string): string {
  const digits = Math.abs(value) >= 100 || Number.isInteger(value) ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return `${value.toFixed(digits)} ${unit}`;
}
