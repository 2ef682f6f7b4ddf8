import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commentLinesOf, linesOf as countLines, inComments, inTestNames, inTexts, sources } from '../docs/code.ts';
import { commentMatchesIn, commentsIn } from '../docs/comments.ts';
import { declaredNamesIn } from '../docs/declared-names.ts';
import { ofComments, phrasesIn } from '../docs/phrases.ts';
import { testNamesIn } from '../docs/test-names.ts';
import { ownFiles } from '../support/process/own-files.ts';
import { british } from './spelling.ts';

const root = join(import.meta.dirname, '../..');
/** They name what they forbid. */
const own: ReadonlySet<string> = new Set([
  'test/house/style.test.ts',
  'test/house/spelling.ts',
  'test/docs/texts.test.ts',
  'test/docs/phrases.ts',
  'test/docs/prose.test.ts',
]);
const files = ownFiles().filter((file) => /\.(ts|js|css|md|yml|html)$/.test(file) && !own.has(file));
const isCode = (file: string) => /\.(ts|js)$/.test(file);
const isDoc = (file: string) => file.endsWith('.md') && file !== 'CHANGELOG.md' && file !== 'CONTRIBUTING.md';

interface Line {
  readonly text: string;
  /** The first line of its comment. */
  readonly isFirst: boolean;
}

/** The comment of each line that has one. */
function commentLines(lines: readonly string[]): ReadonlyMap<number, Line> {
  const comments = commentsIn(lines.join('\n')).flatMap(({ line, texts }) => {
    const first = texts.findIndex((text) => text !== '');
    return texts.map((text, at) => [line + at - 1, { text, isFirst: at === first }] as const);
  });
  return new Map(comments);
}

const contents = new Map(
  files.map((file) => {
    const lines = readFileSync(join(root, file), 'utf8').split('\n');
    return [file, { lines, comments: isCode(file) ? commentLines(lines) : new Map<number, Line>() }] as const;
  }),
);
const linesOf = (file: string) => contents.get(file)?.lines ?? [];

/** `src/a.ts:12: the line` for each line that breaks the rule. */
function broken(of: readonly string[], isBroken: (line: string, comment: Line | undefined) => boolean): string[] {
  return of.flatMap((file) => {
    const { lines, comments } = contents.get(file) ?? { lines: [], comments: new Map<number, Line>() };
    return lines.flatMap((line, index) =>
      isBroken(line, comments.get(index)) ? [`${file}:${index + 1}: ${line.trim().slice(0, 120)}`] : [],
    );
  });
}

