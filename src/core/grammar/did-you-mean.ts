import { list } from '../text/words.ts';

/** The lines that may have been meant, as a question. */
export function didYouMean(lines: readonly string[]): string {
  const shown = lines.map((line) => `\`/host ${line}\``);
  return `Did you mean ${list(shown, 'or')}?`;
}
