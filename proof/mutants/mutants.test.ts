import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { linesIn } from './changed-lines.ts';
import { groups } from './groups.ts';
import { compare, hasReached, type Mutant, mutantsIn, oneLine } from './report.ts';
import { survivors } from './survivors.ts';

const mutant = (from: string, status: string): Mutant => ({
  file: 'src/a.ts',
  line: 1,
  from,
  to: 'false',
  around: `if (${from}) return;`,
  offset: 4,
  status,
});
const argued = { file: 'src/a.ts', from: 'one', to: 'false', why: 'both are the same' };

describe('a mutant that survives', () => {
  test('a mutant that survives counts as open until it is listed with a reason', () => {
    const mutants = [mutant('one', 'Survived'), mutant('two', 'NoCoverage'), mutant('three', 'Killed')];
    const result = compare(mutants, [argued]);
    expect(result).toMatchObject({ all: 3, killed: 1, argued: 1, stale: [] });
    expect(result.open.map(({ from }) => from)).toEqual(['two']);
    expect(hasReached({ goal: 100 }, result)).toBe(false);
  });

  test('a reason for another file, text or replacement does not count', () => {
    for (const other of [{ file: 'src/b.ts' }, { from: 'two' }, { to: 'true' }])
      expect(compare([mutant('one', 'Survived')], [{ ...argued, ...other }]).open).toHaveLength(1);
  });

  test('a mutant is not argued away by a reason for the same text at another place of the line or of the file', () => {
    const around = 'if (one || a(one)) return;';
    const twice = [4, 13].map((offset) => ({ ...mutant('one', 'Survived'), around, offset }));
    const openWith = (on: string) => compare(twice, [{ ...argued, on }]).open.map(({ offset }) => offset);
    expect(openWith('a(one)')).toEqual([4]);
    expect(openWith('if (one')).toEqual([13]);
    expect(openWith('b(one)')).toEqual([4, 13]);
  });

  test('a listed mutant that is killed now is reported as stale', () => {
    expect(compare([mutant('one', 'Killed')], [argued]).stale).toEqual([argued]);
    expect(compare([mutant('one', 'Timeout')], [argued]).stale).toEqual([]);
  });

  test('a goal of 90 % allows a tenth to survive, and mutants killed only by a timeout are listed', () => {
    const killed = Array.from({ length: 9 }, () => mutant('x', 'Timeout'));
    expect(hasReached({ goal: 90 }, compare([...killed, mutant('one', 'Survived')], []))).toBe(true);
    expect(compare(killed, []).slow).toHaveLength(9);
    expect(hasReached({ goal: 90 }, compare([...killed.slice(1), mutant('one', 'Survived')], []))).toBe(false);
  });
});

test('a report of Stryker is read with the text that each mutant replaces', () => {
  const source = 'const a = 1;\nif (a >=\n  2) b("é", c);\n';
  const location = { start: { line: 2, column: 5 }, end: { line: 3, column: 4 } };
  const mutants = [{ id: '1', mutatorName: 'X', replacement: 'a\n > 2', location, status: 'Survived' }];
  expect(mutantsIn(JSON.stringify({ files: { 'src/a.ts': { source, mutants } } }))).toEqual([
    {
      file: 'src/a.ts',
      line: 2,
      from: 'a >= 2',
      to: 'a > 2',
      around: 'const a = 1; if (a >= 2) b("é", c);',
      offset: 17,
      status: 'Survived',
    },
  ]);
});

test('the changed lines of a diff are read', () => {
  const diff = [
    'diff --git a/src/a.ts b/src/a.ts',
    '--- a/src/a.ts',
    '+++ b/src/a.ts',
    '@@ -3 +3,2 @@ function a() {',
    '+++counter;',
    '@@ -9,2 +10,0 @@',
    '@@ -20,0 +19 @@',
    'diff --git a/src/b.ts b/src/b.ts',
    '--- /dev/null',
    '+++ b/src/b.ts',
    '@@ -0,0 +1,4 @@',
  ].join('\n');
  expect(linesIn(diff)).toEqual(['src/a.ts:3-4', 'src/a.ts:19-19', 'src/b.ts:1-4']);
});

test('every file of a group exists', () => {
  const files = groups.flatMap((group) => [...group.files, ...group.tests]);
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
});

test('every reason is about code that exists at one place only', () => {
  const sources = groups.flatMap((group) => group.files);
  for (const { file, from, on = from } of survivors) {
    expect(sources).toContain(file);
    const places = oneLine(readFileSync(file, 'utf8')).split(on).length - 1;
    expect({ file, on, places }).toEqual({ file, on, places: 1 });
    expect({ from, on, places: on.split(from).length - 1 }).toEqual({ from, on, places: 1 });
  }
});