const opener = /^(what|who|whoever|whose|whom|those|whatever|which|that|where|wherever|when|whenever)\b(?!')/i;

/** Names that others chose, and a spelling that people may type. */
const notOurs = /\.initialise\(|=== 'cancelled'/;

/** The part of the word list of CONTRIBUTING.md that has no other meaning. */
const phrases: readonly (readonly [RegExp, string])[] = [
  [/\b(tells?|told) of\b/i, 'notify, subscribe'],
  [/\bhow (it|they|things) stands?\b/i, 'state, status'],
  [/\b(write|writes|wrote|written) (it |this |that )?down\b/i, 'record, store'],
  [/\banswers? of the provider\b/i, 'response'],
  [/\bcosts? money\b/i, 'billed'],
];

test('comments begin with their subject or a verb', () => {
  expect(broken(files.filter(isCode), (_, comment) => comment?.isFirst === true && opener.test(comment.text))).toEqual(
    [],
  );
});

test('the spelling is American, in code, messages and docs', () => {
  const others = files.filter((file) => file !== 'CONTRIBUTING.md');
  expect(broken(others, (line) => british.test(line) && !notOurs.test(line))).toEqual([]);
});

test.each(phrases)('no comment or page contains %s: write %s', (phrase) => {
  expect(broken(files.filter(isCode), (_, comment) => comment !== undefined && phrase.test(comment.text))).toEqual([]);
  expect(broken(files.filter(isDoc), (line) => phrase.test(line))).toEqual([]);
});

/** Of a hundred lines of comments; `node test/docs/measure.ts --comments` lists all phrases. */
const mostInComments = 1;
const longestName = 120;

describe('phrases that must be read twice', () => {
  const all = sources();

  test(`are in at most ${mostInComments} of 100 lines of comments`, () => {
    const lines = all.reduce((sum, source) => sum + commentLinesOf(source), 0);
    const share = (100 * countLines(all.flatMap(inComments))) / lines;
    expect(lines).toBeGreaterThan(5_000);
    expect(share).toBeLessThanOrEqual(mostInComments);
  });

  test('are in no text that people see', () => {
    expect(inTexts()).toEqual([]);
  });

  test('are in no name of a test', () => {
    expect(all.flatMap(inTestNames)).toEqual([]);
  });

  test(`names of tests have at most ${longestName} characters`, () => {
    const names = all.filter(({ file }) => file.endsWith('.test.ts')).flatMap(({ source }) => testNamesIn(source));
    expect(names.length).toBeGreaterThan(2_000);
    expect(names.filter(({ text }) => text.length > longestName)).toEqual([]);
  });

  test.each(ofComments)('each rule finds a line that breaks it: %s, %s, "%s"', (phrase, instead, example) => {
    expect(phrasesIn(example, [[phrase, instead, example]])).not.toEqual([]);
  });

  test('that begin on one line of a comment and end on the next are found on the first', () => {
    const lines = ['/**', ' * Nothing is', ' * open any', ' * more.', ' */', '// It is open.', 'const it = 2', '* 3;'];
    expect(commentMatchesIn(lines.join('\n')).map(({ line }) => line)).toEqual([3, 6]);
  });
});

/** Names that fit everything: the thing has a better one, such as `server`, `record`, `match` or `previous`. */
const vague = new Set(['one', 'known', 'given', 'found', 'said', 'mine', 'wish', 'its']);
/** Verbs for everything: the domain has a better one, such as read, poll, request, claim or resume. */
const vagueVerbs = new Set(['take', 'look', 'goOn']);

const isProduct = (file: string) => /^(src|sandbox|proof)\/.*\.ts$/.test(file);

test('no variable, parameter or function of the product has a name that fits everything', () => {
  const declared = files
    .filter(isProduct)
    .flatMap((file) => declaredNamesIn(linesOf(file).join('\n')).map((name) => ({ file, ...name })));
  expect(declared.length).toBeGreaterThan(10_000);
  const isVague = ({ name }: { name: string }) => vague.has(name) || vagueVerbs.has(name);
  expect(declared.filter(isVague).map(({ file, line, name }) => `${file}:${line}: ${name}`)).toEqual([]);
});

test.each([
  ['const known = 1;', ['known']],
  ['const { a: found, b: { c: said = 1 }, ...its } = d; const [, mine] = e;', ['found', 'said', 'its', 'mine']],
  ['a.map((one) => one.known);', ['one']],
  ['for (const wish of all) wish();', ['wish']],
  ['type Read = (given: string) => void;', ['given']],
  ['const a = { take: () => 1, look() {}, known: 1 };', ['a', 'take', 'look']],
  ['interface Shelf { take(ask: string): void }', ['take', 'ask']],
  ['function goOn() {}', ['goOn']],
])('%s declares %j', (source, names) => {
  expect(declaredNamesIn(source).map(({ name }) => name)).toEqual(names);
});

test('a file that a comment names exists', () => {
  const names = new Set(files.map((file) => file.slice(file.lastIndexOf('/') + 1)));
  const isGone = (text: string) =>
    [...text.matchAll(/(?<![\w./*<…-])(?:[\w-]+\/)*([\w-]+(?:\.test)?\.ts)\b/g)].some(
      ([, name = '']) => !names.has(name),
    );
  expect(broken(files.filter(isCode), (_, comment) => comment !== undefined && isGone(comment.text))).toEqual([]);
});

/** They guess the running test, and the guess is wrong as soon as another test of the file has ended. */
const guesses = /\bexpect\.poll\(|^import .*\bonTest(Finished|Failed)\b.* from 'vitest'/;

test('a file with concurrent tests uses nothing that guesses the running test', () => {
  const concurrent = files.filter(
    (file) => file.endsWith('.test.ts') && linesOf(file).some((line) => line.includes('.concurrent')),
  );
  expect(concurrent.length).toBeGreaterThan(0);
  expect(broken(concurrent, (line) => guesses.test(line))).toEqual([]);
});

/** Less than ten seconds, which a busy machine can take: for a wait, for a test, or measured with a stopwatch. */
const shortLimits = [
  /\b(waitFor|eventually|until|poll|test)\b.*\b(timeout|timeoutMs|withinMs): (\d{1,3}|\d_\d{3})\b(?! \*|.*\brejects\b)/,
  /\.now\(\) - .*\.toBeLessThan(OrEqual)?\((\d{1,3}|\d_\d{3})\)/,
];

test('no test waits for less than ten seconds until it gives up', () => {
  const tests = files.filter((file) => /^test\/.*\.ts$/.test(file));
  expect(broken(tests, (line) => shortLimits.some((limit) => limit.test(line)))).toEqual([]);
});

test('each rule finds a line that breaks it', () => {
  expect(
    ["  await sim.waitFor('done', { timeoutMs: 2_000 });", '  expect(Date.now() - since).toBeLessThan(1_500);'].every(
      (line) => shortLimits.some((limit) => limit.test(line)),
    ),
  ).toBe(true);
  const lines = ['/**', ' * What it is.', ' */', 'x();', '  // Whose it is.', '  // when late.', '* 2'];
  const begins = ({ text, isFirst }: Line) => isFirst && opener.test(text);
  expect([...commentLines(lines)].flatMap(([index, line]) => (begins(line) ? [index] : []))).toEqual([1, 4]);
  expect(
    ['    await expect.poll(() => 1).toBe(1);', "import { expect, onTestFinished, test } from 'vitest';"].every(
      (line) => guesses.test(line),
    ),
  ).toBe(true);
  expect(['cancelled', 'Colour', 'it was organised', 'a grey box'].every((word) => british.test(word))).toBe(true);
  expect(
    ['canceled', 'cancellation', 'aria-labelledby', 'analysis', 'program'].some((word) => british.test(word)),
  ).toBe(false);
});
