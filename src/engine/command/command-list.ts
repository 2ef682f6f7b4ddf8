import type { CommandInfo } from '../../core/bot.ts';
import { defined } from '../../core/defined.ts';
import { usage } from '../../core/grammar/usage.ts';
import type { Access } from '../context/access-port.ts';
import type { AnyCommand } from '../context/dependencies.ts';

type Listed = readonly (CommandInfo & { readonly isAllowed: boolean })[];

/** All commands as help tells them, and whether this person may use each here at all. */
export function listCommands(commands: readonly AnyCommand[], access: Access): Listed {
  return commands.map((command) => ({ ...describe(command), isAllowed: access.hasCapability(command.capability) }));
}

function describe(command: AnyCommand): CommandInfo {
  // Arguments that only buttons give are left out of the usage line.
  const args = Object.entries(command.args).filter(([, arg]) => !arg.isTypedOnly);
  return {
    path: command.path,
    summary: command.summary,
    usage: usage(command),
    examples: command.examples,
    capability: command.capability,
    risk: command.risk,
    ...defined({ area: command.area }),
    args: args.map(([name, arg]) => ({ name, hint: arg.hint, optional: arg.optional })),
  };
}
