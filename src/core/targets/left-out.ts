import { shorten } from '../grammar/tokens.ts';
import { wordSet } from '../text/words.ts';
import { Refusal } from '../view/errors.ts';

/** True for a word that excludes a name: `-web-3`, `!web-3`. */
export function leavesOut(word: string): boolean {
  return /^[-−!^~]/.test(word.trim());
}

const exceptions = wordSet('except excepting excluding exclude but without not minus besides apart aside than unless');

/** True for a word between names that excludes the names after it. */
export function isException(word: string): boolean {
  return exceptions.has(word.toLowerCase()) || leavesOut(word);
}

export function noExceptions(word: string, noun: string): Refusal {
  return new Refusal('bad_value', `Exceptions cannot be typed, so \`${shorten(word)}\` does not fit.`, {
    hint: `Name each ${noun} that is meant.`,
  });
}
