import { list } from '../text/words.ts';
import { Refusal } from '../view/errors.ts';

/** A question that offers the lines that may have been meant. */
export function didYouMean(lines: readonly string[]): string {
  const shown = lines.map((line) => `\`/host ${line}\``);
  return `Did you mean ${list(shown, 'or')}?`;
}

interface Guess {
  readonly path: string;
  readonly line: string;
}

/** Refuses a line and offers the lines that may have been meant as forms. `offered` lets the safe ones run. */
export function guessing(message: string, guesses: readonly Guess[], otherwise = seeHelp): Refusal {
  return new Refusal('not_understood', message, {
    hint: didYouMean(guesses.map(({ line }) => line)),
    otherwise,
    suggestions: guesses.map(({ path, line }) => ({ label: `${path}…`, command: line, isForm: true })),
  });
}

export const seeHelp = 'See `/host help` for what you can do here.';
