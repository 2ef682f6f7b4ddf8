import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson, hashOf, type Json } from '../../../src/core/text/json.ts';

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
