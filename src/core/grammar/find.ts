import type { Refusal } from '../view/errors.ts';
import { type CommandShape, destroys, type Reads, type Understood } from './command-shape.ts';
import { answerBehindVerb } from './not-possible.ts';
import { looksLikeName, otherOrders } from './other-order.ts';
import { typedFor } from './phrases.ts';
import { bareWord } from './polite.ts';
import { removalOf } from './removal.ts';
import { hasNames } from './take.ts';
import { quote, shorten, type Token, tokenize } from './tokens.ts';
import { meant, readAs, unknownCommand } from './unknown-command.ts';

/** The command that a line names or means, or suggestions. */
export function findCommand<C extends CommandShape>(
  tokens: readonly Token[],
  commands: readonly C[],
  reads: Reads<C>,
): Understood<C> | { refusal: Refusal } {
  const typed = tokens.map(bareWord);
  const help = helpAbout(tokens, commands);
  if (help !== undefined) return help;
  const byPath = longest(typed, commands, 'path');
  const other = otherwise(byPath ?? longest(typed, commands, 'alsoCalled'), typed, commands);
  const named = other === undefined ? byPath : undefined;
  const phrase = longest(typed, commands, 'phrase');
  if (phrase !== undefined && phrase.words > (named?.words ?? 0)) return asPhrase(phrase, tokens);
  const called = other ?? longest(typed, commands, 'alsoCalled');
  const asTyped = Math.max(named?.words ?? 0, called?.words ?? 0);
  const rest = tokens.slice(named?.words ?? 0);
  // A line that a command accepts unchanged means that command: buttons write such lines.
  const isWhole = named !== undefined && reads(named.command, rest) !== 'not';
  const turned = isWhole ? undefined : inOtherOrder(tokens, commands, asTyped, reads);
  if (turned !== undefined) return turned;
  // `hard reset` for `hard-reset`
  const spaced = longest(typed, commands, 'spaced');
  if (!isWhole && spaced !== undefined && spaced.words > asTyped) {
    return taken(tokens, spaced, reads) ?? { refusal: meant(tokens, [spaced], commands, { isNamed: true }) };
  }
  if (named !== undefined && named.words === asTyped) {
    return { command: named.command, rest };
  }
  if (called !== undefined) {
    const refusal = called.command.kind === 'query' ? undefined : answerBehindVerb(typed);
    if (refusal !== undefined) return { refusal };
    const removal = called.command.kind === 'query' ? undefined : removalIn(tokens, commands, reads);
    const result = removal ?? taken(tokens, called, reads);
    if (result !== undefined) return result;
    if (called.command.kind !== 'query') return { refusal: meant(tokens, [called], commands) };
  }
  const status = commands.find(({ path, kind }) => path === 'status' && kind === 'query');
  const [first] = tokens;
  // A name or an address alone is read as its status.
  if (status !== undefined && first !== undefined && tokens.length === 1 && looksLikeName(first)) {
    return { command: status, rest: tokens, note: `Showing \`status ${quote(shorten(first.text))}\`.` };
  }
  // `web-1 does not work`
  const behind = tokens.slice(1);
  if (status !== undefined && first !== undefined && looksLikeName(first) && !behind.some(looksLikeName)) {
    if (!commands.some(({ path }) => path.startsWith(`${bareWord(first)} `)))
      return {
        refusal: meant([{ text: 'status', isQuoted: false }, first], [{ command: status, words: 1 }], commands, {
          message: `\`${shorten(tokens.map(({ text }) => text).join(' '))}\` is not how a command is written.`,
        }),
      };
  }
  return unknownCommand(tokens, commands, reads);
}

/** Whether the first words name a command. */
export function namesCommand(tokens: readonly Token[], commands: readonly CommandShape[]): boolean {
  return longest(tokens.map(bareWord), commands, 'path', 'phrase', 'alsoCalled', 'spaced') !== undefined;
}

