import { orderTarget, type Target } from '../account/account.ts';
import type { CommandShape, RawArgs } from '../grammar/command-shape.ts';
import { didYouMean } from '../grammar/did-you-mean.ts';
import { looselyOne } from '../grammar/loosely.ts';
import { lineOf, parse } from '../grammar/parse.ts';
import { retype, shorten, type Token, tokenize } from '../grammar/tokens.ts';
import type { Risk } from '../policy/policy.ts';
import { NotOne } from '../targets/not-one.ts';
import type { Reading } from '../targets/targets.ts';
import { defined } from '../text/defined.ts';
import { Refusal, type Suggestion } from '../view/errors.ts';
import type { ArgMap } from './args.ts';

/** Filters a refusal's suggestions to those that would be allowed. */

interface Offerable extends CommandShape {
  readonly risk: Risk;
  readonly args: ArgMap;
  readonly prepare: (raw: RawArgs, reading: Reading) => { readonly targets: readonly Target[] };
}

/** The commands, the reading of their words, and this person's rights. */
interface OfferedTo<C> {
  readonly commands: readonly C[];
  readonly domains: readonly string[];
  readonly reading: (command: C) => Reading;
  readonly allows: (command: C, targets: readonly Target[]) => boolean;
}

interface Fitting {
  readonly suggestion: Suggestion;
  /** Words for which the line has no place. */
  readonly left: readonly Token[];
}

/**
 * Keeps the suggestions that parse, name existing targets and are allowed. A hint with lines lists only the kept ones.
 */
export function offered<C extends Offerable>(refusal: Refusal, to: OfferedTo<C>): Refusal {
  const { reason, text, field, hint, otherwise } = refusal;
  const isGuess = otherwise !== undefined;
  const isOneOfSeveral = refusal.suggestions.length > 1;
  const kept = refusal.suggestions.flatMap((suggestion) => fitting(suggestion, { isGuess, isOneOfSeveral }, to) ?? []);
  const suggestions = kept.map(({ suggestion }) => suggestion);
  const saying = (more: { hint: string | undefined; otherwise?: string; suggestions: readonly Suggestion[] }) =>
    new Refusal(reason, text, defined({ field, ...more }));
  if (!isGuess) return saying({ hint, suggestions });
  if (kept.length === 0) return saying({ hint: otherwise, suggestions: [{ label: 'Help', command: 'help' }] });
  const left = new Set(kept.flatMap((fitting) => fitting.left.map((token) => shorten(token.text))));
  const leftOut = left.size === 0 ? '' : ` \`${[...left].join(' ')}\` would be left out.`;
  const lines = suggestions.map(({ command }) => command);
  return saying({ hint: `${didYouMean(lines)}${leftOut}`, otherwise, suggestions });
}

interface Manner {
  /** The line was not typed: final words may be dropped, and only a safe read runs. */
  readonly isGuess: boolean;
  readonly isOneOfSeveral: boolean;
}

function fitting<C extends Offerable>(suggestion: Suggestion, manner: Manner, to: OfferedTo<C>): Fitting | undefined {
  if (suggestion.asksAccess === true) return { suggestion, left: [] };
  const { isGuess } = manner;
  const pressed = (read: Fitted<C>) => (isGuess ? guessed(read, manner) : { ...suggestion, command: read.line });
  const isForm = (command: C) => (isGuess ? !mayRun(command) : suggestion.isForm === true);
  const whole = fitted(suggestion.command, isForm, to);
  if (whole !== undefined) return { suggestion: pressed(whole), left: [] };
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

const mayRun = ({ kind, risk }: Offerable) => kind === 'query' && risk === 'safe';

/** A guess opens a form. Only a safe read runs. */
function guessed<C extends Offerable>({ line, command }: Fitted<C>, { isOneOfSeveral }: Manner): Suggestion {
  if (!mayRun(command)) return { label: `${command.path}…`, command: line, isForm: true };
  return { label: isOneOfSeveral ? command.path : 'Run it', command: line };
}

/** The command with the longest path at the beginning of the line. */
function named<C extends CommandShape>(line: string, commands: readonly C[]): C | undefined {
  return commands
    .filter(({ path }) => `${line} `.startsWith(`${path} `))
    .toSorted((first, other) => other.path.length - first.path.length)[0];
}

interface Fitted<C> {
  /** The line with names of existing targets. */
  readonly line: string;
  readonly command: C;
}

/** Reads the line as if it was typed; undefined if it would be refused. A form may have empty fields. */
function fitted<C extends Offerable>(
  line: string,
  isForm: (command: C) => boolean,
  to: OfferedTo<C>,
): Fitted<C> | undefined {
  const parsed = parse(line, to.commands, to.domains);
  if (parsed.kind !== 'command' || (parsed.missing.length > 0 && !isForm(parsed.command))) return undefined;
  const { command } = parsed;
  const reading = to.reading(command);
  const raw: Record<string, readonly string[]> = { ...parsed.raw };
  const targets: Target[] = [];
  for (const [name, words] of Object.entries(parsed.raw)) {
    const arg = command.args[name];
    if (arg === undefined) continue;
    const read = [words, ...others(words, arg.isName === true, () => arg.read(words, reading), reading)].find(
      (candidate) => doesFit(() => arg.read(candidate, reading)),
    );
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
export function fillable(
  args: ArgMap,
  input: RawArgs,
  reading: Reading,
): { readonly raw: RawArgs; readonly left: readonly string[] } {
  const raw: Record<string, readonly string[]> = { ...input };
  const left: string[] = [];
  for (const [name, words] of Object.entries(input)) {
    const arg = args[name];
    if (arg?.isName !== true || words.length === 0) continue;
    const isUsable = (some: readonly string[]) =>
      doesFit(() => {
        if (!arg.targets(arg.read(some, reading)).every(reading.maySee)) throw new Refusal('not_found', '');
      });
    const whole = [words, ...others(words, true, () => arg.read(words, reading), reading)].find(isUsable);
    const usable = whole ?? (arg.many ? words.filter((word) => isUsable([word])) : []);
    if (whole === undefined) left.push(...words.filter((word) => !usable.includes(word)));
    if (usable.length > 0) raw[name] = usable;
    else delete raw[name];
  }
  return { raw, left };
}

/** Alternatives for a name: the only name that equals it without spaces and hyphens, and the only candidate. */
function others(
  words: readonly string[],
  isName: boolean,
  read: () => unknown,
  { account, maySee }: Reading,
): readonly (readonly string[])[] {
  const seen = () => account.orders.filter((order) => maySee(orderTarget(order)));
  const loose = isName ? looselyOne(words.join(''), seen())?.label : undefined;
  return [...(loose === undefined ? [] : [[loose]]), ...onlyCandidate(read)];
}

function onlyCandidate(read: () => unknown): readonly (readonly string[])[] {
  try {
    read();
  } catch (error) {
    const [only, second] = error instanceof NotOne ? error.candidates : [];
    if (only !== undefined && second === undefined) return [only.names ?? only.values];
  }
  return [];
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
