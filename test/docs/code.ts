import { readFileSync } from 'node:fs';
import { ownFiles } from '../support/process/own-files.ts';
import { commentMatchesIn, commentsIn } from './comments.ts';
import { ofTestNames, ofTexts, phrasesIn } from './phrases.ts';
import { testNamesIn } from './test-names.ts';
import { textsByFile } from './texts.ts';

/** Phrases that must be read twice, in the words of the code. */

export interface Found {
  readonly file: string;
  readonly line?: number;
  readonly text: string;
}

interface Source {
  readonly file: string;
  readonly source: string;
}

/** Files that name the phrases. */
const own = /^test\/(?:house\/style\.test|docs\/(?:phrases|prose\.test|texts\.test))\.ts$/;

export function sources(): Source[] {
  return ownFiles()
    .filter((file) => /\.(?:ts|js|css)$/.test(file) && !own.test(file))
    .map((file) => ({ file, source: readFileSync(file, 'utf8') }));
}

export const commentLinesOf = ({ source }: Source) => commentsIn(source).flatMap(({ texts }) => texts).length;

export const inComments = ({ file, source }: Source): Found[] =>
  commentMatchesIn(source).map((match) => ({ file, ...match }));

export function inTestNames({ file, source }: Source): Found[] {
  if (!/^(?:test|proof)\/.*\.ts$/.test(file)) return [];
  return testNamesIn(source).flatMap(({ line, text }) => {
    const found = phrasesIn(text, ofTestNames);
    return found.map(({ words, instead }) => ({ file, line, text: `"${words}": ${instead}: ${text}` }));
  });
}

export function inTexts(): Found[] {
  return [...textsByFile()].flatMap(([file, texts]) =>
    texts.flatMap((text) =>
      phrasesIn(text, ofTexts).map(({ words, instead }) => ({ file, text: `"${words}": ${instead}: ${text}` })),
    ),
  );
}

export const linesOf = (found: readonly Found[]) => new Set(found.map(({ file, line }) => `${file}:${line}`)).size;
