import { withoutEnd } from '../text/without-end.ts';
import { wordSet } from '../text/words.ts';
import { openings } from './phrases.ts';
import type { Token } from './tokens.ts';

/** Fillers around a name: `the server web-1 now, please`. In quotes, they are ordinary words. */
const fillers = wordSet(
  'please pls plz kindly thanks thank you thx now immediately quickly asap again last past right the my our',
  'me of for from to into this server servers vps machine host domain zone project order',
);

/** Drops the polite beginning of a line. */
export function withoutOpening(tokens: readonly Token[]): readonly Token[] {
  const count = longestOpening(tokens.map(bareWord), openings);
  return count === 0 ? tokens : withoutOpening(tokens.slice(count));
}

const smallTalk =
  /^(?:very much|so much|sorry|how are you|are you (?:an? |real|there|ok)|good (?:night|bye)|bye|nice|great|cool|well done|kk?|lol|wow)(?: |$)/;

/** Whether nothing is asked of the bot, as in `sorry, wrong channel`. */
export function isSmallTalk(tokens: readonly Token[]): boolean {
  return smallTalk.test(tokens.map(bareWord).join(' '));
}

/** The length in words of the longest phrase at the start. */
export function longestOpening(words: readonly string[], phrases: readonly (readonly string[])[]): number {
  const matches = phrases.filter((phrase) => phrase.every((word, index) => words[index] === word));
  return Math.max(0, ...matches.map(({ length }) => length));
}

export function isFiller(token: Token): boolean {
  return !token.isQuoted && (fillers.has(bareWord(token)) || /^[?!.,]+$/.test(token.text));
}

/** The word in lower case without trailing punctuation; quoted text is never a polite word. */
export function bareWord({ text, isQuoted }: Token): string {
  if (isQuoted) return '\0';
  const word = text.toLowerCase().replaceAll('’', "'");
  return withoutEnd(word, '?!.,:;') || word;
}
