import { list } from '../text/words.ts';

/** A question that offers the lines that may have been meant. */
export function didYouMean(lines: readonly string[]): string {
  const shown = lines.map((line) => `\`/host ${line}\``);
  return `Did you mean ${list(shown, 'or')}?`;
}

export const seeHelp = 'See `/host help` for what you can do here.';
