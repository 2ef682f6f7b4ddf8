import { ofDocs, phrasesIn } from './phrases.ts';

/** The sentences of the documentation as a reader meets them, and figures about them. */

export interface Figures {
  readonly lines: number;
  readonly sentences: number;
  readonly median: number;
  readonly mean: number;
  /** Of a hundred sentences. */
  readonly long: number;
  readonly passives: number;
}

export const longest = 25;

/** The paragraphs and list items of a page, without code, tables, headings and comments. */
export function paragraphsOf(page: string): string[] {
  const prose = page
    .replace(/^ *```[\s\S]*?^ *```$/gm, '\n')
    .replace(/<!--[\s\S]*?-->/g, '\n')
    .split('\n')
    .map((line) => (/^\s*(#|\||!\[|<|\*{3}|-{3})/.test(line) ? '' : line))
    .join('\n');
  return prose
    .split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.)\s)/)
    .map((text) => plain(text).trim())
    .filter((text) => /\p{L}/u.test(text));
}

/** Without marks of Markdown: a link is its words, code is one word. */
function plain(text: string): string {
  return text
    .replace(/^\s*(?:[-*]|\d+\.)\s+/, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/`[^`]+`/g, 'code')
    .replace(/\*\*|__|(?<!\w)[_*](?=\S)|(?<=\S)[_*](?!\w)/g, '')
    .replace(/\s+/g, ' ');
}

export function sentencesOf(page: string): string[] {
  return paragraphsOf(page)
    .flatMap((text) =>
      text.split(/(?<=[.?!][)"”]?)\s+(?=["“(]?[\p{Lu}\p{N}]|code\b|[\w-]+\.(?:ts|md|yml|yaml|json)\b)/u),
    )
    .filter((sentence) => /\p{L}/u.test(sentence));
}

export const wordsOf = (sentence: string) => sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

const irregular =
  'begun|bound|bought|brought|broken|built|caught|chosen|cut|done|drawn|driven|drunk|eaten|fed|felt|found|forgotten|given|gone|' +
  'grown|heard|held|hidden|kept|known|laid|led|left|lent|let|lost|made|meant|mended|met|misread|paid|put|read|run|said|seen|' +
  'sent|set|shown|shut|sold|spent|split|spoken|stood|struck|sworn|taken|taught|thought|thrown|told|understood|undone|' +
  'withdrawn|won|worn|written';
const passive = new RegExp(
  `\\b(?:is|are|was|were|be|been|being|am|gets|get|got)\\b(?:\\s+(?:not|never|also|only|always|then|now|still|already|again|first|just|often|all|both|each|\\w+ly))*\\s+(?:\\w{2,}ed|${irregular})\\b`,
  'giu',
);

export const passivesIn = (sentence: string) => [...sentence.matchAll(passive)].map(([words]) => words);

export function figuresOf(pages: readonly string[]): Figures {
  const sentences = pages.flatMap(sentencesOf);
  const lengths = sentences.map(wordsOf).sort((a, b) => a - b);
  const share = (count: number) => (sentences.length === 0 ? 0 : (100 * count) / sentences.length);
  return {
    lines: pages.reduce((sum, page) => sum + page.split('\n').length - 1, 0),
    sentences: sentences.length,
    median: lengths[Math.floor(lengths.length / 2)] ?? 0,
    mean: lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length),
    long: share(lengths.filter((length) => length > longest).length),
    passives: share(sentences.flatMap(passivesIn).length),
  };
}

/** The phrases of a page that must be read twice, each with its line; code is left out. */
export function matchesIn(page: string): string[] {
  const lines = page.replace(/^ *```[\s\S]*?^ *```$/gm, (block) => block.replace(/[^\n]/g, '')).split('\n');
  return lines.flatMap((line, index) =>
    phrasesIn(line, ofDocs).map(({ words, instead }) => `${index + 1}: "${words}": ${instead}`),
  );
}

/** The cells of tables that are more than a name or a number, each as a paragraph. */
export function cellsOf(page: string): string {
  const cells = page
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .flatMap((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()));
  return cells.filter((cell) => wordsOf(cell) > 3).join('\n\n');
}

export const widest = 300;

/** The cells of tables above the limit. */
export function wideCellsIn(page: string): string[] {
  return page
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .flatMap((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
    .filter((cell) => cell.length > widest && !/^-+$/.test(cell));
}
