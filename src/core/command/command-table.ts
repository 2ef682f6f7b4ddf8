import type { CommandShape } from '../grammar/shapes.ts';
import { usage } from '../grammar/usage.ts';
import type { PolicyCommand } from './policy-file.ts';

export interface TableCommand extends Omit<CommandShape, 'capability'>, PolicyCommand {
  readonly summary: string;
  readonly isBehind?: true;
  readonly risk: PolicyCommand['risk'];
  readonly examples: readonly string[];
}

/** Every command as a table in Markdown, for docs/commands.md, except commands that only a button runs. */
export function commandTable(all: readonly TableCommand[]): string {
  const commands = all.filter(({ isBehind }) => isBehind !== true);
  return markdownTable(
    ['Command', 'Action', 'Needs', 'Risk', 'Examples'],
    commands.map((command) => [
      `\`/host ${shortUsage(command)}\``,
      command.summary,
      command.capability === 'none' ? '–' : command.capability,
      command.risk,
      [...new Set(command.examples)].map((example) => `\`/host ${example}\``).join('<br>'),
    ]),
  );
}

/** Omits the options, which `help` lists, to keep rows short. */
function shortUsage(command: CommandShape): string {
  const all = Object.entries(command.args).filter(([, arg]) => !arg.isTypedOnly);
  const words = all.filter(([, arg]) => arg.place !== 'option');
  const short = usage({ ...command, args: Object.fromEntries(words) });
  return words.length === all.length ? short : `${short} [options]`;
}

/** Aligns the columns as the formatter does. */
export function markdownTable(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [columns, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = columns.map((_, at) => Math.max(3, ...cells.map((row) => [...(row[at] ?? '')].length)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, at) => cell + ' '.repeat((widths[at] ?? 0) - [...cell].length)).join(' | ')} |`;
  const [head = [], ...body] = cells;
  return [head, widths.map((width) => '-'.repeat(width)), ...body].map(line).join('\n');
}
