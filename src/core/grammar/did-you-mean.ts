import { list } from '../text/words.ts';
import { Refusal } from '../view/errors.ts';

/** A question that offers the lines that may have been meant. */
export function didYouMean(lines: readonly string[]): string {
  const shown = lines.map((line) => `\`/host ${line}\``);
  return `Did you mean ${list(shown, 'or')}?`;
}

/** Refuses a line, with a button for the help: all of it, or that about the words of a command. */
export function offeringHelp(text: string, hint: string, about = ''): Refusal {
  const suggestions = [{ label: 'Help', command: `help ${about}`.trim() }];
  return new Refusal('not_understood', text, { hint, suggestions });
}

export const seeHelp = 'See `/host help` for what you can do here.';
