import { test as base } from 'vitest';
import { loadCommands } from '../../src/commands/load-commands.ts';
import { type CommandRunnerOptions, openCommandRunner } from '../support/bot/run-command.ts';

const commands = await loadCommands();

/** The commands with these paths, and those whose paths begin with their words. */
export const commandsCalled = (...words: readonly string[]) =>
  commands.filter(({ path }) => words.some((word) => path === word || path.startsWith(`${word} `)));

/** Opens a runner of these commands, with the options of the test. */
export const openerOf =
  (...words: readonly string[]) =>
  (more: Partial<CommandRunnerOptions> = {}) =>
    openCommandRunner({ commands: commandsCalled(...words), ...more });

/** Tests that begin with a runner of these commands. */
export const testOf = (...words: readonly string[]) =>
  base
    .extend('runner', () => openerOf(...words)())
    .extend('sim', ({ runner }) => runner.sim)
    .extend('planOf', ({ runner }) => runner.planOf)
    .extend('run', ({ runner }) => runner.run)
    .extend('viewOf', ({ runner }) => runner.viewOf)
    .extend('refusalOf', ({ runner }) => runner.refusalOf)
    .extend('runCommand', ({ runner }) => runner.runCommand)
    .extend('writes', ({ runner }) => runner.writes);

/** Both for these commands. */
export const testsOf = (...words: readonly string[]) => ({ openRunner: openerOf(...words), test: testOf(...words) });
