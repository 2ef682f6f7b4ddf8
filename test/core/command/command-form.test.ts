import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { loadCommands } from '../../../src/commands/load-commands.ts';
import {
  type Arg,
  type ArgMap,
  choice,
  domain,
  flag,
  integer,
  optional,
  orders,
  text,
  withDefault,
  words,
} from '../../../src/core/command/args.ts';
import { fieldsOf, rawOf } from '../../../src/core/command/command-form.ts';
import { person } from '../../../src/core/command/slack-args.ts';
import type { Widget } from '../../../src/core/grammar/command-shape.ts';
import { parse } from '../../../src/core/grammar/parse.ts';

const args = {
  servers: orders({ hint: 'one, or several' }),
  zone: domain({ hint: 'a domain', label: 'Domain' }),
  record_type: choice({ hint: 'kind', of: ['A', 'MX'] }),
  value: text({ hint: 'what it says', place: 'rest', multiline: true, example: '192.0.2.1' }),
  ttl: optional(integer({ hint: 'seconds', min: 60, max: 86_400, place: 'option' })),
  labels: optional(words({ hint: 'tags', schema: z.string(), most: 9, place: 'option' })),
  owner: optional(person({ hint: 'who looks after it', place: 'option' })),
  now: flag({ hint: 'do not wait' }),
};

const commands = await loadCommands();
const optionsOf = (...values: string[]) => values.map((value) => ({ value, label: value }));
const labels = (arg: string, value: string) => `${arg} ${value}`;

test('the modal of a command has a field for each argument, empty at first', () => {
  const field = (name: string, label: string, hint: string, more: object) => ({
    ...{ name, label, hint, optional: false },
    ...more,
  });
  expect(fieldsOf(args, {}, labels)).toEqual([
    field('servers', 'Servers', 'one, or several', { widget: 'search', source: 'servers', many: true }),
    field('zone', 'Domain', 'a domain', { widget: 'search', source: 'domains', many: false }),
    field('record_type', 'Record type', 'kind', { widget: 'choice', options: optionsOf('A', 'MX') }),
    field('value', 'Value', 'what it says', { example: '192.0.2.1', widget: 'multiline' }),
    field('ttl', 'Ttl', 'seconds', { optional: true, widget: 'number' }),
    field('labels', 'Labels', 'tags', { optional: true, widget: 'text' }),
    field('owner', 'Owner', 'who looks after it', { optional: true, widget: 'people', initial: [] }),
    field('now', 'Now', 'do not wait', { widget: 'toggle', initial: false }),
  ]);
});

test('the modal of a command is filled in with what was typed', () => {
  const given = {
    servers: ['34-101', '34-102'],
    record_type: ['mx'],
    value: ['10', 'mail.example.com'],
    ttl: ['300'],
    labels: ['a', 'b'],
    owner: ['@U012AB3CD'],
    now: ['on'],
  };
  const initial = fieldsOf(args, given, labels).map((field) => ('initial' in field ? field.initial : undefined));
  expect(initial).toEqual([
    [
      { value: '34-101', label: 'servers 34-101' },
      { value: '34-102', label: 'servers 34-102' },
    ],
    undefined,
    'MX',
    '10 mail.example.com',
    '300',
    'a b',
    ['U012AB3CD'],
    true,
  ]);
});

test('the modal of a command leaves a choice open when the typed word is not one of its options', () => {
  const field = fieldsOf(args, { record_type: ['mxx'] }, labels).find(({ name }) => name === 'record_type');
  expect(field).not.toHaveProperty('initial');
});

test.each([
  ['cancel web-1 when=later', 'when', 'expired'],
  ['cancel web-1 when=END', 'when', 'expired'],
  ['dns edit example.com www ttl=5m', 'ttl', '300'],
  ['dns edit example.com www ttl=1H', 'ttl', '3600'],
  ['create plan=nvme-2 memory=16GB', 'ram', '16'],
  ['create plan=nvme-2 disk=120gb', 'disk', '120'],
  ['access grant everyone can=Read,DNS', 'can', ['read', 'dns']],
])('the modal of `%s` has the option or the number that the typed word stands for', (line, name, initial) => {
  const parsed = parse(line, commands);
  if (parsed.kind !== 'command') throw new Error(`${line} is no command`);
  const field = fieldsOf(parsed.command.args, parsed.raw, labels).find((one) => one.name === name);
  expect(field).toMatchObject({ initial });
});

test('submitted values read like typed ones', () => {
  const raw = rawOf(args, {
    servers: ['34-101', '34-102'],
    zone: 'example.com',
    record_type: 'MX',
    value: '10 mail.example.com',
    ttl: ' ',
    labels: 'a, b  c',
    owner: ['U012AB3CD'],
    now: 'yes',
    smuggled: 'x',
  });
  expect(raw).toEqual({
    servers: ['34-101', '34-102'],
    zone: ['example.com'],
    record_type: ['MX'],
    value: ['10 mail.example.com'],
    labels: ['a', 'b', 'c'],
    owner: ['U012AB3CD'],
    now: ['yes'],
  });
});

test('empty fields of a modal are left out', () => {
  expect(rawOf(args, { servers: [], value: '', labels: ' ,, ', owner: [] })).toEqual({});
});

