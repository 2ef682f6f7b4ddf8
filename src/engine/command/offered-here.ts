import { emptyAccount, orderTarget, type Target } from '../../core/account/account.ts';
import type { ArgMap } from '../../core/command/args.ts';
import type { RawArgs } from '../../core/grammar/command-shape.ts';
import { didYouMean } from '../../core/grammar/did-you-mean.ts';
import { looselyOne } from '../../core/grammar/loosely.ts';
import { lineOf, parse } from '../../core/grammar/parse.ts';
import { retype, shorten, type Token, tokenize } from '../../core/grammar/tokens.ts';
import { NotOne } from '../../core/targets/not-one.ts';
import type { Reading } from '../../core/targets/targets.ts';
import { defined } from '../../core/text/defined.ts';
import { list } from '../../core/text/words.ts';
import { Refusal, type Suggestion } from '../../core/view/errors.ts';
import { accessAt } from '../access/access.ts';
import { maySeeFor } from '../access/allowed-names.ts';
import type { Access } from '../context/access-port.ts';
import type { AnyCommand } from '../context/dependencies.ts';
import { domainsOf, type EngineContext, timeZoneOf } from '../context/engine-context.ts';
import type { Place } from '../context/request.ts';
import type { CommandRequest } from './command-request.ts';

/** Removes suggestions that would be refused to this person at this place. */
export async function offeredHere(context: EngineContext, actor: string, place: Place, refusal: Refusal) {
  if (refusal.suggestions.every(({ asksAccess }) => asksAccess === true)) return refusal;
  const [access, timeZone] = await Promise.all([accessAt(context, actor, place), timeZoneOf(context, actor)]);
  // Without the account, lines that name its targets are not offered.
  const account =
    context.accountReader.peek() ??
    (await context.accountReader.read({ staleOk: true }).catch(() => undefined)) ??
    emptyAccount;
  const isElsewhere = (command: AnyCommand) => place.kind !== 'channel' && command.isAboutChannel === true;
  return offered(refusal, {
    commands: context.commands,
    domains: domainsOf(context),
    reading: (command) => ({ account, maySee: maySeeFor(command, access), clock: { now: context.now(), timeZone } }),
    allows: (command, targets) =>
      !isElsewhere(command) && access.decide(command.capability, command.risk, targets).allowed,
  });
}

/** Removes names that do not exist or that the person may not know, since a form cannot offer them. */
export function fillableHere(context: EngineContext, command: AnyCommand, raw: RawArgs, access: Access) {
  // A form must open within seconds: without an account in memory, the words stay as typed.
  const account = context.accountReader.peek();
  if (!command.needsAccount || account === undefined) return { raw, left: [] };
  return fillable(command.args, raw, { account, maySee: maySeeFor(command, access) });
}

export function sayingLeft(left: readonly string[]): { readonly trouble?: string } {
  return left.length === 0 ? {} : { trouble: `Nothing you can use here is called ${list(left, 'or')}.` };
}

/** Turns candidates for one argument into complete lines for buttons, with the typed reason. */
export function withSuggestions(refusal: Refusal, request: Pick<CommandRequest, 'command' | 'raw' | 'reason'>) {
  const { field } = refusal;
  if (!(refusal instanceof NotOne) || field === undefined) return refusal;
  const isMany = request.command.args[field]?.many === true;
  const candidates = refusal.candidates.filter(({ isGroup }) => isMany || !isGroup);
  const lineWith = (values: readonly string[], others: RawArgs = {}) =>
    lineOf(request.command, { ...request.raw, ...others, [field]: values }, request.reason);
  const suggestions: Suggestion[] = candidates.map(({ label, values, others }) => ({
    label,
    command: lineWith(values, others),
  }));
  if (isMany && refusal.reason === 'ambiguous' && candidates.length > 1 && !candidates.some(({ isGroup }) => isGroup)) {
    const all = new Set(candidates.flatMap((candidate) => candidate.values));
    suggestions.push({ label: candidates.length === 2 ? 'both' : 'all of them', command: lineWith([...all]) });
  }
  const more = { ...defined({ hint: refusal.hint }), suggestions: [...suggestions, ...refusal.suggestions], field };
  return new Refusal(refusal.reason, refusal.text, more);
}

/** The commands, the reading of their words, and this person's rights. */
interface OfferedTo {
  readonly commands: readonly AnyCommand[];
  readonly domains: readonly string[];
  readonly reading: (command: AnyCommand) => Reading;
  readonly allows: (command: AnyCommand, targets: readonly Target[]) => boolean;
}

/** Keeps suggestions that parse, name existing targets and are allowed. A hint with lines lists only the kept ones. */
export function offered(refusal: Refusal, to: OfferedTo): Refusal {
  const { reason, text, field, hint, otherwise } = refusal;
  const kept = refusal.suggestions.flatMap((suggestion) => fitting(suggestion, refusal, to) ?? []);
  const suggestions = kept.map(({ suggestion }) => suggestion);
  const saying = (more: { hint: string | undefined; otherwise?: string; suggestions: readonly Suggestion[] }) =>
    new Refusal(reason, text, defined({ field, ...more }));
  if (otherwise === undefined) return saying({ hint, suggestions });
  if (kept.length === 0) return saying({ hint: otherwise, suggestions: [{ label: 'Help', command: 'help' }] });
  const left = new Set(kept.flatMap((fitting) => fitting.left.map((token) => shorten(token.text))));
  const leftOut = left.size === 0 ? '' : ` \`${[...left].join(' ')}\` would be left out.`;
  const lines = suggestions.map(({ command }) => command);
  return saying({ hint: `${didYouMean(lines)}${leftOut}`, otherwise, suggestions });
}

