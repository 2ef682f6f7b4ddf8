import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defined } from '../../../src/core/text/defined.ts';
import { canonicalJson, hashOf, type Json } from '../../../src/core/text/json.ts';
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
    { numRuns: 500 },
  );
});

test('keys are sorted at every depth, and arrays keep their order', () => {
  expect(canonicalJson({ b: [2, 1, { d: null, c: 'x' }], a: true })).toBe('{"a":true,"b":[2,1,{"c":"x","d":null}]}');
});

test('the hash of approved facts is the same in every release', () => {
  expect(hashOf({ power: 'on', name: 'web-1', tags: ['a', 'b'], days: 13, project: null })).toBe(
    '860239d37cd700fc8231ae2e764ad8796bdfb10d21fd858ab68fff5b75eb582e',
  );
});

// fast-check types its JSON values as unknown; they are Json.
const json = fc.jsonValue() as fc.Arbitrary<Json>;

function shuffled(value: Json): Json {
  if (Array.isArray(value)) return value.map(shuffled);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, shuffled(item)]),
  );
}

test('canonical JSON is JSON, and the same after storing and reading, in any order of keys', () => {
  fc.assert(
    fc.property(json, (value) => {
      const text = canonicalJson(value);
      const stored: Json = JSON.parse(JSON.stringify(value));
      expect(canonicalJson(stored)).toBe(text);
      expect(canonicalJson(shuffled(value))).toBe(text);
      expect(JSON.parse(text)).toEqual(stored);
    }),
  );
});

test('different values have different hashes', () => {
  fc.assert(
    fc.property(json, json, (a, b) => {
      expect(hashOf(a) === hashOf(b)).toBe(canonicalJson(a) === canonicalJson(b));
    }),
  );
  expect(hashOf({ a: '1' })).not.toBe(hashOf({ a: 1 }));
  expect(hashOf([['a'], 'b'])).not.toBe(hashOf(['a', ['b']]));
});

test('defined leaves out only what is undefined', () => {
  expect(defined({ a: undefined, b: null, c: '', d: 0, e: false })).toStrictEqual({ b: null, c: '', d: 0, e: false });
});
