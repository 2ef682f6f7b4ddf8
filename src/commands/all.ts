import { glob } from 'node:fs/promises';
import { areas } from '../core/areas.ts';
import type { Command } from '../core/command.ts';
import { isCommand } from '../core/command.ts';
import type { Provider, Reader } from '../provider/client.ts';

/**
 * Every command there is: each literal that a file below this folder exports. A new command is a new file and nothing
 * else. Order: by path, so that help and tables read the same on every machine.
 */
export async function loadCommands(): Promise<readonly Command<Reader, Provider>[]> {
  const files = await Array.fromAsync(glob('*/*.ts', { cwd: import.meta.dirname }));
  const modules = await Promise.all(
    files.sort().map((file): Promise<object> => import(/* @vite-ignore */ `./${file}`)),
  );
  const commands = modules.flatMap((module, index) => {
    const area = areas[files[index]?.split(/[\\/]/)[0] ?? ''];
    return Object.values(module)
      .filter(isCommand<Reader, Provider>)
      .map((command) => ({ ...command, ...(area === undefined ? {} : { area }) }));
  });
  return commands.sort((a, b) => (a.path < b.path ? -1 : 1));
}
