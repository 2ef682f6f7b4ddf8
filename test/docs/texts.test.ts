import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadCommands } from '../../src/commands/load-commands.ts';
import { british } from '../house/spelling.ts';
import { isSentence, saidIn, saidTexts, sentenceKinds } from './sentences.ts';
import { sourceFolders, textsByFile, textsIn } from './texts.ts';

// The words that people read.

const forbidden: readonly (readonly [RegExp, instead: string, example: string])[] = [
  [/(?<![\w'/.])I(?:'m|'ve|'ll)?\s+(?!O\b)[a-z]/, 'the bot, or nothing', 'I do not know this.'],
  [/\bmy (?:database|side|log)\b/i, "the bot's", 'my database is away'],
  [/\bI was away\b|\bwhile I\b/i, 'offline', 'while I was away'],
  [/\btold of\b/i, 'notify, subscribe', 'This is told of nothing.'],
  [/\bhow (?:it|they|things) stands?\b/i, 'state, status', 'how it stands'],
  [/\bcosts? money\b|\bcosting money\b/i, 'billed', 'it goes on costing money'],
  [/\bwritten down\b|\bwrite (?:it |this )?down\b/i, 'record', 'It was written down.'],
  [/\b(?:was|were|is|been) (?:not )?taken\b|\bdid not take\b/i, 'apply, accept, store', 'It was not taken.'],
  [
    /\b(?:bot|database|Slack|provider|server|I) (?:is|are|was|were) away\b/i,
    'offline, unavailable',
    'The provider is away.',
  ],
  [/\bsent again\b/i, 'retried', 'It was not sent again.'],
  // Only a maintenance window has the name, and the option that chooses one.
  [/(?<!maintenance |`)\bwindows?\b/i, 'dialog', 'This opens a window.'],
  [
    /\banswers? (?:of|from) the provider\b|\bprovider['’]s answers?\b|\bthe answer was\b/i,
    'response',
    'The answer of the provider is missing.',
  ],
  [/\b(?:our|ours|we|us)\b/i, 'the bot, or the account', 'This is one of ours.'],
  [/\bplease\b/i, 'nothing: say what to do', 'Please wait.'],
  [british, 'American spelling', 'It was cancelled.'],
];

/** Sentences that newcomers stumbled over: each has a plainer one, and none comes back. */
const gone: readonly RegExp[] = [
  /\b(?:Disruptive|Dangerous|Destructive|Routine) here:/,
  /here: one (?:confirmation|approval)/,
  /the name typed by/,
  /\bwent off\b/,
  /^was: /,
  /→ (?:on|off) · seen|^power … → …/,
  /not requested here/,
  /\bleads? (?:here|to (?!the provider's API))|\bwhere they lead\b/,
  /\bis on it since\b/,
  /This is waiting already: .*asked by/,
  /Nothing new was requested/,
  /\bwas read as\b/,
  /\bgoes with: /,
  /^Not expected after/,
  /has to be typed in full/,
  /The approvers are mentioned/,
  /^Changed by$/,
  /\bmay read, billing\b/,
  /Its (?:card|link)(?: is in|: )/,
  /\. Checked: /,
  /^Done: .*\. Checked/,
  /the subscription is saved\. Checked/,
  /The file of this answer/,
  /as the provider measures it/,
  /handed over to be canceled/,
  /has announced canceling now/,
  /lists those that are there/,
  /this needs the right /,
  / → none\b.*ttl/,
  /^That would be /,
  /may not see anything in your channels/,
  /account run low, then have/,
  /the help of the support/,
  /and here are \d|, and here (?:is|are) |^A value of type /,
  /stays on an alert for/,
  /is subscribed to \d|subscribed to … things/,
];

/** The names that people type, in their own words; a spelling of the provider; a request to the provider's support; a button in the words of the person who clicks it. */
const typed: ReadonlySet<string> = new Set(
  "we need|we want|we need to|we want to|can we|let us|please|please to|cancelled|I'm on it".split('|'),
);

/** The words by which people mean a command. */
const words = new Set((await loadCommands()).map((command) => command.words));

const all = () =>
  [...textsByFile()]
    .flatMap(([file, texts]) => texts.map((text) => ({ file, text })))
    .filter(({ file, text }) => !/^src.core.grammar.polite\.ts$/.test(file) && !typed.has(text) && !words.has(text));

test.each(forbidden)('no text contains %s, write: %s', (pattern) => {
  expect(all().filter(({ text }) => pattern.test(text))).toEqual([]);
});

test('no sentence that newcomers stumbled over comes back', () => {
  const texts = all();
  expect(texts.length).toBeGreaterThan(1_000);
  for (const pattern of gone)
    expect(
      texts.filter(({ text }) => pattern.test(text)),
      String(pattern),
    ).toEqual([]);
});

test('each rule finds a text that breaks it, and texts are found in all their forms', () => {
  for (const [pattern, , example] of forbidden) expect(example).toMatch(pattern);
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
