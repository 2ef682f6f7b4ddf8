import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadCommands } from '../../src/commands/all.ts';
import { british } from '../house/spelling.ts';
import { isSentence, saidIn, saidTexts, sentenceKinds } from './sentences.ts';
import { sourceFolders, textsByFile, textsIn } from './texts.ts';

// The words that people read.

const forbidden: readonly (readonly [RegExp, instead: string])[] = [
  [/(?<![\w'/.])I(?:'m|'ve|'ll)?\s+(?!O\b)[a-z]/, 'the bot, or nothing'],
  [/\bmy (?:database|side|log)\b/i, "the bot's"],
  [/\bI was away\b|\bwhile I\b/i, 'offline'],
  [/\btold of\b/i, 'notify, subscribe'],
  [/\bhow (?:it|they|things) stands?\b/i, 'state, status'],
  [/\bcosts? money\b|\bcosting money\b/i, 'billed'],
  [/\bwritten down\b|\bwrite (?:it |this )?down\b/i, 'record'],
  [/\b(?:was|were|is|been) (?:not )?taken\b|\bdid not take\b/i, 'apply, accept, store'],
  [/\blook(?:ing|ed)? (?:at|into|for)\b/i, 'show, read, check, find'],
  [/\b(?:bot|database|Slack|provider|server|I) (?:is|are|was|were) away\b/i, 'offline, unavailable'],
  [/\bsent again\b/i, 'retried'],
  [/\bgo(?:es)? on\b/i, 'continue'],
  // Only a maintenance window has the name, and the option that chooses one.
  [/(?<!maintenance |`)\bwindows?\b/i, 'dialog'],
  [/\banswers? (?:of|from) the provider\b|\bprovider['’]s answers?\b|\bthe answer was\b/i, 'response'],
  [/\b(?:our|ours|we|us)\b/i, 'the bot, or the account'],
  [/\bplease\b/i, 'nothing: say what to do'],
  [british, 'American spelling'],
];

/** The names that people type, in their own words; a spelling of the provider; a request to the provider's support; a button in the words of the person who clicks it. */
const typed: ReadonlySet<string> = new Set([
  'we need',
  'we want',
  'we need to',
  'we want to',
  'can we',
  'let us',
  'please',
  'please to',
  'cancelled',
  "I'm on it",
]);

const all = () =>
  [...textsByFile()]
    .flatMap(([file, texts]) => texts.map((text) => ({ file, text })))
    .filter(({ file, text }) => file !== 'src/core/grammar/phrases.ts' && !typed.has(text));

test.each(forbidden)('no text contains %s, write: %s', (pattern) => {
  expect(all().filter(({ text }) => pattern.test(text))).toEqual([]);
});

test('each rule finds a text that breaks it, and texts are found in all their forms', () => {
  const said = [
    'I do not know this.',
    'my database is away',
    'while I was away',
    'This is told of nothing.',
    'how it stands',
    'it goes on costing money',
    'It was written down.',
    'It was not taken.',
    'Look at it.',
    'The provider is away.',
    'It was not sent again.',
    'It goes on.',
    'This opens a window.',
    'The answer of the provider is missing.',
    'This is one of ours.',
    'Please wait.',
    'It was cancelled.',
  ];
  expect(said).toHaveLength(forbidden.length);
  for (const [at, [pattern]] of forbidden.entries()) expect(said[at]).toMatch(pattern);
  expect(textsIn("const sql = 'delete from operations where id'; const summary = 'Delete a project';")).toEqual([
    'Delete a project',
  ]);
  expect(
    textsIn(
      `log.warn({}, 'not for people'); notice('info', \`Nothing of \${name} was changed.\`); const key = 'web-1';`,
    ),
  ).toEqual(['Nothing of … was changed.']);
});

test.each(sentenceKinds)('every text of the kind %s is a sentence', (kind) => {
  const all = saidTexts().filter((said) => said.kind === kind);
  expect(all.length).toBeGreaterThan(10);
  expect(all.filter(({ text }) => !isSentence(text))).toEqual([]);
});

test('the rule about sentences finds a text that breaks it', () => {
  const found = saidIn(`new Refusal('bad_value', isA ? 'no capital.' : \`\${name} is gone\`, { hint: 'Try again.' });`);
  expect(found.map(({ kind, text }) => [kind, isSentence(text)])).toEqual([
    ['refusal', false],
    ['refusal', false],
    ['hint', true],
  ]);
});

test('signs come only from the table of signs', () => {
  const signs = /[▲✓✔✕✖●○◐🟢🔴🟡🟠⚪⏳✅⚠❌📌]/u;
  const isComment = (line: string) => /^\s*(?:\/\/|\/?\*)/.test(line);
  const others = globSync(sourceFolders)
    .filter((file) => file !== 'src/core/view/signs.ts' && !file.startsWith('src/cli/'))
    .flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => signs.test(line) && !isComment(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
  // Signs of earlier versions, on cards that are still open.
  expect(others.filter((line) => !line.includes('●○?'))).toEqual([]);
  expect(signs.test("text: '🔴 off'")).toBe(true);
});

test('every command has a title that Slack shows in full', async () => {
  const commands = await loadCommands();
  expect(commands.filter(({ title }) => title.length > 24 || !/^\p{Lu}/u.test(title)).map(({ path }) => path)).toEqual(
    [],
  );
});
