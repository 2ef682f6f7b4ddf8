import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from '../../../src/core/grammar/parse.ts';
import { risks } from '../../../src/core/policy/policy.ts';
import { allNearest } from '../../../src/core/text/words.ts';
import { isNightly } from '../../support/suite/seed.ts';
import { commands, slip } from './said.ts';

// For any slip in the name of a command, no offer has a higher risk than the command, and no risky command runs.

const letters = 'abcdefghijklmnopqrstuvwxyz-';

const slipped = fc
  .constantFrom(...commands)
  .chain((command) =>
    fc.record({
      command: fc.constant(command),
      word: fc.nat({ max: command.path.split(' ').length - 1 }),
      at: fc.nat({ max: 12 }),
      letter: fc.constantFrom(...letters),
      kind: fc.nat({ max: 3 }),
      rest: fc.constantFrom(...command.examples.map((example) => example.slice(command.path.length)), '', ' a b'),
    }),
  )
  .map(({ command, word, at, letter, kind, rest }) => {
    const words = command.path.split(' ');
    const typed = words[word] ?? '';
    words[word] = slip(typed, at % typed.length, kind, letter);
    return { command, name: words.join(' '), line: `${words.join(' ')}${rest}` };
  })
  .filter(({ name, line }) => name.trim() !== '' && !line.startsWith(' '));

const rankOf = (risk: (typeof risks)[number]) => risks.indexOf(risk);

// A line takes a millisecond: thousands are read at night.
const numRuns = isNightly ? 4_000 : 300;

/** The words by which people mean the command. */
const wordsOf = ({ path, words = '' }: (typeof commands)[number]) => `${path} ${words}`.split(/[^a-z']+/);

test('a slip of letters leads to no riskier command, and neither a suggestion nor the line runs a change', () => {
  let offered = 0;
  const property = fc.property(slipped, ({ command, name, line }) => {
    const parsed = parse(line, commands);
    if (parsed.kind === 'command') {
      const isTyped = ` ${line} `.includes(` ${parsed.command.path} `);
      expect(isTyped || parsed.isTaken === true, line).toBe(true);
      return;
    }
    if (parsed.kind !== 'problem') return;
    for (const { label, command: suggested, isForm } of parsed.refusal.suggestions) {
      const meant = parse(suggested, commands);
      if (meant.kind !== 'command') continue;
      offered++;
      expect(isForm === true || meant.command.risk === 'safe', `${line} → ${suggested}`).toBe(true);
      if (label === 'Run it') expect(meant.command.risk, `${line} → ${suggested}`).toBe('safe');
      // A word that means the command was typed.
      const isCalled = line.split(/[ -]/).some((word) => wordsOf(meant.command).includes(word));
      // `ufreeze` is as near to `unfreeze` as to `freeze`.
      const { words, distance } = allNearest(name, [meant.command.path]);
      if (!isCalled && !(words.length > 0 && distance === 1))
        expect(rankOf(meant.command.risk), `${line} → ${suggested}`).toBeLessThanOrEqual(rankOf(command.risk));
    }
  });
  fc.assert(property, { numRuns });
  expect(offered).toBeGreaterThan(numRuns / 20);
});

test('a word that means something milder in another command does not suggest a riskier command', () => {
  const parsed = parse('ssh-key move a b', commands);
  if (parsed.kind === 'command') expect(parsed.command.path).not.toBe('ssh-key remove');
  for (const { command } of parsed.kind === 'problem' ? parsed.refusal.suggestions : [])
    expect(command).not.toMatch(/^ssh-key remove/);
});
