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

/** Turns of phrase that a reader has to read twice, each with the plain way. */
export const patterns: readonly (readonly [RegExp, instead: string])[] = [
  [/\b(?:whoever|whatever|whomever|whichever|whosever)\b/i, 'the noun: the requester, any target'],
  [/\b(?:for|of|to|with|from|by|on|beside|and|or) (?:what|who) (?!to\b)/i, 'the noun: open requests, the requester'],
  [/(?:^|[.;:|] )(?:What|Who|Whose|Those who) (?![^.|]*\?)/, 'the noun: open requests, approvers'],
  [/\b(?:shows|lists|sees|reads|names|says|knows) (?:what|who) (?!to\b)/i, 'the noun'],
  [
    /\b(?:so|as) (?:long|many|much|often)\b(?!\s+(?:as|that)\b)(?! (?:\w+ )?(?:as|that)\b)/i,
    'the thing itself: the lease time, the limit',
  ],
  [/\b(?:is|are|was|were|be|been) (?:told|begun|taken for|asked for)\b/i, 'subject and verb: the bot notifies'],
  [/\bnobody who\b|\bno one who\b/i, 'no person'],
  [/\b(?:is|are|was|were) none\b/i, 'is missing, no …'],
  [/\bof (?:its|their|his|her|one's) own\b/i, 'own, separate'],
  [/\bas it (?:is|was|stands|were)\b|\bas they (?:are|were|stand)\b/i, 'unchanged'],
  [/\b(?:any more|no more\b(?! than)|any longer)\b/i, 'present tense: the opposite'],
  [/\bstands? (?:beside|in|on|behind|at|there|still)\b|\bstood (?:beside|in)\b/i, 'is in, follows'],
  [/\b(?:lets? go|let go|goes on|go on|going on|went on)\b/i, 'release, continue'],
  [/\blook(?:s|ed|ing)? (?:at|after|for|into|over)\b/i, 'read, check, watch'],
  [/\bbefore, (?:it|the|each|a|they|one)\b|(?:^|[.] )Before(?:,| it| this) /i, 'the present'],
  [/\b(?:used to|until then|at first|formerly|previously)\b/i, 'the present'],
  [/\b20\d\d-\d\d-\d\d\b(?!T)/, 'no date of a finding'],
  [/\b(?:is|are) to be\b|\bthere is (?:nothing|nobody)\b|\bthere are none\b/i, 'subject and verb'],
];

/** The lines of a page that match a pattern; code is left out. */
export function matchesIn(page: string): string[] {
  const lines = page.replace(/^ *```[\s\S]*?^ *```$/gm, (block) => block.replace(/[^\n]/g, '')).split('\n');
  return lines.flatMap((line, index) => {
    const text = line.replace(/`[^`]+`/g, 'code');
    return patterns.flatMap(([pattern, instead]) => {
      const [found] = pattern.exec(text) ?? [];
      return found === undefined ? [] : [`${index + 1}: "${found.trim()}": ${instead}`];
    });
  });
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
