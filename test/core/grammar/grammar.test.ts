import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import type { Account } from '../../../src/core/account/account.ts';
import { said, seedAccount } from './said.ts';

// Lines as people type them: grammar.txt has each line and, below it, its command, or the question that the bot asks.

let account: Account;
beforeAll(async () => {
  account = await seedAccount();
});

const rows = readFileSync(new URL('grammar.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .reduce<[string, string][]>((all, line) => {
    const last = all.at(-1);
    if (!line.startsWith('  ')) all.push([line, '']);
    else if (last !== undefined) last[1] = line.trim();
    return all;
  }, []);

test('grammar.txt has more than 180 lines', () => expect(rows.length).toBeGreaterThan(180));

test.each(rows)('the careless line "%s" means what is expected', (typed, meant) =>
  expect(said(typed, account)).toBe(meant),
);

test('a text of more than 120 words is not read as a sentence', () => {
  const sentence = (words: number) => said(`whats broken ${'the '.repeat(words - 2)}`, account);
  expect(sentence(120)).toMatch(/^status \| Took/);
  expect(sentence(121)).toContain('was not understood');
});

test('no answer quotes a name that the person may not read, for any typed line', () => {
  const blind = said('status www.example.com', account, ({ kind }) => kind !== 'domain');
  expect(blind).toBe('✗ There is no server called www.example.com. See /host list for the names and ids.');
  expect(said('restart all', account, ({ name }) => name === 'web-1')).toContain('That is 1 server.');
});
