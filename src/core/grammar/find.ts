import { defined } from '../text/defined.ts';
import { Refusal } from '../view/errors.ts';
import type { CommandShape, Reads, Understood } from './command-shape.ts';
import { cutReason } from './cut-reason.ts';
import { offeringHelp, seeHelp } from './did-you-mean.ts';
import { fillers, type Lexicon, lexiconOf, mistyped, type Phrase, stem } from './lexicon.ts';
import { bareLoosely, type Names } from './loosely.ts';
import { isChoice } from './places.ts';
import { bareWord, isFiller } from './polite.ts';
import { recognize } from './recognize.ts';
import { hasNames, readsText } from './take.ts';
import { shorten, type Token } from './tokens.ts';
import { type RefusedLine, understand } from './understand.ts';

/** The command that a line names, or else means; or suggestions. */
export function findCommand<C extends CommandShape>(
  tokens: readonly Token[],
  commands: readonly C[],
  names: Names,
  reads: Reads<C>,
): Understood<C> | { readonly refusal: Refusal } {
  const help = helpAbout(tokens, commands);
  if (help !== undefined) return help;
  const typed = tokens.map(bareWord);
  const named = otherwise(pathOf(typed, commands), typed, commands);
  const length = phrasesAt(typed, commands)[0]?.typed.length ?? 0;
  const rest = tokens.slice(named?.words ?? 0);
  const isNamed = named !== undefined && length <= named.words;
  // A line that a command accepts unchanged means that command: buttons write such lines.
  const isRead = isNamed && !(reads(named.command, rest) instanceof Refusal);
  const others = isRead ? othersIn(named.command, rest, names, lexiconOf(commands)) : 0;
  const isOption = ({ text, isQuoted }: Token) => !isQuoted && text.startsWith('--');
  if (isNamed && (isRead ? others === 0 : rest.some(isOption))) return { command: named.command, rest };
  const isExact = isRead && others < fewestOthers;
  const unknown = isNamed ? undefined : unknownVerb(tokens, commands, names);
  const result = understand(tokens, commands, {
    ...{ names, reads },
    ...defined({ named: isNamed && others < fewestOthers ? named : undefined, noun: unknown && 1 }),
  });
  if (unknown !== undefined && !(result && 'command' in result)) return { refusal: unknown };
  if (isNamed && !(result && isBetter(result, named.command, isExact))) return { command: named.command, rest };
  return result ?? { refusal: notUnderstood(tokens, commands) };
}

/** Whether a line that begins with the name of a command means something else. */
function isBetter(
  result: Understood<CommandShape> | RefusedLine,
  { path, kind }: CommandShape,
  isExact: boolean,
): boolean {
  if ('refusal' in result) return !isExact || result.isSure === true;
  const { command, left } = result;
  if (command.path === path) return !isExact;
  return !isExact || (left === undefined && (kind !== 'query' || command.kind === 'query'));
}

export function namesCommand(tokens: readonly Token[], commands: readonly CommandShape[]): boolean {
  const typed = tokens.map(bareWord);
  const sense = phrasesAt(typed, commands)[0]?.sense;
  return pathOf(typed, commands) !== undefined || (sense && 'command' in sense && sense.command.kind) === 'action';
}

interface Named<C> {
  readonly command: C;
  /** How many words named it. */
  readonly words: number;
}

/** The names, verbs and questions with which the line begins, the longest first. */
function phrasesAt<C extends CommandShape>(typed: readonly string[], commands: readonly C[]): readonly Phrase<C>[] {
  return (lexiconOf(commands).byHead.get(typed[0] ?? '') ?? [])
    .filter((phrase) => phrase.typed.every((word, index) => word === typed[index]))
    .sort((a, b) => b.typed.length - a.typed.length);
}

/** The longest path with which the line begins. */
function pathOf<C extends CommandShape>(typed: readonly string[], commands: readonly C[]): Named<C> | undefined {
  return phrasesAt(typed, commands)
    .flatMap(({ sense, spelling, typed: { length: words } }) =>
      'command' in sense && sense.command.path === spelling ? { command: sense.command, words } : [],
    )
    .at(0);
}

