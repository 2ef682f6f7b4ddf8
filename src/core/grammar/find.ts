import type { Refusal } from '../view/errors.ts';
import { answerBehindVerb } from './not-possible.ts';
import { looksLikeName, otherOrders } from './other-order.ts';
import { bareWord } from './polite.ts';
import { removalOf } from './removal.ts';
import type { CommandShape } from './shapes.ts';
import { quote, shorten, type Token } from './tokens.ts';
import { meant, type Reads, unknownCommand } from './unknown.ts';

interface Found<C> {
  readonly command: C;
  /** The words after the command's name. */
  readonly rest: readonly Token[];
  /** Explains how the line was read, if the name of the command was not typed. */
  readonly note?: string;
}

/** Finds the command that the first words name, or a refusal with suggestions. */
export function findCommand<C extends CommandShape>(
  tokens: readonly Token[],
  commands: readonly C[],
  reads: Reads<C>,
): Found<C> | { refusal: Refusal } {
  const typed = tokens.map(bareWord);
  const named = longest(typed, commands, (command) => [command.path]);
  const called = longest(typed, commands, (command) => command.alsoCalled ?? []);
  const asTyped = Math.max(named?.words ?? 0, called?.words ?? 0);
  // A line that a command accepts as typed is never reordered: buttons contain such lines.
  const isTaken = named !== undefined && reads(named.command, tokens.slice(named.words)) !== 'not';
  const turned = isTaken ? undefined : inOtherOrder(tokens, commands, asTyped);
  if (turned !== undefined) return turned;
  // `hard reset` for `hard-reset`
  const spaced = longest(typed, commands, ({ path }) => (path.includes('-') ? [path.replaceAll('-', ' ')] : []));
  if (!isTaken && spaced !== undefined && spaced.words > asTyped) {
    return { refusal: meant(tokens, [spaced], commands, { isNamed: true }) };
  }
  if (named !== undefined && named.words === asTyped) {
    return { command: named.command, rest: tokens.slice(named.words) };
  }
  if (called !== undefined) {
    if (called.command.kind === 'query') {
      const note = readAs(typed.slice(0, called.words), called.command);
      return { command: called.command, rest: tokens.slice(called.words), note };
    }
    return { refusal: answerBehindVerb(typed) ?? removalOf(tokens) ?? meant(tokens, [called], commands) };
  }
  const status = commands.find(({ path, kind }) => path === 'status' && kind === 'query');
  const [first] = tokens;
  // A name or an address alone is read as its status.
  if (status !== undefined && first !== undefined && tokens.length === 1 && looksLikeName(first)) {
    return { command: status, rest: tokens, note: `This was read as \`status ${quote(shorten(first.text))}\`.` };
  }
  return { refusal: unknownCommand(tokens, commands, reads) };
}

/** The command that more words name in another order than in the typed one. */
function inOtherOrder<C extends CommandShape>(
  tokens: readonly Token[],
  commands: readonly C[],
  asTyped: number,
): Found<C> | { refusal: Refusal } | undefined {
  const called = byFirstWord(commands);
  for (const { tokens: turned, least, spent, isShown } of otherOrders(tokens, commands)) {
    const words = turned.map(bareWord);
    const found = longest(words, called.get(words[0] ?? '') ?? [], namesOf);
    if (found === undefined || found.words < least || found.words + spent <= asTyped) continue;
    if (found.command.kind === 'query') {
      const note = readAs(
        tokens.map(({ text }) => text),
        found.command,
      );
      return { command: found.command, rest: turned.slice(found.words), note };
    }
    if (isShown) continue;
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

const namesOf = ({ path, alsoCalled = [] }: CommandShape): readonly string[] => [path, ...alsoCalled];

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
  return `\`${shorten(words.join(' '))}\` was read as \`${path}\`.`;
}

interface Named<C> {
  readonly command: C;
  /** The number of words that named it. */
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
        best = { command, words: words.length };
    }
  }
  return best;
}
