import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { cellsOf, figuresOf, matchesIn, passivesIn, sentencesOf, wideCellsIn, wordsOf } from './prose.ts';

// `node test/docs/measure.ts --show` prints the figures and the sentences behind them.

const pages = ['README.md', ...globSync('docs/*.md').sort()];
const read = (page: string) => readFileSync(page, 'utf8');

test.each([
  ['sentences', (page: string) => read(page), 15],
  ['cells of tables', (page: string) => cellsOf(read(page)), Number.POSITIVE_INFINITY],
] as const)('the %s of the documentation are short and active', (_, textOf, mostMedian) => {
  const { median, long, passives, sentences } = figuresOf(pages.map(textOf));
  expect(sentences).toBeGreaterThan(500);
  expect(median).toBeLessThanOrEqual(mostMedian);
  expect(long).toBeLessThanOrEqual(10);
  expect(passives).toBeLessThanOrEqual(20);
});

const everything = [...pages, 'CONTRIBUTING.md', 'CHANGELOG.md', 'proof/README.md', ...globSync('test/**/README.md')];

/** The list of words to avoid. */
const isWordList = (line: string) => line.startsWith('| continue ');

test.each(everything)('%s has no phrase that must be read twice, and no cell above 300 characters', (page) => {
  expect(wideCellsIn(read(page))).toEqual([]);
  const lines = read(page).split('\n');
  expect(matchesIn(lines.map((line) => (isWordList(line) ? '' : line)).join('\n'))).toEqual([]);
});

test('in README.md "What it does not do" comes before "Promises"', () => {
  const readme = read('README.md');
  expect(readme.indexOf('## What it does not do')).toBeGreaterThan(0);
  expect(readme.indexOf('## What it does not do')).toBeLessThan(readme.indexOf('## Promises'));
});

test('CHANGELOG.md has at most 40 lines for 0.1.0', () => {
  const [, first = ''] = read('CHANGELOG.md').split(/^## /m);
  expect(first.split('\n').length).toBeLessThanOrEqual(40);
});

test('no paragraph of docs/permissions.md has more than 80 words', () => {
  const blocks = read('docs/permissions.md').split(/\n\s*\n|\n(?=- )/);
  expect(blocks.filter((block) => !/^[|#`<]/.test(block) && wordsOf(block) > 80)).toEqual([]);
});

test('docs/index.md explains ten words', () => {
  const [, glossary = ''] = read('docs/index.md').split('## Ten words');
  const words = [...glossary.matchAll(/^\| ([a-z]+) +\|/gm)].map(([, word]) => word);
  const ten = ['request', 'operation', 'step', 'turn', 'rule', 'grant', 'capability', 'risk', 'policy', 'freeze'];
  expect(words).toEqual(ten);
});

/** Other senses of the ten words, which the documentation has other words for. */
const otherSenses: readonly (readonly [RegExp, string])[] = [
  [/\boperations? (?:of|in) (?:the|its) (?:API|provider)|\bAPI operations?\b|^## Operations$/m, 'endpoint'],
  [/\bsteps? (?:by hand|\d)|\b(?:these|four|next) steps?\b|\*\*step\*\*/i, 'action, number'],
  [
    /\bturns? of the event loop\b|\bin turn\b|\bturns? (?:it|them|these|\w+ messages) (?:into|off|on)\b/i,
    'pass, switch',
  ],
  [/\b(?:Slack|other|some) rules?\b|\brules? of (?:the code|Slack)\b/i, 'check, alert rule'],
  [/\bgranted (?:by|to) Slack\b|\bfreezes? up\b|\bat (?:your|own) risk\b/i, 'scope, hang'],
];

test.each(otherSenses)('no page uses a word of the glossary as %s: write %s', (sense) => {
  expect(pages.filter((page) => sense.test(read(page).replaceAll(/alert rules?/gi, 'alert')))).toEqual([]);
});

describe('the measure', () => {
  test('a sentence ends at a full stop, an item of a list or a paragraph, and code is one word', () => {
    const page =
      '# Title\n\nOne `a b c` two. Three\nfour?\n\n- Five [six](x.md)\n- seven\n\n| a | b |\n\n```sh\nx\n```\n';
    expect(sentencesOf(page)).toEqual(['One code two.', 'Three four?', 'Five six', 'seven']);
    expect(sentencesOf(page).map(wordsOf)).toEqual([3, 2, 2, 1]);
  });

  test.each([
    ['The card is not shown.', 1],
    ['It was written and had been read.', 2],
    ['The bot shows the card.', 0],
    ['Rights are automatically granted.', 1],
  ])('passives in "%s": %i', (sentence, count) => expect(passivesIn(sentence)).toHaveLength(count));

  test('a page has a phrase that must be read twice', () => {
    expect(matchesIn('# Title\n\nThe bot\nnotifies whoever asked.')).toEqual([
      '4: "whoever": the noun: the requester, any target',
    ]);
  });

  test.each([
    'The bot does this as long as the job runs.',
    'Type what to do.',
    'Run it with `whoever`.',
    'A day has as many hours as before.',
    'The card is shown as it was drawn.',
    'A label says "Who may do what".',
  ])('the phrases leave "%s"', (line) => expect(matchesIn(line)).toEqual([]));
});
