import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sample, seed } from '../../support/suite/seed.ts';
import { startTypist } from './typist.ts';

// Lines of people who never saw the parser.

const rows = readFileSync(new URL('unseen-lines.txt', import.meta.url), 'utf8')
  .split('\n')
  .flatMap((row) => {
    const [, who = '', line = ''] =
      /^([a-z].*?) \| (.*?) => .* \((?:right|acceptable|bad|dangerous)\)$/i.exec(row) ?? [];
    return who === '' ? [] : [{ user: who === 'admin' ? 'admin' : 'operator', line }];
  });

const typed = sample(rows, 3);

test('no line of a person who knows only README.md runs a change without a press', async () => {
  expect(rows.length).toBeGreaterThanOrEqual(200);
  console.log(`HOSTLER_SEED=${seed}: ${typed.length} of ${rows.length} lines`);
  const typist = await startTypist();
  for (const { user, line } of typed) {
    const { outcomes } = await typist.type(user, line);
    expect([line, outcomes.filter((outcome) => outcome.startsWith('ran '))]).toEqual([line, []]);
  }
});
