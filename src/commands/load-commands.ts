import { isCommand } from '../core/command/close-command.ts';
import { closeLines } from '../core/command/close-lines.ts';
import type { Command } from '../core/command/command.ts';
import { areas } from '../core/policy/areas.ts';
import { defined } from '../core/text/defined.ts';
import type { Provider, Reader } from '../provider/client.ts';
import { commandFiles } from './files.ts';
import { foreseenBy } from './plans/foreseen.ts';
import { planOfLines } from './plans/plan.ts';

/**
 * Loads every command: each literal exported by a file below this folder. A new command is a new file and nothing else.
 * Sorted by path, so that help and tables are the same on every machine.
 */
export async function loadCommands(): Promise<readonly Command<Reader, Provider>[]> {
  const commands = Object.entries(await commandFiles()).flatMap(([file, module]) => {
    const area = areas[file.split(/[\\/]/)[0] ?? ''];
    return Object.values(module)
      .filter(isCommand<Reader, Provider>)
      .map((command) => ({ ...command, ...defined({ area }) }));
  });
  const plan = closeLines({ ...planOfLines, area: areas.plans ?? '' }, commands, foreseenBy);
  return [...commands, plan].sort((a, b) => (a.path < b.path ? -1 : 1));
}
