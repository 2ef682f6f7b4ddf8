import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  type Arg,
  type ArgMap,
  choice,
  integer,
  optional,
  text,
  withDefault,
  words,
} from '../../../src/core/command/args.ts';
import { fieldsOf, rawOf } from '../../../src/core/command/command-form.ts';
import type { Widget } from '../../../src/core/grammar/shapes.ts';

// Single fields of a command's modal; command-form.test.ts has the modal of a whole command.

type AnyArg = ArgMap[string];
const hint = 'what it is for';
const as = (widget: Widget, more: Partial<Arg<string>> = {}): Arg<string> => ({ ...text({ hint }), widget, ...more });
const fieldOf = (arg: AnyArg, ...given: string[]) => fieldsOf({ it: arg }, { it: given }, (_, value) => value)[0];

describe('people, user groups and everyone, as one argument', () => {
  const args = { to_whom: as('subjects') };
  const initialOf = (...given: string[]) =>
    fieldsOf(args, { to_whom: given }, (_, value) => value).map((field) => 'initial' in field && field.initial);

  test('there is a field for each of the three, and each may be left empty', () => {
    expect(fieldsOf(args, {}, (_, value) => value)).toEqual([
      { name: 'to_whom', label: 'To whom', hint, optional: true, widget: 'people', initial: [] },
      { name: 'to_whom.groups', label: 'User groups', optional: true, widget: 'groups', initial: [] },
      {
        name: 'to_whom.everyone',
        label: 'Everyone in this channel',
        optional: false,
        widget: 'toggle',
        initial: false,
      },
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

test('a file has a field for its types, and a channel one that knows it by its id', () => {
  const options = ['png', 'pdf'].map((value) => ({ value, label: value }));
  const base = { name: 'it', label: 'It', hint, optional: false };
  expect(fieldOf(as('file', { options }))).toEqual({ ...base, widget: 'file', types: ['png', 'pdf'] });
  expect(fieldOf(as('file'))).toEqual({ ...base, widget: 'file', types: [] });
  expect(fieldOf(as('channel'), '#C012#')).toEqual({ ...base, widget: 'channels', initial: ['C012#'] });
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
    const options = ['read', 'dns', ''].map((value) => ({ value, label: value }));
    expect(fieldOf(as('checks', { options }), 'Read,  DNS')).toMatchObject({
      widget: 'checks',
      initial: ['read', 'dns'],
    });
  });
});

test('several values of one field are split at commas and spaces', () => {
  const args = { labels: words({ hint, schema: z.string(), most: 9 }) };
  expect(rawOf(args, { labels: 'a,  b c' })).toEqual({ labels: ['a', 'b', 'c'] });
});
