import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Account, Target } from '../../../src/core/account/account.ts';
import { lineOf, parse } from '../../../src/core/grammar/parse.ts';
import { tokenize } from '../../../src/core/grammar/tokens.ts';
import { evaluate } from '../../../src/core/policy/evaluate.ts';
import { type Capability, type Grant, type Risk, risks } from '../../../src/core/policy/policy.ts';
import { NotOne } from '../../../src/core/targets/not-one.ts';
import { allNearest, phraseList } from '../../../src/core/text/words.ts';
import { Refusal, type Suggestion } from '../../../src/core/view/errors.ts';
import { fillable, offered, withSuggestions } from '../../../src/engine/command/offered-here.ts';
import { clock, commands, said, seedAccount, slip } from '../../core/grammar/said.ts';
import { admin, makePolicy, makeQuestion, member } from '../../core/support.ts';
import { isNightly } from '../../support/suite/seed.ts';

// A line is offered only if it can be read, names existing things, and is allowed to the same person; and it destroys
// at most as much as the typed word.

let account: Account;
let domains: readonly string[];
beforeAll(async () => {
  account = await seedAccount();
  domains = account.domains.map(({ name }) => name);
});

type Command = (typeof commands)[number];
const rankOf = (risk: Risk) => risks.indexOf(risk);

/** A person of a channel, with their rights under a policy. */
function personWith(grants: readonly Grant[], actor = member) {
  const policy = makePolicy({ grants: [...grants] });
  const decide = (capability: Capability | 'none', risk: Risk, targets: readonly Target[]) =>
    evaluate(makeQuestion({ actor, policy, capability, risk, targets })).allowed;
  const maySee = ({ capability }: Command) => {
    const needed = capability === 'none' || capability === 'admin' ? 'read' : capability;
    return (target: Target) => decide(needed, 'safe', [target]);
  };
  return {
    allows: ({ capability, risk }: Command, targets: readonly Target[]) => decide(capability, risk, targets),
    reading: (command: Command) => ({ account, maySee: maySee(command), clock }),
  };
}

const everything: Grant = {
  to: ['everyone'],
  can: ['read', 'operate', 'dns', 'organize', 'destroy', 'spend', 'secrets', 'billing', 'tickets'],
  on: ['all'],
};
const people = {
  operator: personWith([everything]),
  admin: personWith([everything], admin),
  'somebody with web servers only': personWith([
    { to: ['everyone'], can: ['read', 'operate', 'destroy'], on: ['tag:web'] },
  ]),
  reader: personWith([{ to: ['everyone'], can: ['read'], on: ['all'] }]),
};
type Person = (typeof people)[keyof typeof people];
const names = ['operator', 'admin', 'somebody with web servers only', 'reader'] as const;

/** The refusal of the line, if it is refused before any read at the provider. */
function refusalOf(line: string, person: Person): Refusal | undefined {
  const parsed = parse(line, commands, domains);
  if (parsed.kind === 'problem') return offered(parsed.refusal, { commands, domains, ...person });
  if (parsed.kind === 'menu' || parsed.missing.length > 0) return undefined;
  const { command, raw } = parsed;
  try {
    command.prepare(raw, person.reading(command));
    return undefined;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const refusal = error instanceof NotOne ? withSuggestions(error, { command, raw }) : error;
    return offered(refusal, { commands, domains, ...person });
  }
}

/** The command of an offered line, or an error when it cannot be read, names something unknown, or is not allowed. */
function commandOffered({ command: line, isForm }: Suggestion, person: Person): Command {
  const parsed = parse(line, commands, domains);
  if (parsed.kind !== 'command') throw new Error(`not read: ${line}`);
  const { command, raw, missing } = parsed;
  if (missing.length > 0 && isForm !== true) throw new Error(`not whole: ${line}`);
  const reading = person.reading(command);
  const targets = Object.entries(raw).flatMap(([name, words]) => {
    const arg = command.args[name];
    return arg === undefined ? [] : arg.targets(arg.read(words, reading));
  });
  if (missing.length === 0) command.prepare(raw, reading);
  if (!person.allows(command, targets)) throw new Error(`not allowed: ${line}`);
  return command;
}