/** The command that the name means before these words: `mute 22:00-07:00`. */
function otherwise<C extends CommandShape>(
  named: Named<C> | undefined,
  typed: readonly string[],
  commands: readonly C[],
): Named<C> | undefined {
  const other = named?.command.otherwise;
  if (named === undefined || !other?.before.test(typed.slice(named.words).join(' '))) return named;
  const command = commands.find(({ path }) => path === other.path);
  if (command === undefined) return named;
  // `mute alerts 22:00-07:00`
  const isNoun = typed[named.words] === command.path.split(' ')[0];
  return { command, words: named.words + (isNoun ? 1 : 0) };
}

/** As many words that are no names, times or politeness make a sentence. */
const fewestOthers = 3;

/**
 * Counts the words behind the name of a command that cannot be names, as in `stop the freeze`, `restart nginx on web-1`.
 * Where one word is a name, a few others may be names that do not exist.
 */
function othersIn(command: CommandShape, rest: readonly Token[], names: Names, lexicon: Lexicon<CommandShape>): number {
  const isChecked = command.kind === 'query' ? !readsText(command) : hasNames(command);
  if (!isChecked || rest.every(looksLikeName)) return 0;
  const choices = Object.values(command.args).filter((arg) => arg.place !== 'option' && isChoice(arg));
  const isName = (token: Token) =>
    looksLikeName(token) || names.has(bareLoosely(token.text)) || choices.some(({ fits }) => fits?.(token.text));
  const typed = cutReason(command, rest).rest;
  const others = typed.filter((token) => !isName(token) && !isFiller(token));
  const isNamed = typed.some(isName) && !others.some((token) => lexicon.wishes.has(bareWord(token)));
  if (!isNamed || others.length < fewestOthers) return isNamed ? 0 : others.length;
  const meant = recognize(typed, lexicon, names).filter(
    ({ isTime, isJoint, token }) => !isTime && !isJoint && others.includes(token),
  );
  return meant.length < fewestOthers ? 0 : meant.length;
}

const looksLikeName = ({ text, isQuoted }: Token) => isQuoted || /[\d.:=@#*<-]|^(?:all|everything)$/i.test(text);

/** `dns frobnicate` */
function unknownVerb([noun, verb]: readonly Token[], commands: readonly CommandShape[], names: Names) {
  const [first, second] = [bareWord(noun), bareWord(verb)];
  const lexicon = lexiconOf(commands);
  const isMeant = lexicon.words.has(stem(second, lexicon.words)) || mistyped(second, 1, lexicon) !== undefined;
  if (isMeant || fillers.has(second) || names.has(bareLoosely(second)) || !/^[a-z]+$/.test(second)) return undefined;
  return verbsOf(first, `\`${first} ${shorten(second)}\` is not a command.`, commands);
}

/** The words that come behind a noun. */
function verbsOf(noun: string, message: string, commands: readonly CommandShape[]): Refusal | undefined {
  const below = commands.flatMap(({ path }) => (path.startsWith(`${noun} `) ? path.slice(noun.length + 1) : []));
  if (below.length === 0) return undefined;
  return offeringHelp(message, `After \`${noun}\` comes one of: ${[...new Set(below)].join(', ')}.`, noun);
}

const helpWords: ReadonlySet<string> = new Set(['help', '--help', '-h', '?']);

/** `restart --help`, `dns help` */
function helpAbout<C extends CommandShape>(
  tokens: readonly Token[],
  commands: readonly C[],
): Understood<C> | undefined {
  const last = bareWord(tokens.at(-1));
  if (!helpWords.has(last)) return undefined;
  const help = commands.find(({ path, kind }) => path === 'help' && kind === 'query');
  if (help === undefined) return undefined;
  const topic = tokens.slice(0, -1);
  if (topic.length === 0) return { command: help, rest: [] };
  const phrase = topic.map(bareWord).join(' ');
  if (!commands.some(({ path }) => `${path} `.startsWith(`${phrase} `)) || phrase === 'help') return undefined;
  // `who can help` asks about that command, and `dns find help` searches for the word.
  const isWord = commands.some((command) => command.path === phrase && command.kind === 'query' && !hasNames(command));
  if (isWord && last === 'help') return undefined;
  return { command: help, rest: topic, isTaken: true };
}

function notUnderstood(tokens: readonly Token[], commands: readonly CommandShape[]): Refusal {
  const noun = bareWord(tokens[0]);
  const verbs = tokens.length > 1 ? undefined : verbsOf(noun, `\`${noun}\` needs another word.`, commands);
  const line = shorten(tokens.map(({ text }) => text).join(' '));
  return verbs ?? offeringHelp(`\`${line}\` was not understood.`, seeHelp);
}
