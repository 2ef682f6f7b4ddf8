import { loadCommands } from '../../src/commands/all.ts';

const commands = await loadCommands();

/** The commands with these paths, and those whose paths begin with their words. */
export const commandsCalled = (...words: readonly string[]) =>
  commands.filter(({ path }) => words.some((word) => path === word || path.startsWith(`${word} `)));