type AnyArg = ArgMap[string];
const hint = 'what it is for';
const as = (widget: Widget, more: Partial<Arg<string>> = {}): Arg<string> => ({ ...text({ hint }), widget, ...more });
const fieldOf = (arg: AnyArg, ...given: string[]) => fieldsOf({ it: arg }, { it: given }, (_, value) => value)[0];

describe('people, user groups and everyone, as one argument', () => {
  const args = { to_whom: as('subjects') };
  const everyone = { name: 'to_whom.everyone', label: 'Everyone in this channel' };
  const initialOf = (...given: string[]) =>
    fieldsOf(args, { to_whom: given }, (_, value) => value).map((field) => 'initial' in field && field.initial);

  test('there is a field for each of the three, and each may be left empty', () => {
    expect(fieldsOf(args, {}, (_, value) => value)).toEqual([
      { name: 'to_whom', label: 'To whom', hint, optional: true, widget: 'people', initial: [] },
      { name: 'to_whom.groups', label: 'User groups', optional: true, widget: 'groups', initial: [] },
      { ...everyone, optional: false, widget: 'toggle', initial: false },
    ]);
    const [field] = fieldsOf({ to: as('subjects', { label: 'Who' }) }, {}, (_, value) => value);
    expect(field?.label).toBe('Who');
  });

  test('typed names are filled in where they belong, and other words are left out', () => {
    expect(initialOf('@U012', '@W034', 'S056', 'Everyone')).toEqual([['U012', 'W034'], ['S056'], true]);
    expect(initialOf('U012x', 'xU012', 'S056x', 'xS056', 'lead', 'xeveryone')).toEqual([[], [], false]);
  });

  test.each<[string, Parameters<typeof rawOf>[1], readonly string[] | undefined]>([
    ['people', { to_whom: ['U012', '@U034'] }, ['@U012', '@U034']],
    ['groups', { 'to_whom.groups': ['S056'] }, ['@S056']],
    ['everyone', { 'to_whom.everyone': 'yes' }, ['everyone']],
    ['everyone, as a list', { 'to_whom.everyone': ['yes'] }, ['everyone']],
    [
      'all three',
      { to_whom: 'U012', 'to_whom.groups': 'S056', 'to_whom.everyone': 'yes' },
      ['@U012', '@S056', 'everyone'],
    ],
    ['people, and not everyone', { to_whom: ['U012', ''], 'to_whom.everyone': 'no' }, ['@U012']],
    ['people, and nothing said of everyone', { to_whom: ['U012'], 'to_whom.everyone': [] }, ['@U012']],
    ['nobody', { to_whom: '', 'to_whom.everyone': '' }, undefined],
    ['none of the fields', { other: 'U012' }, undefined],
  ])('the submitted values of %s are read like typed ones', (_, values, given) =>
    expect(rawOf(args, values)).toEqual(given === undefined ? {} : { to_whom: given }),
  );
});

test('a file has a field for its types', () => {
  const base = { name: 'it', label: 'It', hint, optional: false };
  const file = fieldOf(as('file', { options: optionsOf('png', 'pdf') }));
  expect(file).toEqual({ ...base, widget: 'file', types: ['png', 'pdf'] });
  expect(fieldOf(as('file'))).toEqual({ ...base, widget: 'file', types: [] });
});

test('an argument that is only typed has no field', () => {
  const args = { one: text({ hint }), two: { ...text({ hint }), isTypedOnly: true } };
  expect(fieldsOf(args, {}, (_, value) => value).map(({ name }) => name)).toEqual(['one']);
});

describe('the initial value of a field', () => {
  test.each<[string, AnyArg, string[], unknown]>([
    ['a choice: its default', withDefault(choice({ hint, of: ['now', 'later'] }), 'later'), [], 'later'],
    ['a choice: what was typed', withDefault(choice({ hint, of: ['now', 'later'] }), 'later'), ['NOW'], 'now'],
    ['a choice without other words', as('choice', { options: [{ value: 'A', label: 'a' }] }), ['a'], 'A'],
    ['a number: its default', withDefault(integer({ hint, min: 1, max: 9 }), 5), [], '5'],
    ['a number: what was typed', withDefault(integer({ hint, min: 1, max: 9 }), 5), ['7'], '7'],
    ['a number without a unit', as('number'), ['7'], '7'],
  ])('%s', (_, arg, given, initial) => expect(fieldOf(arg, ...given)).toMatchObject({ initial }));

  test('is missing for a number that nobody gave', () => {
    expect(fieldOf(optional(integer({ hint, min: 1, max: 9 })))).not.toHaveProperty('initial');
  });

  test('is missing for an argument without options', () => {
    const base = { name: 'it', label: 'It', hint, optional: false };
    expect(fieldOf(as('choice'), 'x')).toEqual({ ...base, widget: 'choice', options: [] });
    expect(fieldOf(as('checks'), 'x')).toEqual({ ...base, widget: 'checks', options: [], initial: [] });
    expect(fieldOf(as('search'))).toEqual({ ...base, widget: 'search', source: '', many: false });
  });

  test('is a checked box for each typed word, with commas or spaces between the words', () => {
    const field = fieldOf(as('checks', { options: optionsOf('read', 'dns', '') }), 'Read,  DNS');
    expect(field).toMatchObject({ initial: ['read', 'dns'] });
  });
});
