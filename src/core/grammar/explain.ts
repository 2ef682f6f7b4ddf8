import { wordSet } from '../text/words.ts';
import type { CommandShape } from './command-shape.ts';
import { type Lexicon, light, type Part, type Phrase, type Sense } from './lexicon.ts';
import type { LineWord } from './recognize.ts';

/** Finds the phrases of commands in a line. */

export interface Sentence<C> {
  readonly words: readonly LineWord[];
  /** The position where the reason begins, or the number of words. */
  readonly end: number;
  readonly lexicon: Lexicon<C>;
  /** The line asks something or wants to see it. */
  readonly isAsking: boolean;
}

/** A phrase, and the positions of its words. */
export interface Matched<C> {
  readonly at: readonly number[];
  readonly phrase: Phrase<C>;
}

/** The longest phrase of each part, the positions of all words of phrases, and the words that a phrase adds. */
export type Explained<C> = Partial<Record<Part, Matched<C>>> & { readonly own: number[]; adds: string };

/** The most words that may stand between two words of a phrase. */
const mostBetween = 2;

/** The positions of a phrase that begins here. */
function positionsOf(words: readonly LineWord[], start: number, phrase: Phrase<unknown>) {
  const positions = [start];
  for (const word of phrase.words.slice(1)) {
    const from = (positions.at(-1) ?? start) + 1;
    const behind = words.slice(from, from + (phrase.part === 'thing' ? 1 : mostBetween + 1));
    const next = behind.findIndex(({ stem, base }) => stem === word || base === word);
    // `turn off web-1 on friday` turns nothing on.
    const isOther =
      phrase.part === 'verb' &&
      behind.slice(0, Math.max(0, next)).some(({ bare }) => /^(?:on|off|up|down)$/.test(bare));
    const isApart =
      phrase.isFixed && !behind.slice(0, Math.max(0, next)).every(({ bare, isName }) => isName || light.has(bare));
    if (next < 0 || isOther || isApart) return undefined;
    positions.push(from + next);
  }
  return positions;
}

/** A word such as `no` alone means something at the beginning, or in a line of a few words. */
const mostAround = 3;
/** Words of a phrase that may also stand before an argument. */
const isPreposition = /^(?:to|from|for|by|until)$/;

export function explain<C>({ words, end, lexicon }: Sentence<C>): Map<Sense<C>, Explained<C>> {
  const all = new Map<Sense<C>, Explained<C>>();
  for (const [at, word] of words.slice(0, end).entries())
    for (const phrase of new Set([word.stem, word.base].flatMap((each) => lexicon.byFirst.get(each) ?? []))) {
      const positions = positionsOf(words, at, phrase);
      const isLost = phrase.isFixed && phrase.words.length === 1 && at > 0 && words.length > mostAround;
      if (positions === undefined || isLost) continue;
      const explained = all.get(phrase.sense) ?? { own: [], adds: '' };
      if (phrase.adds !== undefined) explained.adds = phrase.adds;
      if (positions.length > (explained[phrase.part]?.at.length ?? 0))
        explained[phrase.part] = { at: positions, phrase };
      explained.own.push(...positions.filter((each) => !isPreposition.test(words[each]?.bare ?? '')));
      all.set(phrase.sense, explained);
    }
  return all;
}

/** Words that begin a reason behind a change and a name. */
const causes = wordSet("its it's since cos coz cuz bc");

/** The position where the reason begins, or the number of words. */
export function endOf(words: readonly LineWord[], { changes }: Lexicon<CommandShape>): number {
  const at = words.findIndex(({ bare }, index) => {
    const before = causes.has(bare) ? words.slice(0, index) : [];
    return bare === 'because' || (before.some(({ isName }) => isName) && before.some(({ base }) => changes.has(base)));
  });
  return at < 0 ? words.length : at;
}

/** More for a phrase with which the line begins. */
export const headOf = (at: readonly number[]) => (at[0] === 0 && (at.at(-1) ?? 0) <= at.length ? 1.5 : 0);
