import type { CommandInfo } from '../../core/command/bot.ts';
import { usage } from '../../core/grammar/usage.ts';
import { defined } from '../../core/text/defined.ts';
import type { Access } from '../context/access-port.ts';
import type { AnyCommand } from '../context/dependencies.ts';

export type ListedCommands = readonly (CommandInfo & { readonly isAllowed: boolean })[];

/** All commands as help lists them, described once, each with whether this person may use it here at all. */
export function createCommandList(commands: readonly AnyCommand[]): (access: Access) => ListedCommands {
  const described = commands.map((command) => ({ capability: command.capability, info: describe(command) }));
  return (access) =>
    described.map(({ capability, info }) => ({ ...info, isAllowed: access.hasCapability(capability) }));
}

function describe(command: AnyCommand): CommandInfo {
  // The usage line omits arguments that only buttons set.
  const args = Object.entries(command.args).filter(([, arg]) => !arg.isTypedOnly);
  return {
    path: command.path,
    summary: command.summary,
    usage: usage(command),
    examples: command.examples,
    capability: command.capability,
    risk: command.risk,
    ...defined({ area: command.area, isBehind: command.isBehind }),
    args: args.map(([name, arg]) => ({ name, hint: arg.hint, optional: arg.optional })),
  };
}
