import { optional } from '../core/command/args.ts';
import type { Command } from '../core/command/command.ts';
import { impossible } from '../core/view/errors.ts';

/** The optional scope without which the bot reads no upload. */
const scope = 'files:read';

/** Without the scope, a command that needs a file is in no list, and its line says what is missing. */
export function possibleWith<R, P>(commands: readonly Command<R, P>[], granted: readonly string[] | undefined) {
  if (granted === undefined || granted.includes(scope)) return commands;
  return commands.map((command): Command<R, P> => {
    const isNeeded = Object.values(command.args).some((arg) => arg.widget === 'file' && !arg.optional);
    if (!isNeeded) return command;
    // No argument is required, so that the line is answered and opens no form.
    const others = Object.entries(command.args).filter(([, arg]) => arg.widget !== 'file');
    const args = Object.fromEntries(others.map(([name, arg]) => [name, optional(arg)]));
    return { ...command, isBehind: true, args, prepare: refuse };
  });
}

function refuse(): never {
  const hint =
    'An admin of the workspace adds it under OAuth & Permissions, installs the app again, and starts the bot again.';
  throw impossible(`The bot cannot read files: its Slack app has no scope \`${scope}\`.`, hint);
}