/** The command that the name means before these words: `mute 22:00-07:00`. */
function otherwise<C extends CommandShape>(
  named: Named<C> | undefined,
  typed: readonly string[],
  commands: readonly C[],
): Named<C> | undefined {
  const other = named?.command.otherwise;
  if (named === undefined || !other?.before.test(typed.slice(named.words).join(' '))) return undefined;
  const command = commands.find(({ path }) => path === other.path);
  return command && { ...named, command };
}

/** A line that removes something that is no order. */
function removalIn<C extends CommandShape>(
  tokens: readonly Token[],
  commands: readonly C[],
  reads: Reads<C>,
): Understood<C> | { refusal: Refusal } | undefined {
  const removal = removalOf(tokens);
  if (removal === undefined) return undefined;
  const [only, second] = removal.meant;
  const command = commands.find(({ path }) => path === only?.path);
  if (only === undefined || second !== undefined || command === undefined) return { refusal: removal.refusal };
  const words = command.path.split(' ').length;
  const line = [...command.path.split(' ').map((text) => ({ text, isQuoted: false })), ...only.names];
  const result = taken(
    line,
    { command, words },
    reads,
    tokens.map(({ text }) => text),
  );
  return result ?? { refusal: removal.refusal };
}

const helpWords: ReadonlySet<string> = new Set(['help', '--help', '-h', '?']);

/** `restart --help`, `dns help` */
function helpAbout<C extends CommandShape>(
  tokens: readonly Token[],
  commands: readonly C[],
): Understood<C> | undefined {
  const last = tokens.at(-1);
  if (last === undefined || tokens.length < 2 || !helpWords.has(bareWord(last))) return undefined;
  const help = commands.find(({ path, kind }) => path === 'help' && kind === 'query');
  if (help === undefined) return undefined;
  const topic = tokens.slice(0, -1);
  const phrase = topic.map(bareWord).join(' ');
  if (!commands.some(({ path }) => `${path} `.startsWith(`${phrase} `)) || phrase === 'help') return undefined;
  // `who can help` asks about that command, and `dns find help` searches for the word.
  const isWord = commands.some((command) => command.path === phrase && command.kind === 'query' && !hasNames(command));
  if (isWord && bareWord(last) === 'help') return undefined;
  return {
    command: help,
    rest: topic,
    note: readAs(
      tokens.map(({ text }) => text),
      help,
    ),
  };
}

/** A phrase for the command and some of its words; the answer names the command. */
function asPhrase<C extends CommandShape>(
  { command, words, spelling }: Named<C>,
  tokens: readonly Token[],
): Understood<C> {
  const more = wordsOf(command, spelling);
  // An option that only a phrase stands for is nothing that people type.
  const now = [command.path, ...more.flatMap(({ text }) => (text.includes('=') ? [] : [text]))].join(' ');
  return {
    command,
    rest: before(more, tokens.slice(words)),
    note: `\`/host ${spelling}\` is \`/host ${now}\`.`,
  };
}

/** The words that the phrase stands for behind the command's name; none if it is no phrase. */
function wordsOf({ path }: CommandShape, spelling: string): readonly Token[] {
  return tokenize(typedFor.get(path)?.phrases[spelling] ?? '');
}

/** `domain:` stands before the next word: `dns tag example.com` is `tag domain:example.com`. */
function before(more: readonly Token[], rest: readonly Token[]): readonly Token[] {
  const [prefix, [first, ...others]] = [more.at(-1), rest];
  if (prefix === undefined || first === undefined || !prefix.text.endsWith(':')) return [...more, ...rest];
  return [...more.slice(0, -1), { ...first, text: `${prefix.text}${first.text}` }, ...others];
}

/**
 * A line that names the command in other words. A destructive command needs a confirmation first; words that do not fit
 * rule a command out.
 */
