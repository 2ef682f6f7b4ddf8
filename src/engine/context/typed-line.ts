import { type Parsed, parse } from '../../core/grammar/parse.ts';
import { takesNames } from '../../core/grammar/take.ts';
import type { AnyCommand, AnyQuery } from './dependencies.ts';
import { domainsOf, type EngineContext } from './engine-context.ts';
import type { Request } from './request.ts';

/** The longest line that an answer offers to run again: its button carries other fields as well. */
export const longestLineToRepeat = 1_800;

/** A line as it was typed and as it was understood. */
export interface TypedLine {
  readonly text: string;
  readonly parsed: Parsed<AnyCommand>;
  /** A process that has just started has read no domain yet. */
  readonly knewDomains: boolean;
}

type Knows = Pick<EngineContext, 'commands' | 'accountReader'>;

export function readLine(context: Knows, text: string): TypedLine {
  return {
    text,
    parsed: parse(text, context.commands, domainsOf(context)),
    knewDomains: context.accountReader.peek() !== undefined,
  };
}

/** The line that somebody typed, or the one behind a button. */
export function typedLineOf(context: Knows, { ask }: Pick<Request, 'ask'>): TypedLine | undefined {
  if (ask.kind === 'line') return readLine(context, ask.line);
  return ask.kind === 'intent' && 'line' in ask.intent ? readLine(context, ask.intent.line) : undefined;
}

/**
 * Splits a name by the domains of the account as it is now: one that was added since the last read is a domain too. A
 * form opens within seconds or not at all, so it goes by what is known, if anything is.
 */
export async function withDomains(context: Knows, typed: TypedLine, isForForm = false): Promise<TypedLine> {
  const { parsed, knewDomains } = typed;
  if (parsed.kind !== 'command' || !takesNames(parsed.command) || (isForForm && knewDomains)) return typed;
  // Without the account it is asked for in full, as it was typed.
  await context.accountReader.read().catch(() => undefined);
  return readLine(context, typed.text);
}

/** The dialog that opens for the line instead of an answer. */
export function dialogOf(typed: TypedLine | undefined): AnyQuery['dialog'] {
  const command = typed?.parsed.kind === 'command' ? typed.parsed.command : undefined;
  return command?.kind === 'query' ? command.dialog : undefined;
}
