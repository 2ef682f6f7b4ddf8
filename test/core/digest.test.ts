import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type DigestFacts, digestBlocks, mostDigestLines, oneLine } from '../../src/core/alert/digest.ts';
import { plain } from '../../src/core/view/view.ts';

/** The text of a digest: at most 25 lines, one line for an empty day, and one line for each thing. */

const none = { lines: [], total: 0 };
const nothing: DigestFacts = {
  trouble: none,
  ending: none,
  due: undefined,
  runway: undefined,
  open: none,
  ended: none,
  missing: [],
};
const several = (name: string, total: number, read = total) => ({
  lines: Array.from({ length: Math.min(read, mostDigestLines) }, (_, n) => `${name} ${n + 1}`),
  total,
});
const linesOf = (facts: DigestFacts) =>
  digestBlocks('Digest since Wed Nov 25, 09:00 Europe/Berlin', facts).flat().map(plain);

test('a day without anything to report is one line', () => {
  expect(linesOf(nothing)).toEqual(['Digest since Wed Nov 25, 09:00 Europe/Berlin: nothing to report.']);
  expect(linesOf({ ...nothing, runway: { days: 85, withoutCost: 0 } })).toEqual([
    'Digest since Wed Nov 25, 09:00 Europe/Berlin: nothing to report. The balance covers 85 days.',
  ]);
  expect(linesOf({ ...nothing, due: { total: 1, name: 'web-1', days: 0 } })).toEqual([
    'Digest since Wed Nov 25, 09:00 Europe/Berlin: nothing to report. web-1 is due for renewal today.',
  ]);
});

test('a day on which the provider does not answer is not reported as empty', () => {
  expect(linesOf({ ...nothing, missing: ['The provider does not answer.'] })).toEqual([
    'Digest since Wed Nov 25, 09:00 Europe/Berlin',
    'The provider does not answer.',
  ]);
});

test('each section has a title, and a section without lines is left out', () => {
  const facts = {
    ...nothing,
    trouble: several('trouble', 2),
    ended: several('end', 1),
    runway: { days: 1, withoutCost: 2 },
  };
  expect(linesOf(facts)).toEqual([
    'Digest since Wed Nov 25, 09:00 Europe/Berlin',
    'The balance covers 1 day, without 2 orders of unknown cost.',
    'Trouble',
    '• trouble 1',
    '• trouble 2',
    'Requests that ended',
    '• end 1',
  ]);
});

test('a long section leaves room to the others, and says how many lines are missing', () => {
  const lines = linesOf({
    ...nothing,
    trouble: several('trouble', 900),
    ending: several('order', 2),
    ended: several('end', 30),
  });
  expect(lines).toHaveLength(mostDigestLines);
  expect(lines.filter((line) => line.startsWith('• order'))).toEqual(['• order 1', '• order 2']);
  expect(lines.filter((line) => line.startsWith('• trouble'))).toHaveLength(9);
  expect(lines).toContain('• and 891 more');
  expect(lines.filter((line) => line.startsWith('• end'))).toHaveLength(8);
  expect(lines.at(-1)).toBe('• and 22 more');
});

test('no digest has more than 25 lines, and each line stands for what it counts', () => {
  const total = fc.nat({ max: 1_000 });
  fc.assert(
    fc.property(total, total, total, total, fc.boolean(), fc.nat({ max: 2 }), (a, b, c, d, hasRunway, missing) => {
      const totals = [a, b, c, d];
      const lines = linesOf({
        trouble: several('a', a),
        ending: several('b', b),
        open: several('c', c),
        ended: several('d', d),
        due: hasRunway ? { total: 2, name: 'web-1', days: 0 } : undefined,
        runway: hasRunway ? { days: 3, withoutCost: 0 } : undefined,
        missing: Array.from({ length: missing }, () => 'A part is missing.'),
      });
      expect(lines.length).toBeLessThanOrEqual(mostDigestLines);
      const counted = lines
        .filter((line) => line.startsWith('• '))
        .reduce((sum, line) => sum + Number(/^• and (\d+) more$/.exec(line)?.[1] ?? 1), 0);
      expect(counted).toBe(totals.reduce((sum, each) => sum + each, 0));
    }),
  );
});

test('a name with line breaks, half of a character or a thousand characters is one short line', () => {
  expect(oneLine('a\n\n b\tc\u2028d')).toBe('a b c d');
  expect(oneLine('a\ud83d')).toBe('a\ufffd');
  expect([...oneLine('🔴'.repeat(1_000))]).toHaveLength(90);
});
