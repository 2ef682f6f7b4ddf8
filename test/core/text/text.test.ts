import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defined } from '../../../src/core/text/defined.ts';
import { canonicalJson, hashOf, type Json } from '../../../src/core/text/json.ts';
import { undoDash, undoKeyboards, undoSlack } from '../../../src/core/text/undo-typing.ts';
import {
  bytes,
  count,
  day,
  firstFew,
  list,
  money,
  monthly,
  nearest,
  parseSpan,
  sayDuration,
  spanText,
} from '../../../src/core/text/words.ts';
import { codePoint } from '../../support/values/code-point.ts';

const verbs = ['list', 'status', 'start', 'stop', 'restart', 'hard-reset', 'rescue', 'password', 'reinstall'];

test.each<[typed: string, meant: string | undefined]>([
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
])('the nearest known word to %s is %s', (typed, meant) => expect(nearest(typed, verbs)).toBe(meant));

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
  const property = fc.property(word, fc.array(word, { maxLength: 6 }), (wanted, known) => {
    const limit = Math.min(wanted.length <= 3 ? 1 : wanted.length <= 6 ? 2 : 3, wanted.length - 1);
    const distances = known.map((candidate) => distance(wanted, candidate));
    const least = Math.min(...distances);
    expect(nearest(wanted, known)).toBe(least <= limit ? known[distances.indexOf(least)] : undefined);
  });
  fc.assert(property, { numRuns: 500 });
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
  const property = fc.property(json, (value) => {
    const text = canonicalJson(value);
    const stored: Json = JSON.parse(JSON.stringify(value));
    expect(canonicalJson(stored)).toBe(text);
    expect(canonicalJson(shuffled(value))).toBe(text);
    expect(JSON.parse(text)).toEqual(stored);
  });
  fc.assert(property);
});

test('different values have different hashes', () => {
  const property = fc.property(json, json, (a, b) => {
    expect(hashOf(a) === hashOf(b)).toBe(canonicalJson(a) === canonicalJson(b));
  });
  fc.assert(property);
  expect(hashOf({ a: '1' })).not.toBe(hashOf({ a: 1 }));
  expect(hashOf([['a'], 'b'])).not.toBe(hashOf(['a', ['b']]));
});

test('defined leaves out only what is undefined', () => {
  expect(defined({ a: undefined, b: null, c: '', d: 0, e: false })).toStrictEqual({ b: null, c: '', d: 0, e: false });
});

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

test.each<[typed: string, ms: number | undefined]>([
  ['90s', 90 * second],
  ['15m', 15 * minute],
  ['24h', day],
  ['7d', 7 * day],
  ['2w', 14 * day],
  ['1h30m', 90 * minute],
  [' 7D ', 7 * day],
  ['1209600s', 14 * day],
  ['0s', 0],
  ['', undefined],
  ['7', undefined],
  ['d', undefined],
  ['-7d', undefined],
  ['7 d', undefined],
  ['1.5h', undefined],
  ['7y', undefined],
  ['9999999999s', undefined],
])('the span %j is read', (typed, ms) => expect(parseSpan(typed)).toBe(ms));

test('a span is written as it can be typed', () => {
  const spans = [90 * second, 15 * minute, day, 14 * day, 90 * minute, 0];
  expect(spans.map(spanText).join(' ')).toBe('90s 15m 1d 14d 90m 0s');
  const property = fc.property(fc.integer({ min: 0, max: 400_000_000 }), (seconds) => {
    expect(parseSpan(spanText(seconds * second))).toBe(seconds * second);
  });
  fc.assert(property);
});

test.each<[ms: number, said: string]>([
  [-5, '0 s'],
  [0, '0 s'],
  [400, '0 s'],
  [59_400, '59 s'],
  [59_600, '1 min'],
  [72 * second, '1 min 12 s'],
  [3 * hour, '3 h'],
  [3 * hour + 5 * second, '3 h'],
  [3 * hour + 5 * minute + 5 * second, '3 h 5 min'],
  [27 * hour, '1 day 3 h'],
  [13 * day, '13 days'],
  [13 * day + minute, '13 days'],
])('%i ms is written as %s', (ms, said) => expect(sayDuration(ms)).toBe(said));

test('an amount of money has two decimals or none, and in an unknown currency it is a bare number', () => {
  const amounts = [84.2, 120, 0, 0.1 + 0.2, 1234.5, 5_000];
  expect(amounts.map((amount) => money(amount, 'EUR')).join(' ')).toBe('€ 84.20 € 120 € 0 € 0.30 € 1,234.50 € 5,000');
  expect([money(5, 'usd'), money(5, 'GBP'), money(5, 'pln')]).toEqual(['$ 5', '£ 5', 'PLN 5']);
  expect([money(5.5, undefined), money(5.5, ''), monthly(5.5, undefined)]).toEqual(['5.50', '5.50', '5.50 a month']);
});

