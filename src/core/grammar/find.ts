import type { Refusal } from '../view/errors.ts';
import { destroys } from './destroys.ts';
import { answerBehindVerb } from './not-possible.ts';
import { looksLikeName, otherOrders } from './other-order.ts';
import { bareWord } from './polite.ts';
import { removalOf } from './removal.ts';
import type { CommandShape } from './shapes.ts';
import { hasNames } from './take.ts';
import { quote, shorten, type Token, tokenize } from './tokens.ts';
import type { Understood } from './understood.ts';
import { meant, type Reads, unknownCommand } from './unknown-command.ts';

/** The command that the first words name, or suggestions. */
export function findCommand<C extends CommandShape>(
  tokens: readonly Token[],
  commands: readonly C[],
  reads: Reads<C>,
): Understood<C> | { refusal: Refusal } {
  const typed = tokens.map(bareWord);
  const help = helpAbout(tokens, commands);
  if (help !== undefined) return help;
  const named = longest(typed, commands, (command) => [command.path]);
  const old = longest(typed, commands, (command) => Object.keys(command.formerly ?? {}));
  if (old !== undefined && old.words > (named?.words ?? 0)) return asNow(old, tokens);
  const called = longest(typed, commands, (command) => command.alsoCalled ?? []);
  const asTyped = Math.max(named?.words ?? 0, called?.words ?? 0);
  // A line that a command accepts unchanged means that command: buttons write such lines.
  const isWhole = named !== undefined && reads(named.command, tokens.slice(named.words)) !== 'not';
  const turned = isWhole ? undefined : inOtherOrder(tokens, commands, asTyped, reads);
  if (turned !== undefined) return turned;
  // `hard reset` for `hard-reset`
  const spaced = longest(typed, commands, ({ path }) => (path.includes('-') ? [path.replaceAll('-', ' ')] : []));
  if (!isWhole && spaced !== undefined && spaced.words > asTyped) {
    return taken(tokens, spaced, reads) ?? { refusal: meant(tokens, [spaced], commands, { isNamed: true }) };
  }
  if (named !== undefined && named.words === asTyped) {
    return { command: named.command, rest: tokens.slice(named.words) };
  }
  if (called !== undefined) {
    const wish = called.command.kind === 'query' ? undefined : answerBehindVerb(typed);
    if (wish !== undefined) return { refusal: wish };
    const removal = called.command.kind === 'query' ? undefined : removalIn(tokens, commands, reads);
    const found = removal ?? taken(tokens, called, reads);
    if (found !== undefined) return found;
    if (called.command.kind !== 'query') return { refusal: meant(tokens, [called], commands) };
  }
  const status = commands.find(({ path, kind }) => path === 'status' && kind === 'query');
  const [first] = tokens;
  // A name or an address alone is read as its status.
  if (status !== undefined && first !== undefined && tokens.length === 1 && looksLikeName(first)) {
    return { command: status, rest: tokens, note: `Showing \`status ${quote(shorten(first.text))}\`.` };
  }
  return unknownCommand(tokens, commands, reads);
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
  const found = taken(
    line,
    { command, words },
    reads,
    tokens.map(({ text }) => text),
  );
  return found ?? { refusal: removal.refusal };
}

const helpWords: ReadonlySet<string> = new Set(['help', '--help', '-h', '?']);

/** `restart --help`, `dns help` */
function helpAbout<C extends CommandShape>(
  tokens: readonly Token[],
  commands: readonly C[],
): Understood<C> | undefined {
  const last = tokens.at(-1);
  const help = commands.find(({ path, kind }) => path === 'help' && kind === 'query');
  if (help === undefined || last === undefined || tokens.length < 2 || !helpWords.has(bareWord(last))) return undefined;
  const topic = tokens.slice(0, -1);
  const said = topic.map(bareWord).join(' ');
  if (!commands.some(({ path }) => `${path} `.startsWith(`${said} `)) || said === 'help') return undefined;
  // `who can help` asks about that command, and `dns find help` searches for the word.
  const isWord = commands.some((command) => command.path === said && command.kind === 'query' && !hasNames(command));
  if (isWord && bareWord(last) === 'help') return undefined;
  const words = tokens.map(({ text }) => text);
  return { command: help, rest: topic, note: readAs(words, help) };
}

/** A name that the command had: it does the same, and the answer says how it is called now. */
function asNow<C extends CommandShape>(
  { command, words, spelling }: Named<C>,
  tokens: readonly Token[],
): Understood<C> {
  const more = tokenize(command.formerly?.[spelling] ?? '');
  // An option that only a former name stands for is nothing that people type.
  const now = [command.path, ...more.flatMap(({ text }) => (text.includes('=') ? [] : [text]))].join(' ');
  return {
    command,
    rest: before(more, tokens.slice(words)),
    note: `\`/host ${spelling}\` is \`/host ${now}\`.`,
  };
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
  const rest = before(tokenize(command.formerly?.[spelling] ?? ''), behindNoun(command, tokens.slice(words)));
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
  const called = byFirstWord(commands);
  for (const { tokens: turned, least, spent, isShown } of otherOrders(tokens, commands)) {
    const words = turned.map(bareWord);
    const found = longest(words, called.get(words[0] ?? '') ?? [], namesOf);
    if (found === undefined || found.words < least || found.words + spent <= asTyped) continue;
    if (isShown && found.command.kind !== 'query') continue;
    const meantSo = taken(
      turned,
      found,
      reads,
      tokens.map(({ text }) => text),
    );
    if (meantSo !== undefined) return meantSo;
    if (found.command.kind === 'query') continue;
    const said = shorten(tokens.map(({ text }) => text).join(' '));
    return {
      refusal: meant(turned, [found], commands, {
        message: `\`${said}\` is not how a command is written.`,
        isNamed: true,
      }),
    };
  }
  return undefined;
}

const namesOf = ({ path, alsoCalled = [], formerly = {} }: CommandShape): readonly string[] => [
  path,
  ...alsoCalled,
  ...Object.keys(formerly),
];

/** The commands by the first words of their names, since a line is tried in several orders. */
function byFirstWord<C extends CommandShape>(commands: readonly C[]): ReadonlyMap<string, readonly C[]> {
  const called = new Map<string, C[]>();
  for (const command of commands) {
    for (const name of namesOf(command)) {
      const [first = ''] = name.split(' ', 1);
      const known = called.get(first) ?? [];
      if (known.at(-1) !== command) known.push(command);
      called.set(first, known);
    }
  }
  return called;
}

function readAs(words: readonly string[], { path }: CommandShape): string {
  return `Took “${shorten(words.join(' '))}” as \`${path}\`.`;
}

interface Named<C> {
  readonly command: C;
  readonly spelling: string;
  /** How many words named it. */
  readonly words: number;
}

function longest<C extends CommandShape>(
  typed: readonly string[],
  commands: readonly C[],
  spellings: (command: C) => readonly string[],
): Named<C> | undefined {
  const [first = ''] = typed;
  let best: Named<C> | undefined;
  for (const command of commands) {
    for (const spelling of spellings(command)) {
      // A fast path, since this runs several times a request for every command: most differ in their first letters.
      if (!spelling.startsWith(first)) continue;
      const words = spelling.split(' ');
      if (words.length > (best?.words ?? 0) && words.every((word, index) => word === typed[index]))
        best = { command, spelling, words: words.length };
    }
  }
  return best;
}
