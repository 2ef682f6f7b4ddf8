import type { CommandShape } from '../../src/core/grammar/command-shape.ts';
import { usage } from '../../src/core/grammar/usage.ts';
import type { AnyCommand } from '../../src/engine/context/dependencies.ts';
import { markdownTable } from './markdown-table.ts';

interface TableCommand extends Omit<CommandShape, 'capability' | 'risk'>, Pick<AnyCommand, 'capability' | 'risk'> {
  readonly summary: string;
  readonly isBehind?: true;
  readonly examples: readonly string[];
}

/** Every command as a table in Markdown, for docs/commands.md, except commands that only a button runs. */
export function commandTable(all: readonly TableCommand[]): string {
  const commands = all.filter(({ isBehind }) => isBehind !== true);
  return markdownTable(
    ['Command', 'Action', 'Needs', 'Risk', 'Example'],
    commands.map((command) => [
      `\`${shortUsage(command)}\``,
      command.summary,
      command.capability === 'none' ? '' : command.capability,
      command.risk,
      command.examples[0] === command.path ? '' : `\`${command.examples[0]}\``,
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
