import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { emptyAccount } from '../../../src/core/account/account.ts';
import { fieldsOf, rawOf } from '../../../src/core/command/command-form.ts';
import { patterns, patternWord, readPatterns } from '../../../src/core/command/patterns.ts';
import { lineOf, parse } from '../../../src/core/grammar/parse.ts';
import { policySchema } from '../../../src/core/policy/policy.ts';
import { Refusal } from '../../../src/core/view/errors.ts';

// The patterns of a grant as people type and choose them.

test('a list of patterns is split at commas and spaces, but not inside `domain tag:`', () => {
  const seen = readPatterns('tag:web, domain tag:prod  order:34-*,Domain  tag:eu');
  expect(seen).toEqual(['tag:web', 'domain tag:prod', 'order:34-*', 'domain tag:eu']);
  const grants = [{ to: ['everyone'], can: ['tickets', 'read'], on: readPatterns('domain tag:prod') }];
  expect(policySchema.parse({ grants }).grants[0]?.on).toEqual(['domain tag:prod']);
  expect(policySchema.safeParse({ grants: [{ ...grants[0], on: ['domain tag:'] }] }).success).toBe(false);
});

test.each([
  ['project:Shop all', ['project:Shop all']],
  ['tag:web db', ['tag:web db']],
  ['project:Shop tag:web', ['project:Shop', 'tag:web']],
  ['project:Shop\\ tag:web', ['project:Shop tag:web']],
  ['project:Acme\\, Inc., tag:web ', ['project:Acme, Inc.', 'tag:web']],
  ['project:my domain tag:web', ['project:my', 'domain tag:web']],
  ['project:a\\*b', ['project:a\\*b']],
  [' , ', []],
])('%s is split at commas, and at spaces only in front of another kind', (list, expected) =>
  expect(readPatterns(list)).toEqual(expected),
);

test.each(['tag:web, all', 'all, tag:web', 'all tag:web', 'all,all'])('%s does not become everything', (list) =>
  expect(() => readPatterns(list)).toThrow('`all` means everything and cannot be one of a list.'),
);

test.each(['Acme, Inc.', 'tag:web, db', 'server:x', 'tag:'])('%s names no targets', (list) =>
  expect(() => readPatterns(list)).toThrow(Refusal),
);

describe('a pattern that was chosen', () => {
  const part = fc.constantFrom('tag:', 'domain', 'all', 'order:', 'a', ',', ' ', '\\', '*', '"', "'", '\u00a0');
  const pattern = fc
    .tuple(fc.constantFrom('project:', 'tag:', 'domain tag:', 'order:'), fc.array(part, { minLength: 1, maxLength: 8 }))
    .map(([kind, parts]) => kind + parts.join(''))
    .filter((text) => !/^[a-z ]+:\s*$/.test(text));
  const args = { on: patterns({ source: 'access-targets', place: 'option', hint: 'which', most: 20 }) };
  const command = { path: 'grant', kind: 'query', args } as const;

  test('is read again as this one pattern, from its word, its form and the line behind a button', () => {
    const property = fc.property(fc.uniqueArray(pattern, { minLength: 1, maxLength: 3 }), (chosen) => {
      const raw = rawOf(args, { on: chosen });
      const reading = { account: emptyAccount, maySee: () => true };
      expect(args.on.read(raw.on ?? [], reading)).toEqual(chosen);
      const parsed = parse(lineOf(command, raw), [command]);
      expect(parsed).toMatchObject({ kind: 'command', raw });
      expect(args.on.show(chosen)).toEqual(raw.on);
      const [field] = fieldsOf(args, raw, (_, value) => value);
      expect(field).toMatchObject({ initial: chosen.map((value) => ({ value, label: value })) });
    });
    fc.assert(property, { numRuns: 500 });
  });

  test.each(['tag:web', 'project:Shop all', 'domain tag:prod', 'domain:*.example.com'])('%s is its own word', (text) =>
    expect(patternWord(text)).toBe(text),
  );
});
