import { orderTarget, projectTarget } from '../../core/account/account.ts';
import type { CommandShape, RawArgs } from '../../core/grammar/command-shape.ts';
import { type Names, namesOf } from '../../core/grammar/loosely.ts';
import { lineOf, type Parsed, parse } from '../../core/grammar/parse.ts';
import { parsePlan } from '../../core/grammar/plan-lines.ts';
import { takesNames } from '../../core/grammar/take.ts';
import { defined } from '../../core/text/defined.ts';
import { strikeSecrets } from '../../core/text/strike-secrets.ts';
import { Refusal } from '../../core/view/errors.ts';
import type { Access } from './access-port.ts';
import type { AnyCommand, AnyQuery } from './dependencies.ts';
import type { EngineContext } from './engine-context.ts';
import type { Request } from './request.ts';

interface KnowsSecrets {
  readonly settings: Pick<EngineContext['settings'], 'knownSecrets'>;
}

type KnowsLines = KnowsSecrets & Pick<EngineContext, 'commands'>;

/** A card, a direct message and the audit show these words whole. */
const mostCharacters = 500;

/** The words that a person wrote for others, without secrets. Too many are refused: a cut end might be the point. */
export function ownWords({ settings }: KnowsSecrets, words: string, field: string): string {
  const trimmed = words.trim();
  if (trimmed.length <= mostCharacters) return strikeSecrets(trimmed, settings.knownSecrets);
  throw new Refusal('bad_value', `This has ${trimmed.length.toLocaleString('en-US')} characters.`, {
    hint: `Say it in at most ${mostCharacters}.`,
    field,
  });
}

/** Removes secrets from the arguments that people read. The others are data, such as the text of a record. */
export function withoutSecrets(context: KnowsLines, { args }: Pick<CommandShape, 'args'>, raw: RawArgs): RawArgs {
  const strike = (text: string) => strikeSecrets(text, context.settings.knownSecrets);
  /** Of the arguments of each line that people read. */
  const inLine = (line: string): string => {
    const parsed = strike(line) === line ? undefined : parse(line, context.commands);
    if (parsed?.kind !== 'command') return parsed === undefined ? line : strike(line);
    const raw = withoutSecrets(context, parsed.command, parsed.raw);
    return lineOf(parsed.command, raw, parsed.reason && strike(parsed.reason));
  };
  const struck = Object.entries(raw).map(([name, words]) => {
    if (args[name]?.isOfLines) return [name, words.map(inLine)];
    return [name, args[name]?.isForPeople ? [strike(words.join(' '))] : words];
  });
  return Object.fromEntries(struck);
}

export interface TypedLine {
  readonly text: string;
  readonly parsed: Parsed<AnyCommand>;
  /** False if this process had read no domains when it parsed the line, as just after a start. */
  readonly knewDomains: boolean;
}

type Knows = Pick<EngineContext, 'accountReader'> & KnowsLines;

export function readLine(context: Knows, text: string, names?: Names): TypedLine {
  const account = context.accountReader.peek();
  const domains = account?.domains.map(({ name }) => name);
  const read = (line: string) => parse(line, context.commands, domains, names);
  const parsed = parsePlan(text, context.commands, read) ?? read(text);
  const knewDomains = account !== undefined;
  if (parsed.kind !== 'command') return { text, parsed, knewDomains };
  const reason = parsed.reason && strikeSecrets(parsed.reason, context.settings.knownSecrets);
  const raw = withoutSecrets(context, parsed.command, parsed.raw);
  return { text, parsed: { ...parsed, raw, ...defined({ reason }) }, knewDomains };
}

/** The typed line, or the line of a button. */
export function typedLineOf(context: Knows, { ask }: Pick<Request, 'ask'>): TypedLine | undefined {
  if (ask.kind === 'line') return alone(context, readLine(context, ask.line));
  return ask.kind === 'intent' && 'line' in ask.intent ? readLine(context, ask.intent.line) : undefined;
}

/** A name typed alone may stand for a read: `freeze` lists the freezes. The button of a form opens the form. */
function alone({ commands }: Knows, typed: TypedLine): TypedLine {
  const { parsed } = typed;
  if (parsed.kind !== 'command' || parsed.missing.length === 0 || Object.keys(parsed.raw).length > 0) return typed;
  const command = commands.find(({ path }) => path === parsed.command.alone);
  return command === undefined ? typed : { ...typed, parsed: { ...parsed, command, missing: [] } };
}

/**
 * Parses the line again with the present domains of the account, to recognize one added since the last read. A form
 * must open within seconds, so it uses the domains in memory, if any.
 */
export async function withDomains(context: Knows, typed: TypedLine, isForForm = false): Promise<TypedLine> {
  const { parsed, knewDomains } = typed;
  if (parsed.kind !== 'command' || !takesNames(parsed.command) || (isForForm && knewDomains)) return typed;
  // If the account cannot be read, the name stays as typed.
  await context.accountReader.read().catch(() => undefined);
  return readLine(context, typed.text);
}

/** Whether the line is written as a command, so that no words of it need to be recognized. */
export const isExact = ({ parsed }: TypedLine): boolean =>
  parsed.kind === 'menu' || (parsed.kind === 'command' && parsed.isTaken !== true);

/** Reads a line that names no command again, with the names that the person may read. */
export async function withNames(context: Knows, typed: TypedLine, { may }: Pick<Access, 'may'>): Promise<TypedLine> {
  // If the account cannot be read, the names stay as typed.
  const account = await context.accountReader.read({ staleOk: true }).catch(() => undefined);
  if (account === undefined) return typed;
  const orders = account.orders.filter((order) => may('read', orderTarget(order)));
  const projects = account.projects.filter((project) => may('read', projectTarget(project)));
  const others = projects.map(({ name }) => name);
  return readLine(context, typed.text, namesOf(orders, others));
}

/** The dialog that opens for the line instead of a response. */
export function dialogOf(typed: TypedLine | undefined): AnyQuery['dialog'] {
  const command = typed?.parsed.kind === 'command' ? typed.parsed.command : undefined;
  return command?.kind === 'query' ? command.dialog : undefined;
}
