import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type DigestSection, digestView, mostSectionLines, oneLine } from '../../../src/core/alert/digest-view.ts';
import { plain } from '../../../src/core/view/view.ts';

/** The card of a digest: at most 90 words, one line for each thing, and a button for each section that is cut. */

const several = (name: string, total: number, words = 4): DigestSection => ({
  name,
  lines: Array.from(
    { length: Math.min(total, mostSectionLines) },
    (_, n) => `${name} ${n + 1}${' word'.repeat(words - 2)}`,
  ),
  total,
  all: `${name} list`,
});
const drawn = (sections: readonly DigestSection[], missing: readonly string[] = []) => {
  const { parts } = digestView('Digest since Wed Nov 25, 09:00', { sections, missing });
  const lines = parts.flatMap((part) =>
    part.kind === 'heading' || part.kind === 'text' ? plain(part.text).split('\n') : [],
  );
  const buttons = parts.flatMap((part) => (part.kind === 'buttons' ? part.buttons : []));
  return { lines, buttons: buttons.map(({ label, intent }) => `${label} → ${'line' in intent ? intent.line : ''}`) };
};

test('a day without anything to report says so, and one on which the provider does not answer does not', () => {
  expect(drawn([several('Trouble', 0)]).lines).toEqual(['Digest since Wed Nov 25, 09:00', 'Nothing to report.']);
  const seen = drawn([], ['The provider does not answer.']).lines;
  expect(seen).toEqual(['Digest since Wed Nov 25, 09:00', 'The provider does not answer.']);
});

test('each section has a name, one without lines is left out, and one that is cut has a button', () => {
  expect(drawn([several('Trouble', 2), several('Pins', 0), several('Over', 9)])).toEqual({
    lines: [
      'Digest since Wed Nov 25, 09:00',
      'Trouble',
      'Trouble 1 word word',
      'Trouble 2 word word',
      'Over',
      ...[1, 2, 3, 4, 5].map((n) => `Over ${n} word word`),
    ],
    buttons: ['Over: all 9 → Over list'],
  });
});

test('no digest has more than 90 words, and each section is shown whole or has a button', () => {
  const sections = fc.array(fc.tuple(fc.nat({ max: 1_000 }), fc.integer({ min: 2, max: 40 })), { maxLength: 5 });
  const property = fc.property(sections, (sizes) => {
    const all = sizes.map(([total, words], n) => several(`S${n}`, total, words));
    const { lines, buttons } = drawn(all);
    expect(lines.join(' ').split(/\s+/).length).toBeLessThanOrEqual(90);
    for (const { name, total, all: line } of all) {
      const shown = lines.filter((each) => each.startsWith(`${name} `)).length;
      expect(buttons.includes(`${name}: all ${total} → ${line}`)).toBe(shown < total);
    }
  });
  fc.assert(property);
});

test('a name with many lines is one line, and a long one is cut', () => {
  expect(oneLine(' a\n b  c ')).toBe('a b c');
  expect([...oneLine('x'.repeat(100))]).toHaveLength(60);
});
