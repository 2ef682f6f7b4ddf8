import { ofComments, phrasesIn } from './phrases.ts';

/** The comments of a source file: those on separate lines, which in this repository are nearly all. */

export interface Comment {
  /** The number of its first line. */
  readonly line: number;
  /** The lines, without the signs of a comment. */
  readonly texts: readonly string[];
}

export function commentsIn(source: string): Comment[] {
  const comments: { line: number; texts: string[] }[] = [];
  let kind: '//' | '*' | undefined;
  for (const [index, line] of source.split('\n').entries()) {
    const [, sign, text = ''] = /^\s*(\/\/|\/\*\*?|\*)\s*(.*?)\s*(?:\*\/)?$/.exec(line.replace(/\*\/\s*$/, '')) ?? [];
    const continues = sign !== undefined && sign === kind;
    const begins = sign === '//' || sign?.startsWith('/*') === true;
    if (continues) comments.at(-1)?.texts.push(text);
    else if (begins) comments.push({ line: index + 1, texts: [text] });
    if (!continues) kind = !begins ? undefined : sign === '//' ? '//' : '*';
    if (kind === '*' && line.trimEnd().endsWith('*/')) kind = undefined;
  }
  return comments;
}

/** Lists each hard phrase in the comments of a file with its plain form: `"whoever": the noun`. */
export function commentMatchesIn(source: string): { line: number; text: string }[] {
  return commentsIn(source).flatMap(({ line, texts }) => {
    const starts: number[] = [];
    const whole = texts.reduce((sum, text) => {
      const before = sum === '' ? '' : `${sum} `;
      starts.push(before.length);
      return before + text;
    }, '');
    return phrasesIn(whole, ofComments).map(({ at, words, instead }) => {
      const number = line + starts.findLastIndex((start) => start <= at);
      return { line: number, text: `"${words}": ${instead}` };
    });
  });
}
