import { describe, expect, test } from 'vitest';
import type { ArgShape, CommandShape, RawArgs } from '../../../src/core/grammar/command-shape.ts';
import { lineOf, parse } from '../../../src/core/grammar/parse.ts';

// Options that are read as such and those that are not, arguments that only the form takes, and words that need quotes.

const word: ArgShape = { place: 'word', widget: 'text', optional: false };
const option: ArgShape = { place: 'option', widget: 'text', optional: true };
const mode: ArgShape = { place: 'word', widget: 'choice', optional: false, fits: (one) => /^(on|off)$/i.test(one) };
const list: CommandShape = {
  path: 'list',
  kind: 'query',
  visibility: 'channel',
  args: { filter: { ...word, optional: true } },
};
const rename: CommandShape = {
  path: 'rename',
  kind: 'action',
  args: { server: word, name: { ...word, place: 'rest' } },
};
const install: CommandShape = {
  path: 'install',
  kind: 'action',
  args: {
    server: word,
    key: { place: 'form', widget: 'file', optional: true },
    image: { place: 'form', widget: 'choice', optional: true },
    hold_back: { ...option, label: 'Keep for' },
    parallel: option,
    note: option,
  },
};
const rescue: CommandShape = { path: 'rescue', kind: 'action', args: { mode, server: word } };
const power: CommandShape = {
  path: 'power',
  kind: 'action',
  args: { mode, off: { ...option, widget: 'toggle' }, server: { ...word, fits: (one) => one === 'web' } },
};
const both: CommandShape = {
  path: 'both',
  kind: 'action',
  args: { mode, other: mode, third: { place: 'word', widget: 'choice', optional: false } },
};
const freeze: CommandShape = {
  path: 'freeze',
  kind: 'action',
  args: { reason: { ...word, place: 'rest' }, end: { ...option, after: ['until'] } },
};
const commands = [list, rename, install, rescue, power, both, freeze];

function read(line: string): string {
  const parsed = parse(line, commands);
  if (parsed.kind !== 'command') return parsed.kind === 'menu' ? 'menu' : parsed.refusal.message;
  return JSON.stringify(parsed.raw).replaceAll('"', '');
}

/** The refusal of the line. */
function refusalOf(line: string) {
  const parsed = parse(line, commands);
  if (parsed.kind !== 'problem') throw new Error(`${line} was understood`);
  const { reason, message, field, hint, suggestions } = parsed.refusal;
  return { reason, message, field, hint, suggestions };
}

test.each([
  ['list --share', true, {}],
  ['list --SHARE web', true, { filter: ['web'] }],
  ['list —share', true, {}],
  ['list web', false, { filter: ['web'] }],
  ['list "--share"', false, { filter: ['--share'] }],
  ['rename web-1 shop', false, { server: ['web-1'], name: ['shop'] }],
])('the answer to %s is shared or not: %s', (line, isShared, raw) => {
  expect(parse(line, commands)).toMatchObject({ kind: 'command', isShared, raw });
});

test('a command that changes something has no option --share', () => {
  expect(read('rename web-1 shop --share')).toBe('`rename` has no option `share`.');
});

describe('an argument that only the form takes', () => {
  test.each([
    ['key=F0123', 'key', 'upload'],
    ['--key F0123', 'key', 'upload'],
    ['image:debian', 'image', 'choose'],
  ])('is refused when it is typed as %s, with a button that opens the form', (typed, field, how) => {
    expect(refusalOf(`install web-1 ${typed}`)).toEqual({
      reason: 'bad_value',
      message: `\`${field}\` cannot be typed: ${how} it in the form.`,
      field,
      hint: undefined,
      suggestions: [{ label: 'Open the form', command: 'install', isForm: true }],
    });
  });

  test('is left out of the line of a button', () => {
    expect(lineOf(install, { server: ['web-1'], key: ['F0123'], note: ['x'] })).toBe('install web-1 note=x');
  });
});

