import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { namesOf } from '../../../src/core/grammar/loosely.ts';
import { parse } from '../../../src/core/grammar/parse.ts';
import { hasNames } from '../../../src/core/grammar/take.ts';
import { isNightly } from '../../support/suite/seed.ts';
import { commands, said, seedAccount } from './said.ts';

// Lines that are not written as a command: none runs a change, however its words are mixed.

const account = await seedAccount();
const domains = account.domains.map(({ name }) => name);
const names = namesOf(
  account.orders,
  account.projects.map(({ name }) => name),
);
const read = (line: string) => parse(line, commands, domains, names);

const unseen = readFileSync(new URL('../../engine/command/unseen-lines.txt', import.meta.url), 'utf8')
  .split('\n')
  .flatMap((row) => /^[a-z].*? \| (.*?) => /i.exec(row)?.[1] ?? []);
const lines = [...unseen, ...commands.flatMap(({ examples }) => examples)];
const numRuns = isNightly ? 20_000 : 1_500;

/** Whether the line runs a change under a rule that asks nobody. */
function runs(line: string): boolean {
  const parsed = read(line);
  return parsed.kind === 'command' && parsed.command.kind === 'action' && parsed.isTaken !== true;
}

const isExact = (line: string) => {
  const parsed = read(line);
  if (parsed.kind !== 'command') return false;
  const { path } = parsed.command;
  // `mute 22:00-07:00` is `alerts quiet`.
  const paths = [path, ...commands.flatMap((each) => (each.otherwise?.path === path ? each.path : []))];
  return paths.some((each) => ` ${line.toLowerCase().replace(/[?!.,:;]+(?= |$)/g, '')} `.includes(` ${each} `));
};

const mixes: readonly ((words: readonly string[], at: number, other: number) => readonly string[])[] = [
  (words, at) => words.toSpliced(at, 1),
  (words, at, other) => words.toSpliced(other, 0, words[at] ?? ''),
  (words, at, other) => words.with(at, words[other] ?? '').with(other, words[at] ?? ''),
  (words, at, other) => words.toSpliced(at, 1).toSpliced(other, 0, words[at] ?? ''),
];

test('a line whose words are left out, doubled or in another order runs no change that it does not name', () => {
  let taken = 0;
  fc.assert(
    fc.property(
      fc.constantFrom(...lines),
      fc.array(fc.tuple(fc.nat(3), fc.nat(50), fc.nat(50)), { minLength: 1, maxLength: 4 }),
      (line, changes) => {
        const words = changes.reduce<readonly string[]>(
          (now, [kind, at, other]) =>
            now.length === 0 ? now : (mixes[kind]?.(now, at % now.length, other % now.length) ?? now),
          line.split(' '),
        );
        const mixed = words.join(' ');
        if (read(mixed).kind === 'command') taken += 1;
        if (runs(mixed)) expect(isExact(mixed), mixed).toBe(true);
      },
    ),
    { numRuns },
  );
  expect(taken).toBeGreaterThan(numRuns / 10);
});

const forbidding = ['not', "don't", 'never', 'except', 'but not', 'without', 'unless'];
const later = ['tomorrow', 'tonight', 'at 3am', 'next sunday', 'in 2 hours', 'until friday', 'every monday'];
const isPlain = (example: string) => !/["=]|because/.test(example);
const changes = commands.filter(
  (command) => command.kind === 'action' && hasNames(command) && command.examples.some(isPlain),
);
const wordsOf = (line: string) => line.split(' ').length;

test('a change with a word of negation or exception never runs now', () => {
  fc.assert(
    fc.property(fc.constantFrom(...changes), fc.constantFrom(...forbidding), fc.nat(9), (command, word, place) => {
      const example = command.examples.find(isPlain) ?? '';
      const typed = example.split(' ');
      const line = typed.toSpliced(1 + (place % wordsOf(example)), 0, word, 'web-3').join(' ');
      const outcome = said(line, account);
      expect(outcome.startsWith('✗') || !runs(line), `${line}: ${outcome}`).toBe(true);
    }),
    { numRuns: numRuns / 5 },
  );
});

test('a sentence with a word of time has its hour, is asked about, or reads', () => {
  const verbs = ['reboot', 'kick', 'power off', 'turn on', 'shut down', 'boot'];
  fc.assert(
    fc.property(
      fc.constantFrom(...verbs),
      fc.constantFrom(...later),
      fc.nat(3),
      fc.boolean(),
      (verb, time, place, isPolite) => {
        const typed = [...(isPolite ? ['could', 'you'] : []), ...verb.split(' '), 'web-1', 'and', 'web-2'];
        const line = typed.toSpliced(typed.length - (place % 3), 0, time).join(' ');
        const parsed = read(line);
        if (parsed.kind !== 'command' || parsed.command.kind === 'query') return;
        const timing = Object.keys(parsed.raw).some((key) => /^@(?:at|in|every|until)$/.test(key));
        expect(timing || parsed.left !== undefined, line).toBe(true);
        expect(parsed.isTaken, line).toBe(true);
      },
    ),
    { numRuns: numRuns / 5 },
  );
});
