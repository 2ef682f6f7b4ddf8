import type { ArgMap } from '../core/command/args.ts';
import { closeAction, closeQuery } from '../core/command/close-command.ts';
import type { Action, ActionDefinition, Query, QueryDefinition, ReadContext } from '../core/command/command.ts';
import type { Json } from '../core/text/json.ts';
import type { Provider, Reader } from '../provider/client.ts';

/** The context of a command that reads from the provider. */
export type CommandContext = ReadContext<Reader>;

/** Defines a command that reads. */
export function defineQuery<const A extends ArgMap>(definition: QueryDefinition<A, Reader>): Query<Reader> {
  return closeQuery(definition);
}

/** Defines a command that changes something. Its plan gets only the provider's reading side. */
export function defineAction<const A extends ArgMap, S extends Json>(
  definition: ActionDefinition<A, S, Reader, Provider>,
): Action<Reader, Provider> {
  return closeAction(definition);
}
