import fc from 'fast-check';
import { expect, test } from 'vitest';
import { undoDash, undoKeyboards, undoSlack } from '../../../src/core/text/undo-typing.ts';
import { codePoint } from '../../support/code-point.ts';

const slack: [typed: string, meant: string][] = [
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
];
test.each(slack)('Slack’s markup is undone in %s', (typed, meant) => {
  expect(undoSlack(typed)).toBe(meant);
});

const keyboards: [typed: string, meant: string][] = [
  ['restart\u00a0web-1', 'restart web-1'],
  ['restart\u202f\u2009web-1\u3000now', 'restart  web-1 now'],
  ['\ufeffrestart \u200bweb\u200d-1\u200f', 'restart web-1'],
  ['\u2066web-1\u2069', 'web-1'],
  ['größe 東京', 'größe 東京'],
];
test.each(keyboards)('the changes that a keyboard makes are undone in %j', (typed, meant) => {
  expect(undoKeyboards(typed)).toBe(meant);
});

test('a long dash before a letter becomes two short ones, and any other long dash is kept', () => {
  expect(['—now', '–now', '——now', '--now'].map(undoDash)).toEqual(Array(4).fill('--now'));
  const kept = ['—', '—1', 'a—b'];
  expect(kept.map(undoDash)).toEqual(kept);
});

test('text that was escaped by Slack is restored', () => {
  const escapeAsSlack = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  fc.assert(
    fc.property(fc.string({ unit: codePoint }), (text) => {
      expect(undoSlack(escapeAsSlack(text))).toBe(text);
    }),
    { numRuns: 500 },
  );
});

test('any text is read without an error', () => {
  const pieces = fc.constantFrom('<', '>', '|', '@', '!', '#', '&lt;', '&amp;', 'mailto:', '!subteam^', 'S1', '—', ' ');
  fc.assert(
    fc.property(fc.array(fc.oneof(pieces, fc.string({ unit: codePoint }))), (parts) => {
      expect(typeof undoKeyboards(undoSlack(parts.join('')))).toBe('string');
    }),
    { numRuns: 1_000 },
  );
});
