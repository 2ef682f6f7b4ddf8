import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sample, seed } from '../../support/suite/seed.ts';
import { startTypist } from './typist.ts';

// Lines of people who never saw the parser.

const rows = readFileSync(new URL('unseen-lines.txt', import.meta.url), 'utf8')
  .split('\n')
  .flatMap((row) => {
    const [, who = '', line = ''] =
      /^([a-z].*?) \| (.*?) => .* \((?:right|acceptable|bad|dangerous)(?: → \w+)?\)$/i.exec(row) ?? [];
    return who === '' ? [] : [{ user: who === 'admin' ? 'admin' : 'operator', line }];
  });

const typed = sample(rows, 3);

test('no line of a person who knows only README.md runs a change that it does not name, and every offer is accepted', async () => {
  expect(rows.length).toBeGreaterThanOrEqual(800);
  console.log(`HOSTLER_SEED=${seed}: ${typed.length} of ${rows.length} lines`);
  const typist = await startTypist();
  for (const { user, line } of typed) {
    const { outcomes, refusedOffers } = await typist.type(user, line);
    const ran = outcomes.filter(
      (outcome) => outcome.startsWith('ran ') && !line.startsWith(outcome.split(' ')[1] ?? ''),
    );
    expect([line, ran, refusedOffers]).toEqual([line, [], []]);
  }
});
