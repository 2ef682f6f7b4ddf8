import { beforeAll, expect, test } from 'vitest';
import type { Account } from '../../src/core/account/account.ts';
import type { Arg } from '../../src/core/command/args.ts';
import { lineOf, parse } from '../../src/core/grammar/parse.ts';
import { Refusal } from '../../src/core/view/errors.ts';
import { clock, commands, seedAccount } from '../core/grammar/said.ts';
import { sample } from '../support/suite/seed.ts';

// The same words mean the same in an option of any command. The literals of the commands say which options are of one
// kind.

let account: Account;
beforeAll(async () => {
  account = await seedAccount();
});

interface Option {
  readonly path: string;
  readonly name: string;
  readonly arg: Arg<unknown>;
}

const all: readonly Option[] = commands.flatMap(({ path, args }) =>
  Object.entries(args).flatMap(([name, arg]) => (arg.place === 'form' ? [] : [{ path, name, arg }])),
);

/** Texts are of one kind if they have one name; choices and searches, if they offer the same values. */
function kindOf({ name, arg }: Option): string {
  const many = arg.many ? 'several of ' : '';
  if (arg.takes !== undefined) return momentKind(arg);
  if (arg.widget === 'search') return `${many}search in ${arg.source}`;
  if (arg.widget === 'choice') return `choice of ${arg.options?.map(({ value }) => value)}`;
  if (arg.widget === 'text' || arg.widget === 'multiline') return `${many}${arg.widget} called ${name}`;
  return many + arg.widget;
}

const kinds = Map.groupBy(all, kindOf);
const shared = [...kinds].filter(([, options]) => options.length > 1);

/** `2h` is a span, a span until now, a moment to come, or a moment that is past. */
function momentKind(arg: Arg<unknown>): string {
  if (readBy(arg, ['web', 'prod']) !== undefined) return 'text of any words';
  if (readBy(arg, ['2h']) === '2h') return readBy(arg, ['yesterday']) === undefined ? 'time span' : 'span until now';
  return readBy(arg, ['2 hours ago']) === undefined ? 'moment' : 'past moment';
}

/** The canonical words of the value that is read; undefined where the words are refused. */
function readBy(arg: Arg<unknown>, words: readonly string[]): string | undefined {
  try {
    return arg.show(arg.read(words, { account, maySee: () => true, clock })).join(' ');
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

const numbers = ['5', '+5', '05', '5.', '5.0', '1e1', '0x5', ' 5 ', '٥', 'five', '5h', '-1'];
const switches = ['yes', 'Yes', 'y', 'true', 'on', 'ON', '1', 'no', 'n', 'false', 'off', '0', 'never', 'enable'];
const times = [
  ...['2h', '2H', '120m', '2 hours', '2 hrs', 'in 2 hours', 'for 2 hours', 'two hours', 'an hour', 'half an hour'],
  ...['hour', 'day', 'Day', 'week', 'month', '1d12h', '1 week', '2 days', '36 hours', '2', 'h', 'later'],
  ...['web prod', 'a*'],
  ...['tomorrow', 'tomorrow 9am', '9am tomorrow', 'friday', 'next friday', '15:30', '3pm', 'noon', '2026-12-01'],
  ...['2026-12-01 09:00', '2026-12-01T09:00:00Z'],
];
const names = [
  ...['web-1', 'WEB-1', 'web1', 'web_1', '34-12345', '192.0.2.10', 'web-1.example.com', 'tag:web', 'web-1,db-1'],
  ...['example.com', 'Example.COM', 'example.com.', 'https://example.com/', 'Website', 'website', '"Website"', 'none'],
  ...['@operator', 'U0OPERATOR', 'everyone', 'all', 'any', '*', 'read', 'READ', 'operate,dns', 'files-1', 'nothing-7'],
];
const choices = all.flatMap(({ arg }) => arg.options?.map(({ value }) => value) ?? []);
const probes = [...new Set([...numbers, ...switches, ...times, ...names, ...choices, ...choices.map(upper)])];

/** At night an option is given every word; else its own choices and each sixth of the others, from the seed on. */
function probesFor({ arg }: Option): readonly string[] {
  const own = arg.options?.map(({ value }) => value) ?? [];
  return [...new Set([...own, ...own.map(upper), ...sample(probes, 6)])];
}

function upper(word: string): string {
  return word.toUpperCase();
}

test('the commands share enough options to compare', () => {
  expect(shared.map(([kind]) => kind)).toEqual(
    expect.arrayContaining(['time span', 'toggle', 'number', 'choice of on,off', 'person', 'search in servers']),
  );
});

test.each(shared)('the words for one %s mean the same in every command', (_, options) => {
  const differing = options
    .slice(0, 1)
    .flatMap(probesFor)
    .flatMap((probe) => {
      // The words of a line are separate; a form or quotes give them as one.
      return [probe.split(' '), [probe]].flatMap((words) => {
        const values = options.map(({ arg }) => readBy(arg, words));
        return options.flatMap(({ path, name, arg }, at) => {
          const other = values.findIndex((value) => value !== undefined && value !== values[at]);
          const meant = values[other];
          // A limit or another set of choices refuses the value itself, in any spelling.
          if (meant === undefined || readBy(arg, [meant]) !== meant) return [];
          const told = options[other];
          return [
            `${path} ${name}=${words.join('|')}: ${values[at] ?? 'refused'}; ${told?.path} ${told?.name}: ${meant}`,
          ];
        });
      });
    });
  expect(differing).toEqual([]);
});

test('every option may be written as name=value, --name=value, --name value and in capitals', () => {
  const differing = all.flatMap(({ path, name, arg }) => {
    if (arg.place !== 'option') return [];
    const value = probes.find((probe) => !probe.includes(' ') && readBy(arg, [probe]) !== undefined) ?? 'x';
    const read = [
      `${path} ${name}=${value}`,
      `${path} --${name}=${value}`,
      ...(arg.widget === 'toggle' ? [`${path} --${name}`] : [`${path} --${name} ${value}`]),
      `${path} ${name.toUpperCase()}=${value}`,
    ].map((line) => {
      const parsed = parse(line, commands);
      return parsed.kind === 'command' ? lineOf(parsed.command, parsed.raw) : parsed.kind;
    });
    return new Set(read).size === 1 && read[0] !== 'problem' ? [] : [`${path} ${name}: ${read.join(' | ')}`];
  });
  expect(differing).toEqual([]);
});