/** Typing mistakes in a line: a slip in a word, a word missing, repeated or moved, or hyphens left out. */
const changes: readonly ((words: string[], at: number, other: number) => string[])[] = [
  (words, at, other) =>
    words.with(at, slip(words[at] ?? '', other % Math.max(1, (words[at] ?? '').length), other, 'x')),
  (words, at) => words.toSpliced(at, 1),
  (words, at) => words.toSpliced(at, 0, words[at] ?? ''),
  (words, at, other) => words.toSpliced(at, 1).toSpliced(other % words.length, 0, words[at] ?? ''),
  (words, at) => words.with(at, (words[at] ?? '').replace('-', '')),
  (words, at) => words.toSpliced(at, 0, ...['please', 'its dead', 'to', 'all'].slice(at % 4, (at % 4) + 1)),
];

/** The path and the verbs. */
const namesOf = ({ path, words = '' }: (typeof commands)[number]) => {
  const [verbs = ''] = words.split('|');
  return [path, ...(verbs.trim() === '' ? [] : phraseList(verbs))];
};

/** A line that a person may type for a command: its example, with one of its names, and one or two slips. */
const carelessLine = fc
  .record({
    command: fc.constantFrom(...commands),
    example: fc.nat(),
    name: fc.nat(),
    slips: fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat()), { minLength: 1, maxLength: 2 }),
  })
  .map(({ command, example, name, slips }) => {
    const { path, examples } = command;
    const names = namesOf(command);
    const rest = (examples[example % examples.length] ?? path).slice(path.length);
    const words = `${names[name % names.length]}${rest}`.split(' ');
    const changed = slips.reduce<string[]>(
      (now, [kind, at, other]) =>
        now.length === 0 ? now : (changes[kind % changes.length]?.(now, at % now.length, other) ?? now),
      words,
    );
    return { path: command.path, line: changed.join(' ') };
  })
  .filter(({ line }) => line.trim() !== '');

const nouns = new Set(commands.flatMap(({ path }) => (path.includes(' ') ? [path.split(' ')[0] ?? ''] : [])));

/** The highest risk of the typed words: of the example's command, and of commands with a similar verb. */
function gravestTyped(line: string, path: string): number {
  const words = tokenize(line).map(({ text }) => text.toLowerCase());
  const isTyped = (verb: string) =>
    words.some((word) => {
      const near = allNearest(word, [verb]);
      return near.words.length > 0 && near.distance <= 1;
    });
  const typed = commands.filter((command) =>
    namesOf(command).some(
      (name) =>
        command.path === path ||
        name.split(' ').some((verb, _, all) => (all.length === 1 || !nouns.has(verb)) && isTyped(verb)),
    ),
  );
  // Without a verb, a routine command may be meant.
  const least = nouns.has(words[0] ?? '') ? rankOf('routine') : 0;
  return Math.max(least, ...typed.map(({ risk }) => rankOf(risk)));
}

const numRuns = isNightly ? 1_000 : 300;

test('an offered line names existing things, is allowed to the person, and has at most the risk of the typed line', () => {
  let count = 0;
  fc.assert(
    fc.property(carelessLine, fc.constantFrom(...names), ({ path, line }, name) => {
      const person = people[name];
      const refusal = refusalOf(line, person);
      for (const suggestion of refusal?.suggestions ?? []) {
        const found = commandOffered(suggestion, person);
        count++;
        expect(rankOf(found.risk), `${line} → ${suggestion.command}`).toBeLessThanOrEqual(gravestTyped(line, path));
        // A change is never run by the button of a guess.
        if (refusal?.otherwise !== undefined)
          expect(suggestion.isForm === true || (found.kind === 'query' && found.risk === 'safe'), line).toBe(true);
      }
    }),
    {
      numRuns,
      endOnFailure: true,
      includeErrorInReport: true,
      // The offer of `access` with the other words is the line of `access solo`.
      examples: [[{ path: 'access solo', line: 'on access solo' }, 'admin']],
    },
  );
  expect(count).toBeGreaterThan(numRuns / 7);
});

