import { defined } from '../text/defined.ts';
import { nearest } from '../text/words.ts';
import { timeAmong, timeAt } from '../time/said-time.ts';
import { Refusal } from '../view/errors.ts';
import type { ArgShape, CommandShape, Need, RawArgs, Understood } from './command-shape.ts';
import { cutReason, isPasted, tooLongReason } from './cut-reason.ts';
import { offeringHelp } from './did-you-mean.ts';
import { findCommand, namesCommand } from './find.ts';
import type { Names } from './loosely.ts';
import { leftOver, refuseBetweenNames, refuseLong, refuseManyWords } from './misread.ts';
import { unfitIn } from './places.ts';
import { bareWord, isFiller, isSmallTalk, longestOpening, withoutOpening } from './polite.ts';
import { readRecordLine } from './record-line.ts';
import { namesIn, withForm } from './say.ts';
import { refuseStrayTime, saysWhy } from './stray-time.ts';
import {
  hasNames,
  isByPosition,
  nameOf,
  quotedApart,
  splitNames,
  takeIntroduced,
  takeNext,
  takeTrailing,
  withoutEnding,
  withoutFillers,
} from './take.ts';
import { cutHead, lacksHour, putTime, takeTimes, wordsOfTime } from './take-time.ts';
import { timingNamed, timingOptions, withGlass } from './timing-keys.ts';
import { inQuotes, quote, quoteValue, shorten, type Token, tokenize } from './tokens.ts';

export type Parsed<C extends CommandShape> =
  | { readonly kind: 'menu' }
  | ParsedCommand<C>
  | { readonly kind: 'problem'; readonly refusal: Refusal };

export type ParsedCommand<C extends CommandShape> = Pick<Understood<C>, 'command' | 'note' | 'isTaken' | 'left'> & {
  readonly kind: 'command';
  readonly raw: RawArgs;
  readonly missing: readonly string[];
  readonly isShared: boolean;
  /** The words after `because`. */
  readonly reason?: string;
  /** The channel that the line names at its end, in a direct message: `restart web-1 in #ops`. */
  readonly under?: string;
};

const glassOpenings = ['break-glass', 'breakglass', 'break glass', 'break the glass'].map((words) => words.split(' '));

/** Parses a line. Pure and total. `domains` are the known domains of the account. */
export function parse<C extends CommandShape>(
  input: string,
  commands: readonly C[],
  domains: readonly string[] = [],
  names: Names = new Map(),
): Parsed<C> {
  const parsed = orRefusal(() => readLine(input, commands, domains, names));
  return parsed instanceof Refusal ? { kind: 'problem', refusal: parsed } : parsed;
}

