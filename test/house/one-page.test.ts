import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { textsByFile } from '../docs/texts.ts';
import { ownFiles } from '../support/process/own-files.ts';

// Each of these subjects has one file, which its name says.

const sourceFiles = ownFiles().filter((file) => /^src\/.*\.ts$/.test(file));

const filesWithText = (pattern: RegExp) =>
  [...textsByFile()].flatMap(([file, texts]) => (texts.some((text) => pattern.test(text)) ? [file] : []));

const filesWith = (folder: string, pattern: RegExp) =>
  sourceFiles.filter((file) => file.startsWith(folder) && pattern.test(readFileSync(file, 'utf8')));

test.each([
  /[`']Not run:/,
  /[`'](Expired:|Declined by|Withdrawn|Called off by|Replaced by)/,
  /\bended in error\.[$`']/,
  /^[^*/\n]*\bresponse was lost\b/m,
])('sentences about the end of a request are in src/engine/operation/ends.ts: %s', (sentence) => {
  expect(filesWith('src/engine/', sentence)).toEqual(['src/engine/operation/ends.ts']);
});

/** Times of caches and of readings, which no person waits for. */
const unnoticed = [
  'alert-view.ts',
  'home-reads.ts',
  'last-powers.ts',
  'sweep.ts',
  'zone-history.ts',
  'zone-recorder.ts',
];

test('time limits of the engine that people notice are in src/engine/context/time-limits.ts', () => {
  const limits = filesWith('src/engine/', /^(export )?const \w+Ms = (\d+ \* )?(minute|hour|day);/m);
  expect(limits.map((file) => basename(file)).filter((name) => !unnoticed.includes(name))).toEqual(['time-limits.ts']);
});

test('the statuses that the provider client retries are in src/provider/retry.ts', () => {
  expect(filesWith('src/provider/', /\b429\b.*\b503\b|\bmaxTries = /)).toEqual(['src/provider/retry.ts']);
});

test('sentences about a missing right are in src/core/policy/refusal-words.ts', () => {
  expect(filesWithText(/\bmay not use Hostler$|^you need “|^this channel has no policy\b/)).toEqual([
    'src/core/policy/refusal-words.ts',
  ]);
});

test('no two files of src are called suggest.ts, words.ts or bot-context.ts', () => {
  const names = sourceFiles.map((file) => basename(file));
  for (const name of ['suggest.ts', 'words.ts', 'bot-context.ts'])
    expect(names.filter((other) => other === name).length, name).toBeLessThanOrEqual(1);
});