test('bytes are written in the units of traffic', () => {
  const small = [0, 1, 999, 1_000, 1_230, 9_996, 12_340, -2_000];
  expect(small.map(bytes).join(', ')).toBe('0 B, 1 B, 999 B, 1.00 kB, 1.23 kB, 10.0 kB, 12.3 kB, −2.00 kB');
  const large = [99_960, 999_400, 999_600, 1.5e9, 2e12, 3e18];
  expect(large.map(bytes).join(', ')).toBe('100 kB, 999 kB, 1.00 MB, 1.50 GB, 2.00 TB, 3000 PB');
});

test('lists and counts read like sentences', () => {
  expect([[], ['a'], ['a', 'b']].map((words) => list(words))).toEqual(['', 'a', 'a and b']);
  expect(list(['a', 'b', 'c'], 'or')).toBe('a, b or c');
  expect([firstFew(['a', 'b'], 2), firstFew(['a', 'b', 'c', 'd'], 2)]).toEqual(['a and b', 'a, b and 2 more']);
  expect([1, 2, 0].map((number) => count(number, 'server'))).toEqual(['1 server', '2 servers', '0 servers']);
  expect(count(1_200, 'entry', 'entries')).toBe('1,200 entries');
});

test.each<[typed: string, meant: string]>([
  ['restart <http://web-1.example.com|web-1.example.com>', 'restart web-1.example.com'],
  ['dns list <https://example.com>', 'dns list https://example.com'],
  ['dns list <https://example.com|>', 'dns list https://example.com'],
  ['invite <mailto:ops@example.com|ops@example.com>', 'invite ops@example.com'],
  ['invite <mailto:ops@example.com>', 'invite ops@example.com'],
  ['grant <@U012AB3CD>', 'grant @U012AB3CD'],
  ['grant <@U012AB3CD|operator>', 'grant @U012AB3CD'],
  ['grant <!subteam^S012AB3CD|@leads>', 'grant @S012AB3CD'],
  ['grant <!subteam^S012AB3CD>', 'grant @S012AB3CD'],
  ['in <#C012AB3CD|ops>', 'in #C012AB3CD'],
  ['<!channel> look', '!channel look'],
  ['<!date^1700000000^{date}|14 November>', '14 November'],
  ['a &lt;b&gt; &amp; c', 'a <b> & c'],
  ['a name that says &lt;!channel&gt;', 'a name that says <!channel>'],
  ['written out: &amp;lt;', 'written out: &lt;'],
  ['<http://example.com/?a=1&amp;b=2>', 'http://example.com/?a=1&b=2'],
  ['<http://example.com/?a=1&b=2> &lt;b&gt;', 'http://example.com/?a=1&b=2 <b>'],
  ['a&b <http://example.com/?a=1&amp;b=2>', 'a&b http://example.com/?a=1&b=2'],
  ['call <tel:+3112345678|+31 12345678>', 'call +31 12345678'],
  ['status <https://example.com/?to=mailto:ops>', 'status https://example.com/?to=mailto:ops'],
  ['a > b', 'a > b'],
  ['dns set example.com TXT "<a>"', 'dns set example.com TXT "<a>"'],
  ['TXT "v=DMARC1; rua=<x|y>" &amp; more', 'TXT "v=DMARC1; rua=<x|y>" &amp; more'],
  ['TXT "a&b &amp; c" <@U012AB3CD|lead>', 'TXT "a&b &amp; c" @U012AB3CD'],
])('Slack’s markup is undone in %s', (typed, meant) => {
  expect(undoSlack(typed)).toBe(meant);
});

test.each<[typed: string, meant: string]>([
  ['restart\u00a0web-1', 'restart web-1'],
  ['restart\u202f\u2009web-1\u3000now', 'restart  web-1 now'],
  ['\ufeffrestart \u200bweb\u200d-1\u200f', 'restart web-1'],
  ['\u2066web-1\u2069', 'web-1'],
  ['größe 東京', 'größe 東京'],
])('the changes that a keyboard makes are undone in %j', (typed, meant) => {
  expect(undoKeyboards(typed)).toBe(meant);
});

test('a long dash before a letter becomes two short ones, and any other long dash is kept', () => {
  expect(['—now', '–now', '——now', '--now'].map(undoDash)).toEqual(Array(4).fill('--now'));
  const kept = ['—', '—1', 'a—b'];
  expect(kept.map(undoDash)).toEqual(kept);
});

test('text that was escaped by Slack is restored', () => {
  const escapeAsSlack = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const property = fc.property(fc.string({ unit: codePoint }), (text) => {
    expect(undoSlack(escapeAsSlack(text))).toBe(text);
  });
  fc.assert(property, { numRuns: 500 });
});

test('any text is read without an error', () => {
  const pieces = fc.constantFrom('<', '>', '|', '@', '!', '#', '&lt;', '&amp;', 'mailto:', '!subteam^', 'S1', '—', ' ');
  const property = fc.property(fc.array(fc.oneof(pieces, fc.string({ unit: codePoint }))), (parts) => {
    expect(typeof undoKeyboards(undoSlack(parts.join('')))).toBe('string');
  });
  fc.assert(property, { numRuns: 1_000 });
});
