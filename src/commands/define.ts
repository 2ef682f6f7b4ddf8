import type { ArgMap } from '../core/command/args.ts';
import { closeAction, closeQuery } from '../core/command/close-command.ts';
import type { ActionDefinition, Common, QueryDefinition, ReadContext } from '../core/command/command.ts';
import type { Json } from '../core/text/json.ts';
import type { Provider, Reader } from '../provider/client.ts';

/** The context of a command that reads from the provider. */
export type CommandContext = ReadContext<Reader>;

/**
 * A command as its file has it. One without arguments has only its path as an example. An answer is for the person who
 * asked, unless its command says otherwise.
 */
export type Written<A extends ArgMap, Whole extends Common<A>> = Omit<Whole, 'args' | 'examples' | 'visibility'> &
  Partial<Pick<Whole, keyof Whole & ('examples' | 'visibility')>> & { readonly args?: A };
/** A read whose answer may go to the channel. */
export const channelRead = { capability: 'read', visibility: 'channel' } as const;
/** The same with costs, which go to the channel only if the person shares them. */
export const moneyRead = { capability: 'read', visibility: 'money' } as const;

export type NoArgs = Readonly<Record<never, never>>;

/** Defines a command that reads. */
export function defineQuery<const A extends ArgMap = NoArgs>(query: Written<A, QueryDefinition<A, Reader>>) {
  return closeQuery({ visibility: 'person', ...withoutArgs(query.path), ...query } as QueryDefinition<A, Reader>);
}

/** Defines a command that changes something. Its plan gets only the provider's reading side. */
export function defineAction<const A extends ArgMap = NoArgs, S extends Json = Json>(
  action: Written<A, ActionDefinition<A, S, Reader, Provider>>,
) {
  return closeAction({ ...withoutArgs(action.path), ...action } as ActionDefinition<A, S, Reader, Provider>);
}

/** Only these two may be missing. */
function withoutArgs(path: string) {
  return { args: {}, examples: [path, path] };
}
