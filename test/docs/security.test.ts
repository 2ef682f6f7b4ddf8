import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { settings } from '../../src/settings.ts';

// The answers of docs/security.md for people in a hurry.

const page = readFileSync('docs/security.md', 'utf8');
const rowsOf = (text: string) => text.split('\n').filter((line) => line.startsWith('|'));
const [, first = ''] = page.split('\n## ');
const leaks = rowsOf(first).slice(2);
const rowOf = (start: string) => leaks.find((row) => row.startsWith(`| ${start}`)) ?? '';

test('docs/security.md begins with the table of leaks, which has a row for each secret', () => {
  expect(first).toMatch(/^What a leaked secret opens\n\n\| Secret +\| Opens +\|/);
  const secrets = Object.entries(settings).filter(([name, { isSecret }]) => isSecret && !name.endsWith('_PREVIOUS'));
  expect(secrets.length).toBeGreaterThan(4);
  for (const [name] of secrets) expect(leaks.join('\n'), name).toContain(`\`${name}\``);
});

test.each([
  [
    'who has the signing secret decides and reads',
    '`SLACK_SIGNING_SECRET`',
    /as any person, approvals included, and every answer/,
  ],
  [
    'who may write to the database can vote',
    'The database (`DATABASE_URL`), to write',
    /\bvotes as anybody, which the bot then runs/,
  ],
  ['who may read the database finds no token', 'The database (`DATABASE_URL`), to read', /but no token or password/],
  ['the audit channel can be imitated', 'The right to post in the audit channel', /A false end of the audit/],
  ['who edits user groups makes approvers', 'The right to edit user groups', /may do and approve/],
])('the table of leaks says that %s', (_, start, words) => {
  expect(rowOf(start)).toMatch(words);
});

test('no table of docs/security.md and docs/attacks.md names a file of the tests', () => {
  const rows = [page, readFileSync('docs/attacks.md', 'utf8')].flatMap(rowsOf);
  expect(rows.length).toBeGreaterThan(40);
  expect(rows.filter((row) => /\btest\/|\.test\.ts/.test(row))).toEqual([]);
});