test('a line without its verb is offered at most a routine command', () => {
  let count = 0;
  for (const noun of nouns)
    for (const name of ['web-1', 'db-1 is dead', 'example.com', 'www.example.com', 'Website', '34-12345'])
      for (const { command: line } of refusalOf(`${noun} ${name}`, people.operator)?.suggestions ?? []) {
        const parsed = parse(line, commands, domains);
        const risk = parsed.kind === 'command' ? parsed.command.risk : 'destructive';
        expect(rankOf(risk), `${noun} ${name} → ${line}`).toBeLessThanOrEqual(rankOf('routine'));
        count++;
      }
  expect(count).toBeGreaterThan(10);
});

test.each([
  ...['restore', 'recover', 'undelete', 'undo', 'revert', 'keep', 'save', 'backup', 'unlock', 'resume'],
  ...['protect'],
])('%s offers nothing that takes something away', (verb) => {
  for (const start of ['', ...[...nouns].map((noun) => `${noun} `)])
    for (const rest of ['', ' web-1', ' example.com', ' www.example.com A', ' Website'])
      for (const { command: line } of refusalOf(`${start}${verb}${rest}`, people.operator)?.suggestions ?? []) {
        const parsed = parse(line, commands, domains);
        const risk = parsed.kind === 'command' ? parsed.command.risk : 'destructive';
        expect(rankOf(risk), `${start}${verb}${rest} → ${line}`).toBeLessThan(rankOf('dangerous'));
      }
});

const offeredFor = (line: string) => refusalOf(line, people.operator)?.suggestions.map(({ command }) => command);
test.each([
  ['rebot web1', ['restart web-1']],
  ['wipe staging-1', ['reinstall staging-1']],
  ['backup db-1', ['catalog snapshots']],
  ['stop prod', ['stop "tag:prod"']],
])('%s gets the right offers', (line, expected) => expect(offeredFor(line)).toEqual(expected));

test('the offer names the words that it leaves out', () =>
  expect(said('wipe staging-1 dead', account)).toBe(
    '✗ `wipe staging-1 dead` is not how a command is written. Did you mean `/host reinstall staging-1`? [reinstall… → form: reinstall staging-1]',
  ));

test('a person who asks for a backup is not offered to cancel', () => {
  for (const line of ['backup db-1', 'snapshot web-1']) expect(said(line, account)).not.toContain('cancel');
});

describe('a name that differs by case, spaces or hyphens only', () => {
  const lines = ['status WEB1', 'status web_1', 'is web1 up?'];
  test.each(lines)('%s is answered, and the answer says how it was read', (line) =>
    expect(said(line, account)).toContain('as web-1.'),
  );
  const cases = ['restart web1', 'reboot WEB_1', 'restart web 1'];
  test.each(cases)('%s is read so by a change, which is said on its card', (line) =>
    expect(said(line, account)).toMatch(/^restart web-1 \| Took “.*” as web-1\.$/),
  );
  test('a change that destroys asks which is meant', () => {
    expect(said('cancel staging1', account)).toContain('[staging-1 → cancel staging-1]');
    expect(said('wipe staging1', account)).toContain('[reinstall… → form: reinstall staging-1]');
  });
  test('a name that two servers have is not chosen', () => {
    const twins = {
      ...account,
      orders: account.orders.map((order) => ({ ...order, name: order.name.replace('web-2', 'web1-') })),
    };
    expect(said('status web_1', twins)).toMatch(/^✗/);
  });
});

const filled = (line: string, person: Person = people.operator) => {
  const parsed = parse(line, commands, domains);
  if (parsed.kind !== 'command') throw new Error(line);
  const { raw, left } = fillable(parsed.command.args, parsed.raw, person.reading(parsed.command));
  return { line: lineOf(parsed.command, raw), left };
};
test('an unknown name is left out and reported', () => {
  expect(filled('restart web-1 nothing-9')).toEqual({ line: 'restart web-1', left: ['nothing-9'] });
  expect(filled('restart web1')).toEqual({ line: 'restart web-1', left: [] });
});
test('a server that the person may not read is left out like an unknown one', () =>
  expect(filled('restart web-1 db-1', people['somebody with web servers only'])).toEqual({
    line: 'restart web-1',
    left: ['db-1'],
  }));
