import { shorten } from '../grammar/tokens.ts';
import { Refusal } from '../view/errors.ts';

/** `-web-3` and `!web-3` name what is not meant. */
export function leavesOut(word: string): boolean {
  return /^[-−!^~]/.test(word.trim());
}

const exceptions: ReadonlySet<string> = new Set([
  ...['except', 'excepting', 'excluding', 'exclude', 'but', 'without', 'not', 'minus', 'besides', 'apart', 'aside'],
  ...['than', 'unless'],
]);

/** Whether a word between names says that what follows is not meant. */
export function isException(word: string): boolean {
  return exceptions.has(word.toLowerCase()) || leavesOut(word);
}

export function noExceptions(word: string, noun: string): Refusal {
  return new Refusal('bad_value', `Exceptions cannot be typed, so \`${shorten(word)}\` does not fit.`, {
    hint: `Name each ${noun} that is meant.`,
  });
}