/** The result, or the refusal that is thrown instead. */
function orRefusal<T>(result: () => T): T | Refusal {
  try {
    return result();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

function readLine<C extends CommandShape>(
  input: string,
  commands: readonly C[],
  domains: readonly string[],
  names: Names,
): Parsed<C> {
  refuseLong(input, commands);
  const tokens = tokenize(input);
  if (tokens.length === 0) return { kind: 'menu' };
  refuseManyWords(tokens.length);
  const { tokens: remaining, under } = cutChannel(tokens);
  const polite = withoutOpening(remaining);
  const glass = longestOpening(polite.map(bareWord), glassOpenings);
  const line = polite.slice(glass);
  if (line.length === 0 || isSmallTalk(line))
    throw offeringHelp('Hello.', 'Try `/host list`, `/host status web-1` or `/host help`.');
  const head = cutHead(line, (words) => namesCommand(words, commands));
  const read = (command: C, rest: readonly Token[]) => {
    const { rest: words, reason } = cutReason(command, rest);
    return { command, rest, reason, args: orRefusal(() => readArgs(command, splitNames(command, words, domains))) };
  };
  let tried: ReturnType<typeof read> | undefined;
  const result = findCommand(head.tokens, commands, names, (command, rest) => {
    tried = read(command, rest);
    const { args } = tried;
    if (args instanceof Refusal) return args;
    const unfit = unfitIn(command, args.raw);
    if (unfit !== undefined) return leftOver(command, [{ text: unfit, isQuoted: false }]);
    return args.missing.length === 0 ? 'whole' : 'part';
  });
  if ('refusal' in result) throw result.refusal;
  const { command, rest, note, isTaken, left } = result;
  const isTried = tried?.command === command && tried.rest === rest;
  const { reason, args } = tried && isTried ? tried : read(command, rest);
  const refusal = reason === undefined ? undefined : tooLongReason(reason);
  if (refusal !== undefined) throw refusal;
  const checked = orRefusal(() => {
    if (args instanceof Refusal) throw args;
    refuseStrayTime(command, rest, { raw: args.raw, reason }, lineOf);
    return args;
  });
  if (checked instanceof Refusal) throw withForm(checked, command, namesIn(command, rest, names));
  if (head.time !== undefined) putTime(command, checked.raw, head.time, head.typed ?? []);
  const raw = glass > 0 ? withGlass(command, checked.raw) : checked.raw;
  const missing = [...checked.missing, ...lacksHour(raw, head)];
  return { kind: 'command', command, ...checked, raw, missing, ...defined({ note, isTaken, left, reason, under }) };
}

/** Without `in #ops` at the end; a channel that is chosen from Slack's list comes by its id. */
function cutChannel(tokens: readonly Token[]): { readonly tokens: readonly Token[]; readonly under?: string } {
  const [before, last] = tokens.slice(-2);
  const channel = last?.isQuoted === false ? /^#([CG][A-Z0-9]{2,})$/.exec(last.text)?.[1] : undefined;
  if (channel === undefined || bareWord(before) !== 'in') return { tokens };
  return { tokens: tokens.slice(0, -2), under: channel };
}

function readArgs(command: CommandShape, typed: readonly Token[]) {
  const tokens = typed.filter((token) => !isShare(token, command));
  const raw: Record<string, string[]> = {};
  let words: Token[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (token === undefined) break;
    const option = readOption(token, tokens[at + 1], command, raw);
    if (option === undefined) {
      words.push(token);
    } else {
      const behind = tokens.slice(at + 1 + option.extra);
      const more = behind.slice(0, wordsOfTime(option.name, option.value, behind)).map(({ text }) => text);
      raw[option.name] = [...(raw[option.name] ?? []), [option.value, ...more].join(' ')];
      at += option.extra + more.length;
    }
  }
  const timed = takeTimes(command, takeTrailing(command, takeIntroduced(command, words, raw), raw), raw);
  words = readRecordLine(command, timed.words, raw);
  const open = Object.entries(command.args).filter(([name, arg]) => isByPosition(arg) && raw[name] === undefined);
  const args = open.map(([, arg]) => arg);
  refuseBetweenNames(command, words, args);
  words = hasNames(command) ? withoutFillers(command, words) : withoutEnding(command, words);
  for (const [index, [name, arg]] of open.entries()) {
    const taken = takeNext(words, arg, args.slice(index + 1));
    if (taken.length > 0) raw[name] = arg.keepsQuotes ? quotedApart(taken, arg) : taken.map(({ text }) => text);
  }
  words = takeLeft(command, words, raw);
  if (words.length > 0) throw leftOver(command, words);
  const missing = [
    ...Object.keys(command.args).filter((name) => !command.args[name]?.optional && raw[name] === undefined),
    ...missingNeeds(command, raw).map((need) => need.say),
    ...lacksHour(raw, timed),
  ];
  return { raw, missing, isShared: tokens.length < typed.length };
}

/** Gives the words that are left to the argument that they can only be for: `status web 1`, `reinstall web-1 debian 12`. */
function takeLeft({ args }: CommandShape, words: Token[], raw: Record<string, string[]>): Token[] {
  const [first, second] = words;
  const named = Object.keys(args).filter((name) => args[name]?.isName && !args[name]?.many && raw[name]?.length === 1);
  const [only = ''] = named;
  const isNumbered = first !== undefined && second === undefined && /^\d{1,4}$/.test(first.text);
  if (isNumbered && named.length === 1 && /^\p{L}+$/u.test(raw[only]?.[0] ?? '')) {
    raw[only] = [...(raw[only] ?? []), first.text];
    return [];
  }
  const open = Object.keys(args).find((name) => args[name]?.takesLeft && raw[name] === undefined);
  if (open === undefined || words.length === 0 || words.some(({ text }) => text.includes('='))) return words;
  // `with ubuntu 24`
  const text = words.map((word) => word.text).join(' ');
  raw[open] = [text.replace(/^(?:with|using) (?=.)/i, '')];
  return [];
}

/** `--share` belongs to no command: every read takes it. */
function isShare({ text, isQuoted }: Token, { visibility }: CommandShape): boolean {
  return visibility !== undefined && !isQuoted && text.toLowerCase() === '--share';
}

export function missingNeeds({ needs = [] }: Pick<CommandShape, 'needs'>, raw: RawArgs): readonly Need[] {
  return needs.filter((need) => need.of.every((name) => raw[name] === undefined));
}

/** Parses an option: `ttl=300`, `ttl:300`, `--ttl 300`, `--ttl=300`, `--now`, `--off`. Undefined for a plain word. */
function readOption(token: Token, next: Token | undefined, command: CommandShape, raw: RawArgs) {
  if (token.isQuoted) return undefined;
  const dashed = /^--([\p{L}][\p{L}\p{N}_-]*)(?:[=:]([\s\S]*))?$/u.exec(token.text);
  const plain = dashed ? null : /^([\p{L}][\p{L}\p{N}_-]*)[=:]([\s\S]*)$/u.exec(token.text);
  const [, typed, value] = dashed ?? plain ?? [];
  if (typed === undefined) return undefined;
  const key = typed.toLowerCase();
  const own = nameOf(command, key);
  const chosen = dashed && value === undefined ? choiceOf(command, key) : undefined;
  if (chosen !== undefined && raw[chosen] === undefined && (own ?? chosen) === chosen)
    return { name: chosen, value: key, extra: 0 };
  // A text that is sent as typed may contain `at=3am`.
  const isInText =
    value !== undefined &&
    next !== undefined &&
    !/^[\w-]+=/.test(next.text) &&
    Object.values(command.args).some(isPasted);
  const isTiming = !isInText && (dashed !== null || /^[\w-]+=/.test(token.text));
  const name = own ?? (isTiming ? timingNamed(command, key) : undefined);
  if (name !== undefined) {
    const arg = command.args[name];
    const field = defined({ field: arg && name });
    if (arg?.place === 'form') throw formOnly(command, name);
    if (raw[name] !== undefined && !arg?.many && arg?.place !== 'rest') {
      if (plain && arg) return undefined;
      throw new Refusal('bad_value', `\`${arg ? name : key}\` is given twice.`, field);
    }
    if (value !== undefined && (arg || value !== '')) return { name, value, extra: 0 };
    if (arg?.widget === 'toggle' || ((key === 'break-glass' || key === 'dry-run') && dashed))
      return { name, value: 'yes', extra: 0 };
    if (next !== undefined && value !== '') return { name, value: next.text, extra: 1 };
    throw new Refusal('bad_value', `\`${arg ? `--${name}` : key}\` needs a value.`, field);
  }
  const options = Object.keys(command.args).filter((candidate) => command.args[candidate]?.place === 'option');
  const near = key.length >= 3 ? nearest(key, options) : undefined;
  // `http://192.0.2.10` is a URL, not an option.
  const isSlip = near !== undefined && Math.abs(near.length - key.length) <= 1 && !value?.startsWith('//');
  if (!dashed && !isSlip) return undefined;
  const listed = options.length > 0 ? `Its options: ${options.join(', ')}.` : 'It has no options.';
  const dashedHint = near ? `Did you mean \`--${near}\`?` : listed;
  throw new Refusal('not_understood', `\`${command.path}\` has no option \`${shorten(typed)}\`.`, {
    hint: dashed ? dashedHint : `Did you mean \`${near}=${value}\`? Put it in quotes if it is a value.`,
  });
}

/** The argument for `--off`, if one is a choice between on and off. */
function choiceOf({ args }: CommandShape, key: string): string | undefined {
  const fitting = Object.keys(args).filter((name) => args[name]?.widget === 'choice' && args[name]?.fits?.(key));
  return fitting.length === 1 ? fitting[0] : undefined;
}

/** Refuses typed file ids, which could name a file that only the bot can read. */
function formOnly(command: CommandShape, name: string): Refusal {
  const how = command.args[name]?.widget === 'file' ? 'upload' : 'choose';
  return new Refusal('bad_value', `\`${name}\` cannot be typed: ${how} it in the form.`, {
    field: name,
    suggestions: [{ label: 'Open the form', command: command.path, isForm: true }],
  });
}

/** The line with exactly these arguments and the reason, for buttons and the audit. */
export function lineOf(command: CommandShape, raw: RawArgs, reason?: string): string {
  // After an omitted argument, or one with several words, later arguments need their names.
  let isNamed = false;
  const parts = Object.entries(command.args).flatMap(([name, arg], index, all) => {
    const words = raw[name];
    if (words === undefined || words.length === 0 || arg.place === 'form') {
      isNamed ||= isByPosition(arg);
      return [];
    }
    isNamed ||= arg.place === 'word' && (words.length > 1 || !isItsOwn(words[0] ?? '', arg, all.slice(index + 1)));
    if (arg.place === 'option' || isNamed) {
      // A time with several words is one value: `until="tomorrow 18:00"`.
      const values = arg.takes !== undefined && !arg.many ? [words.join(' ')] : words;
      return values.map((value) => `${name}=${quoteValue(value)}`);
    }
    if (arg.keepsQuotes && words.length > 1) return words.map(inQuotes);
    const quoted = words.map((word) => (isMeaningful(command, word) ? quote(word) : inQuotes(word)));
    return timeAmong(quoted, saysWhy(arg)) ? words.map(inQuotes) : quoted;
  });
  // In quotes, a time in the reason is text.
  const why = reason !== undefined && timeAmong(reason.split(' '), true) ? inQuotes(reason) : reason;
  return [command.path, ...parts, ...timingOptions(raw), ...(why === undefined ? [] : [`because ${why}`])].join(' ');
}

/** True for a word that keeps its meaning without quotes: not politeness, a time, or the start of another argument. */
function isMeaningful(command: CommandShape, text: string): boolean {
  const token = { text, isQuoted: false };
  const introducing = Object.values(command.args).flatMap(({ after = [] }) => after);
  const kind = timeAt(['', text.toLowerCase()], 1)?.kind;
  const isTime = kind !== undefined && (kind !== 'span' || !Object.values(command.args).some(({ takes }) => takes));
  return !isFiller(token) && !isTime && ![...introducing, 'because'].includes(text.toLowerCase());
}

/** True if the word would be parsed as this argument and no other. */
function isItsOwn(word: string, arg: ArgShape, later: readonly (readonly [string, ArgShape])[]): boolean {
  return arg.fits === undefined ? !later.some(([, other]) => other.fits?.(word)) : arg.fits(word);
}
