import { spanOf, timeWords } from '../time/time-words.ts';
import type { ArgShape, CommandShape } from './command-shape.ts';
import { bareWord, isFiller } from './polite.ts';
import { hasNames } from './take.ts';
import type { Token } from './tokens.ts';

/** Finds words around names that must not be dropped as politeness or parsed as one more name. */

const unit =
  '(?:second|minute|min|hour|hr|day|night|morning|afternoon|evening|week|weekend|weekday|month|quarter|year)s?|noon|midnight|time';
/** `every 2 days`, `each morning`, `twice a day`, `all the time` */
const often = new RegExp(
  `^(?:(?:every|each) (?:\\w+ )?(?:${unit})|(?:once|twice|\\w+ times) (?:an?|per|every|each) (?:${unit})|all (?:the time|day|night))(?= |$)`,
);
/** `every` and a time of five words */
const mostWords = 6;
const adverbs = /^(?:hourly|daily|nightly|weekly|monthly|yearly|regularly|repeatedly|periodically)$/;

/** The words for a repetition in a line that changes something: `every day at 9am`, `all the time`, `daily`. */
export function repeatOf(command: CommandShape, words: readonly Token[]): readonly Token[] | undefined {
  if (command.kind !== 'action' || !hasNames(command)) return undefined;
  const texts = words.map(bareWord);
  // A server may be called `daily`, and so may a project: `restart daily`, `move web-1 daily`.
  const isAdverb = Object.values(command.args).some(isSeveralNames)
    ? (at: number) => at > 0 && saysHowOften(texts[at] ?? '')
    : () => false;
  for (let at = 0; at < words.length; at++) {
    const number = repeatWords(texts.slice(at, at + mostWords)) || (isAdverb(at) ? 1 : 0);
    if (number > 0) return words.slice(at, at + number + timeWords(texts.slice(at + number)));
  }
  return undefined;
}

/** True for an adverb of repetition. */
export function saysHowOften(word: string): boolean {
  return adverbs.test(word.toLowerCase());
}

/** The number of words at the start that express a repetition. */
function repeatWords(words: readonly string[]): number {
  const [phrase] = often.exec(words.join(' ')) ?? [];
  if (phrase !== undefined) return phrase.split(' ').length;
  const [first = '', second = ''] = words;
  if (first !== 'every' && first !== 'each') return 0;
  // `every 2h`, `every monday at 9`
  const time = spanOf(second) === undefined ? timeWords(words.slice(1)) : 1;
  return time === 0 ? 0 : 1 + time;
}

const prepositions: ReadonlySet<string> = new Set(['to', 'into', 'for', 'from']);

/** A preposition between two names of a command's last argument, with the words after it: `web-1 to web-3`. */
export function joinOf(
  command: CommandShape,
  words: readonly Token[],
  open: readonly string[],
): readonly Token[] | undefined {
  const many = open.findIndex((name) => isSeveralNames(command.args[name]));
  if (many < 0) return undefined;
  const isMeant = (token: Token) => !isFiller(token);
  const last = words.findLastIndex(isMeant);
  let before = 0;
  const at = words.findIndex((token, index) => {
    if (isMeant(token)) before += 1;
    return before > many && index <= last && prepositions.has(bareWord(token));
  });
  return at < 0 ? undefined : words.slice(at).filter((token, index) => index === 0 || isMeant(token));
}

function isSeveralNames(arg: ArgShape | undefined): boolean {
  return arg?.isName === true && arg.many === true && arg.place === 'rest';
}