function taken<C extends CommandShape>(
  tokens: readonly Token[],
  { command, words, spelling = command.path }: Pick<Named<C>, 'command' | 'words'> & { readonly spelling?: string },
  reads: Reads<C>,
  typed: readonly string[] = tokens.slice(0, words).map(bareWord),
): Understood<C> | undefined {
  const rest = before(wordsOf(command, spelling), behindNoun(command, tokens.slice(words)));
  if (destroys(command) || reads(command, rest) === 'not') return undefined;
  const note = readAs(typed, command);
  return { command, rest, note, isTaken: true };
}

/** `subscribe alerts` is `alerts on`: the noun is said already. */
function behindNoun({ path }: CommandShape, rest: readonly Token[]): readonly Token[] {
  const [noun, verb] = path.split(' ');
  const [first] = rest;
  return verb !== undefined && first !== undefined && bareWord(first) === noun ? rest.slice(1) : rest;
}

/** The command that more words name in another order than in the typed one. */
function inOtherOrder<C extends CommandShape>(
  tokens: readonly Token[],
  commands: readonly C[],
  asTyped: number,
  reads: Reads<C>,
): Understood<C> | { refusal: Refusal } | undefined {
  for (const { tokens: turned, least, spent, isShown } of otherOrders(tokens, commands)) {
    const words = turned.map(bareWord);
    const match = longest(words, commands, 'path', 'alsoCalled', 'phrase');
    if (match === undefined || match.words < least || match.words + spent <= asTyped) continue;
    if (isShown && match.command.kind !== 'query') continue;
    const meantSo = taken(
      turned,
      match,
      reads,
      tokens.map(({ text }) => text),
    );
    if (meantSo !== undefined) return meantSo;
    if (match.command.kind === 'query') continue;
    const phrase = shorten(tokens.map(({ text }) => text).join(' '));
    return {
      refusal: meant(turned, [match], commands, {
        message: `\`${phrase}\` is not how a command is written.`,
        isNamed: true,
      }),
    };
  }
  return undefined;
}

interface Named<C> {
  readonly command: C;
  readonly spelling: string;
  /** How many words named it. */
  readonly words: number;
}

type KindOfName = 'path' | 'phrase' | 'alsoCalled' | 'spaced';

interface CommandName {
  readonly kind: KindOfName;
  readonly spelling: string;
  readonly words: readonly string[];
  /** The position of the command in the list. */
  readonly at: number;
}

function namesOf({ path, alsoCalled = [] }: CommandShape, at: number): CommandName[] {
  const all: Readonly<Record<KindOfName, readonly string[]>> = {
    path: [path],
    alsoCalled,
    phrase: Object.keys(typedFor.get(path)?.phrases ?? {}),
    spaced: path.includes('-') ? [path.replaceAll('-', ' ')] : [],
  };
  return Object.entries(all).flatMap(([kind, spellings]) =>
    spellings.map((spelling) => ({ kind: kind as KindOfName, spelling, words: spelling.split(' '), at })),
  );
}

/**
 * The names of a list of commands by their first words. Kept with the list, which a process makes once: a line is parsed
 * before it is acknowledged, and a search through all names took a third of that time.
 */
const indexes = new WeakMap<readonly CommandShape[], ReadonlyMap<string, readonly CommandName[]>>();

function namesBeginningWith(first: string, commands: readonly CommandShape[]): readonly CommandName[] {
  const index = indexes.get(commands) ?? Map.groupBy(commands.flatMap(namesOf), ({ words }) => words[0] ?? '');
  indexes.set(commands, index);
  return index.get(first) ?? [];
}

/** The longest of the names of these kinds with which the line begins; the first of several. */
function longest<C extends CommandShape>(
  typed: readonly string[],
  commands: readonly C[],
  ...kinds: readonly KindOfName[]
): Named<C> | undefined {
  let best: CommandName | undefined;
  for (const name of namesBeginningWith(typed[0] ?? '', commands)) {
    const isLonger = name.words.length > (best?.words.length ?? 0);
    if (isLonger && kinds.includes(name.kind) && name.words.every((word, index) => word === typed[index])) best = name;
  }
  const command = best && commands[best.at];
  return best && command && { command, spelling: best.spelling, words: best.words.length };
}
