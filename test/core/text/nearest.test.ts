import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nearest } from '../../../src/core/text/nearest.ts';

const verbs = ['list', 'status', 'start', 'stop', 'restart', 'hard-reset', 'rescue', 'password', 'reinstall'];

const rows: [typed: string, meant: string | undefined][] = [
  ['restrt', 'restart'],
  ['resatrt', 'restart'],
  ['RESTART', 'restart'],
  ['sotp', 'stop'],
  ['statsu', 'status'],
  ['hardreset', 'hard-reset'],
  ['lst', 'list'],
  ['xyz', undefined],
  ['frobnicate', undefined],
  ['l', undefined],
  ['', undefined],
];
test.each(rows)('the nearest known word to %s is %s', (typed, meant) => expect(nearest(typed, verbs)).toBe(meant));

test('of several words that are equally near, the first is chosen', () => {
  expect(nearest('web-3', ['web-1', 'web-2'])).toBe('web-1');
  expect(nearest('web', [])).toBeUndefined();
});

/** The distance of the textbook: every edit, without an early end. */
function distance(a: string, b: string): number {
  const table: number[][] = [];
  const at = (i: number, j: number) => table[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 0; i <= a.length; i++) {
    const row: number[] = [];
    table.push(row);
    for (let j = 0; j <= b.length; j++) {
      if (i === 0 || j === 0) {
        row.push(i + j);
        continue;
      }
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(
        Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + same, swapped ? at(i - 2, j - 2) + 1 : 99),
      );
    }
  }
  return at(a.length, b.length);
}

test('the chosen word is the nearest, and near enough', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), maxLength: 9 });
  fc.assert(
    fc.property(word, fc.array(word, { maxLength: 6 }), (wanted, known) => {
      const limit = Math.min(wanted.length <= 3 ? 1 : wanted.length <= 6 ? 2 : 3, wanted.length - 1);
      const distances = known.map((candidate) => distance(wanted, candidate));
      const least = Math.min(...distances);
      expect(nearest(wanted, known)).toBe(least <= limit ? known[distances.indexOf(least)] : undefined);
    }),
    { numRuns: 2_000 },
  );
});
