import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sample, seed } from '../../support/suite/seed.ts';
import { startTypist } from './typist.ts';

// A bot with the usual rights is given lines, and the outcome of each is compared with the file.

interface Row {
  readonly who: string;
  readonly line: string;
  readonly outcome: string;
  /** The answer helps, but a better one is possible. */
  readonly isLesser: boolean;
}

const rows = readFileSync(new URL('typed-lines.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((row) => row !== '' && !row.startsWith('#'))
  .map((row): Row => {
    const [, who = '', line = '', lesser, outcome = ''] = /^(.*?) \| ?(.*?) ?=> (~ )?(.*)$/.exec(row) ?? [];
    return { who, line, outcome, isLesser: lesser !== undefined };
  });

/** A quick run types every third line. */
const typed = sample(rows, 3);

test('lines as people type them lead to what was meant', async () => {
  console.log(`HOSTLER_SEED=${seed}: ${typed.length} of ${rows.length} lines`);
  const typist = await startTypist();
  const wrong: string[] = [];
  for (const { who, line, outcome } of typed) {
    const came = await typist.type(who, line);
    if (!came.outcomes.some((one) => fits(one, outcome)))
      wrong.push(`${who} | ${line} => ${outcome}\n    came: ${came.outcomes.join('\n          ')}`);
    for (const refused of came.refusedOffers) wrong.push(`${who} | ${line}: offers what it refuses: ${refused}`);
  }
  expect(wrong.join('\n')).toBe('');
});

test('at most a tenth of the lines could be answered better', () => {
  expect(rows.length).toBeGreaterThanOrEqual(300);
  expect(rows.filter(({ isLesser }) => isLesser).length).toBeLessThan(rows.length / 10);
});

/** `…` at the end stands for more, and a sentence is found in what was said. */
function fits(came: string, outcome: string) {
  if (outcome.startsWith('says ')) return came.startsWith('says ') && came.includes(outcome.slice(5));
  return outcome.endsWith('…') ? came.startsWith(outcome.slice(0, -1)) : came === outcome;
}