/** `left`: words for which the line has no place. */
function fitting(suggestion: Suggestion, { otherwise, suggestions }: Refusal, to: OfferedTo) {
  const nothing: readonly Token[] = [];
  if (suggestion.asksAccess === true) return { suggestion, left: nothing };
  // The line was not typed: final words may be dropped, and only a safe read runs.
  const isGuess = otherwise !== undefined;
  const pressed = (read: Fitted): Suggestion =>
    isGuess ? guessed(read, suggestions.length > 1) : { ...suggestion, command: read.line };
  const isForm = (command: AnyCommand) => (isGuess ? !mayRun(command) : suggestion.isForm === true);
  const whole = fitted(suggestion.command, isForm, to);
  if (whole !== undefined) return { suggestion: pressed(whole), left: nothing };
  const command = isGuess ? named(suggestion.command, to.commands) : undefined;
  if (command === undefined) return undefined;
  const words = tokenize(suggestion.command).slice(command.path.split(' ').length);
  for (let count = words.length - 1; count > 0; count--) {
    const read = fitted([command.path, ...words.slice(0, count).map(retype)].join(' '), isForm, to);
    if (read !== undefined) return { suggestion: pressed(read), left: words.slice(count) };
  }
  // An action without words becomes its empty form; a read without words would be a different request.
  const empty = command.kind === 'action' ? fitted(command.path, () => true, to) : undefined;
  return empty && { suggestion: pressed(empty), left: words };
}

const mayRun = ({ kind, risk }: AnyCommand) => kind === 'query' && risk === 'safe';

/** A guess opens a form. Only a safe read runs. */
function guessed({ line, command }: Fitted, isOneOfSeveral: boolean): Suggestion {
  if (!mayRun(command)) return { label: `${command.path}…`, command: line, isForm: true };
  return { label: isOneOfSeveral ? command.path : 'Run it', command: line };
}

/** The command with the longest path at the beginning of the line. */
function named(line: string, commands: readonly AnyCommand[]): AnyCommand | undefined {
  return commands
    .filter(({ path }) => `${line} `.startsWith(`${path} `))
    .toSorted((first, other) => other.path.length - first.path.length)[0];
}

interface Fitted {
  /** The line with names of existing targets. */
  readonly line: string;
  readonly command: AnyCommand;
}

/** Reads the line as if it was typed; undefined if it would be refused. A form may have empty fields. */
function fitted(line: string, isForm: (command: AnyCommand) => boolean, to: OfferedTo): Fitted | undefined {
  const parsed = parse(line, to.commands, to.domains);
  if (parsed.kind !== 'command' || (parsed.missing.length > 0 && !isForm(parsed.command))) return undefined;
  const { command } = parsed;
  const reading = to.reading(command);
  const raw: Record<string, readonly string[]> = { ...parsed.raw };
  const targets: Target[] = [];
  for (const [name, words] of Object.entries(parsed.raw)) {
    const arg = command.args[name];
    if (arg === undefined) continue;
    const read = [words, ...others(arg, words, reading)].find((some) => doesFit(() => arg.read(some, reading)));
    if (read === undefined) return undefined;
    raw[name] = read;
    targets.push(...arg.targets(arg.read(read, reading)));
  }
  if (parsed.missing.length === 0 && !doesFit(() => command.prepare(raw, reading))) return undefined;
  if (!to.allows(command, targets)) return undefined;
  const isSame = Object.entries(parsed.raw).every(([name, words]) => raw[name] === words);
  return { line: isSame ? line : lineOf(command, raw, parsed.reason), command };
}

/** Splits each argument's words into names that the person may use and words that a form cannot offer. */
export function fillable(args: ArgMap, input: RawArgs, reading: Reading) {
  const raw: Record<string, readonly string[]> = { ...input };
  const left: string[] = [];
  for (const [name, words] of Object.entries(input)) {
    const arg = args[name];
    if (arg?.isName !== true || words.length === 0) continue;
    const isUsable = (some: readonly string[]) =>
      doesFit(() => {
        if (!arg.targets(arg.read(some, reading)).every(reading.maySee)) throw new Refusal('not_found', '');
      });
    const whole = [words, ...others(arg, words, reading)].find(isUsable);
    const usable = whole ?? (arg.many ? words.filter((word) => isUsable([word])) : []);
    if (whole === undefined) left.push(...words.filter((word) => !usable.includes(word)));
    if (usable.length > 0) raw[name] = usable;
    else delete raw[name];
  }
  return { raw, left };
}

/** Alternatives for a name: the only name that equals it without spaces and hyphens, and the only candidate. */
function others(arg: ArgMap[string], words: readonly string[], reading: Reading): readonly (readonly string[])[] {
  const seen = () => reading.account.orders.filter((order) => reading.maySee(orderTarget(order)));
  const loose = arg.isName === true ? looselyOne(words.join(''), seen())?.label : undefined;
  const alike = loose === undefined ? [] : [[loose]];
  try {
    arg.read(words, reading);
  } catch (error) {
    const [only, second] = error instanceof NotOne ? error.candidates : [];
    if (only !== undefined && second === undefined) return [...alike, only.names ?? only.values];
  }
  return alike;
}

function doesFit(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}
