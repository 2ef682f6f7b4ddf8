import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quote, quoteValue, retype, shorten, tokenize } from '../../../src/core/grammar/tokens.ts';
import { codePoint } from '../../support/values/code-point.ts';

/** Words as a table can hold them: quoted ones in brackets. */
function words(input: string): string[] {
  return tokenize(input).map((token) => (token.isQuoted ? `[${token.text}]` : token.text));
}

test.each<[what: string, typed: string, ...expected: string[]]>([
  ['nothing', ''],
  ['only spaces', ' \t\n\u00a0'],
  ['spaces of any width', ' a  b\u00a0c\nd ', 'a', 'b', 'c', 'd'],
  ['straight quotes', `"a b" 'c d'`, '[a b]', '[c d]'],
  ['curly quotes, either way round', '“a b” ”c d“ „e f“ ‘g h’ ’i j‘', '[a b]', '[c d]', '[e f]', '[g h]', '[i j]'],
  ['a quote curled only at one end', '“a b" ‘c d\'', '[a b]', '[c d]'],
  ['guillemets', '«a b»', '[a b]'],
  ['backticks', '`web-1` `a b`', '[web-1]', '[a b]'],
  ['an empty quote', '"" x', '[]', 'x'],
  ['quotes within quotes', `"it's" 'say "no" now'`, "[it's]", '[say "no" now]'],
  ['an apostrophe', "don't stop", "don't", 'stop'],
  ['a quote that never closes', '"a b', '"a', 'b'],
  ['a quote in the middle of a word', 'a"b c"', 'a"b', 'c"'],
  ['escapes', `"a \\"b\\" c" "back\\\\slash" "tab\\t"`, '[a "b" c]', '[back\\slash]', '[tab\\t]'],
  ['a character spelled out', '"a\\u00a0b"', '[a\u00a0b]'],
  ['a value in quotes', 'value="a b" x:“c d” y=\'\'', 'value=a b', 'x:c d', 'y='],
  ['a comma after a quote', '"a b", c', '[a b,]', 'c'],
  ['a code fence', '```\na b\nc\n``` d', '[a b\nc]', 'd'],
  ['a code fence as a value', 'zone=```\n@ A 192.0.2.1\n```', 'zone=@ A 192.0.2.1'],
  ['a code fence that never closes', '```a b', '```a', 'b'],
  ['text touching a code fence', '```a```b', '[a]', 'b'],
  ['a long dash', '—now –ttl 300 a — b', '--now', '--ttl', '300', 'a', '—', 'b'],
  ['a long dash inside quotes', '"a —b"', '[a —b]'],
  ['invisible marks', 'web\u200b-1 "web\u200d-2"', 'web-1', '[web-2]'],
])('the words of a line are found: %s', (_, typed, ...expected) => {
  expect(words(typed)).toEqual(expected);
});

const awkward = fc.array(
  fc.oneof(
    fc.constantFrom('"', "'", '`', '```', '\\', '“', '”', '„', '‘', '’', '«', '»', '=', ':', '--', '—', ' ', '\u00a0'),
    fc.constantFrom('\u200b', '\u202e', '\ufeff', '\\u200b', '👨‍👩‍👧', ',', ';', 'a', 'ttl='),
    fc.string({ unit: codePoint, maxLength: 4 }),
  ),
  { maxLength: 12 },
);
const anyText = awkward.map((parts) => parts.join(''));
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what cannot be typed.
const anyWord = anyText.map((text) => text.replace(/[\u0000-\u001f\u007f-\u009f]/g, ''));

test('quoted words read as themselves, and are not joined', () => {
  const property = fc.property(fc.array(anyWord, { maxLength: 5 }), (all) => {
    expect(tokenize(all.map(quote).join(' ')).map((token) => token.text)).toEqual(all);
  });
  fc.assert(property, { numRuns: 500 });
});

test('a quoted value stays with its name', () => {
  const property = fc.property(anyWord, (value) => {
    expect(tokenize(`x name=${quoteValue(value)} y`)).toEqual([
      { text: 'x', isQuoted: false },
      { text: `name=${value}`, isQuoted: false },
      { text: 'y', isQuoted: false },
    ]);
  });
  fc.assert(property, { numRuns: 500 });
});

test('a line that was read and written again means the same', () => {
  const property = fc.property(anyText, (text) => {
    const tokens = tokenize(text);
    const again = tokenize(tokens.map(retype).join(' '));
    expect(again.map((token) => token.text)).toEqual(tokens.map((token) => token.text));
  });
  fc.assert(property, { numRuns: 500 });
});

test('a word that needs no quotes gets none', () => {
  const bare = ['web-1', '34-101', '192.0.2.1', '@', '*', 'größe', '#ops', '-all', '50%', 'a,b', ':a=b'];
  expect(bare.map(quote)).toEqual(bare);
  expect(['', 'a b', '--now', 'ttl=300', 'tag:web', '—x'].map(quote)).toEqual(
    ['', 'a b', '--now', 'ttl=300', 'tag:web', '—x'].map((word) => `"${word}"`),
  );
  expect(quoteValue('2001:db8::1')).toBe('2001:db8::1');
});

test('an option stays an option when it is written again, and text stays text', () => {
  const line = '--now ttl=300 note="a b" "ttl=300" "--now" —fast 2001:db8::1';
  expect(tokenize(line).map(retype).join(' ')).toBe('--now ttl=300 note="a b" "ttl=300" "--now" --fast "2001:db8::1"');
  const awkwardly = ['--max2', '--now!', '?--now'].map((text) => retype({ text, isQuoted: false }));
  expect(awkwardly).toEqual(['--max2', '"--now!"', '"?--now"']);
});

test('a word that is quoted back has at most 40 characters, and no backticks', () => {
  expect(shorten('a`b')).toBe("a'b");
  expect(shorten('x'.repeat(40))).toBe('x'.repeat(40));
  expect(shorten('x'.repeat(41))).toBe(`${'x'.repeat(39)}…`);
});

test('a line with many opening quotes is read as fast as any other', () => {
  // Processor time: on a busy machine the clock counts other work too. Reading each quote to the end of the line takes seconds.
  const started = process.cpuUsage();
  for (const unit of ['="', "='", ':“', 'a="\\', '```', '`']) tokenize(unit.repeat(10_000));
  expect(process.cpuUsage(started).user / 1_000).toBeLessThan(2_000);
});