test.each<[typed: string, meant: string]>([
  // A value given by name takes no other word.
  ['rename server=web-1 shop', '{server:[web-1],name:[shop]}'],
  ['list --filter!', '{filter:[--filter!]}'],
  ['install web-1 --note="a b"', '{note:[a b],server:[web-1]}'],
  ['install web-1 keep-for=3', '{hold_back:[3],server:[web-1]}'],
  ['install web-1 --keep_for 3', '{hold_back:[3],server:[web-1]}'],
  ['install web-1 --parallel2 3', '`install` has no option `parallel2`.'],
  // One letter more or less is a slip; two are another word.
  ['install paralel=3', '`install` has no option `paralel`.'],
  ['install parallell=3', '`install` has no option `parallell`.'],
  ['install paralle=3', '`install` has no option `paralle`.'],
  ['install parall=3', '{server:[parall=3]}'],
  // A choice of on and off.
  ['rescue web-1 --off', '{mode:[off],server:[web-1]}'],
  ['rescue --on web-1', '{mode:[on],server:[web-1]}'],
  // The value next to the option is kept.
  ['rescue on off=web-1', '{mode:[on],server:[off=web-1]}'],
  ['rescue web-1 --off=x', '`rescue` has no option `off`.'],
  ['rescue web-1 --off --on', '`rescue` has no option `on`.'],
  // An option of that name comes first, and only choices can be given this way.
  ['power on web --off', '{off:[yes],mode:[on],server:[web]}'],
  ['power on --web', '`power` has no option `web`.'],
  // Both options could be meant.
  ['both --on', '`both` has no option `on`.'],
])('the line %s is read as expected', (line, meant) => expect(read(line)).toBe(meant));

test.each([
  ['install web-1 --note a --note b', 'bad_value', 'note'],
  ['install web-1 --note', 'bad_value', 'note'],
  ['install web-1 --wat', 'not_understood', undefined],
  ['install web-1 nots=1', 'not_understood', undefined],
])('the refusal of %s names its reason and its field', (line, reason, field) => {
  expect(refusalOf(line)).toMatchObject({ reason, field });
});

test('a line with more than 1,000 words is refused, and says how many it has', () => {
  expect(refusalOf(`rename ${'a '.repeat(1_000)}`).message).toBe(
    'That line has 1001 words, and at most 1000 are read.',
  );
  expect(read(`rename ${'a '.repeat(999)}`)).toMatch(/^\{server:\[a\],name:\[a,/);
});

test('a reason of more than 200 characters is refused, and one of 200 is kept', () => {
  expect(refusalOf(`install web-1 because ${'x'.repeat(201)}`)).toMatchObject({
    reason: 'bad_value',
    message: 'The reason has 201 characters.',
    hint: 'Say it in at most 200.',
  });
  expect(parse(`install web-1 because ${'x'.repeat(200)}`, commands)).toMatchObject({ reason: 'x'.repeat(200) });
});

describe('the line of a button', () => {
  test.each<[command: CommandShape, raw: RawArgs, line: string]>([
    // Without the first value, the second needs its name.
    [rename, { server: [], name: ['shop'] }, 'rename name=shop'],
    // Only a following argument can take the word.
    [rescue, { mode: ['on'], server: ['on'] }, 'rescue on on'],
    [
      freeze,
      { reason: ['release', 'until', 'Until', 'because', 'Because', 'tomorrow', 'please'] },
      'freeze release "until" "Until" "because" "Because" "tomorrow" "please"',
    ],
  ])('of %o with %j stands for these arguments', (command, raw, line) => {
    expect(lineOf(command, raw)).toBe(line);
    const { server, ...others } = raw;
    const parsed = parse(line, commands);
    expect(parsed).toMatchObject({ kind: 'command', raw: server === undefined || server.length === 0 ? others : raw });
  });
});
