import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  type Arg,
  type ArgMap,
  check,
  choice,
  domain,
  flag,
  integer,
  optional,
  orAll,
  order,
  orders,
  project,
  searched,
  text,
  withDefault,
  words,
} from '../../../src/core/command/args.ts';
import { isYes } from '../../../src/core/command/switch-words.ts';
import { Refusal } from '../../../src/core/view/errors.ts';
import { everything } from '../support.ts';

// Single rules of the arguments; args.test.ts has their accepted and refused words.

type AnyArg = ArgMap[string];
const hint = 'what it is for';
const letter = z.string().regex(/^[a-z]$/, 'a letter');
const read = <T>(arg: Arg<T>, ...given: string[]): T => arg.read(given, everything);

function refusal(arg: AnyArg, ...given: string[]): Pick<Refusal, 'reason' | 'message' | 'hint'> {
  try {
    read(arg, ...given);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error('it was read');
}

test.each<[string, AnyArg, string[]]>([
  ['a text', text({ hint, schema: letter }), ['A']],
  ['a number', integer({ hint, min: 1, max: 9 }), ['x']],
  ['a choice', choice({ hint, of: ['now', 'later'] }), ['x']],
  ['a flag', flag({ hint }), ['x']],
  ['no server', orders({ hint }), [',']],
  ['too many servers', orders({ hint, most: 1 }), ['tag:web']],
  ['no word', words({ hint, schema: letter, most: 1 }), []],
  ['too many words', words({ hint, schema: letter, most: 1 }), ['a', 'b']],
])('%s that does not fit is refused as a bad value', (_, arg, given) =>
  expect(refusal(arg, ...given).reason).toBe('bad_value'),
);

test('a refusal names every fault of a value', () => {
  const schema = z.string().min(3, 'longer').regex(/^a/, 'with an a in front');
  expect(() => check(schema, 'b')).toThrow(
    expect.objectContaining({ hint: 'It should be longer; with an a in front.' }),
  );
});

describe('numbers', () => {
  const memory = integer({ hint, min: -5, max: 64, unit: 'GB' });

  test.each([
    ['16GB', 16],
    ['16 gb', 16],
    [' 16 ', 16],
    ['+7', 7],
    ['-5', -5],
    ['64', 64],
  ])('%j is read as %d', (word, value) => expect(read(memory, word)).toBe(value));

  test.each(['65', '-6', 'x1', '1x', 'GB', '16TB'])('%j is refused', (word) =>
    expect(refusal(memory, word).hint).toBe('It should be a whole number from -5 to 64.'),
  );

  test('letters after a number without a unit make the whole word wrong', () => {
    expect(refusal(integer({ hint, min: 0, max: 9 }), '1Stryker').message).toBe('`1Stryker` does not fit.');
  });

  test.each([
    ['16', true],
    ['+16', true],
    ['-1', true],
    ['123456789012345', true],
    ['1234567890123456', false],
    ['x1', false],
    ['1x', false],
    ['web', false],
    ['', false],
  ])('among other words %j is read as a number: %j', (word, isFit) => expect(memory.fits?.(word)).toBe(isFit));

  test('a form has the number without its unit', () => expect(memory.fieldValue?.('16 GB')).toBe('16'));
});

describe('choices', () => {
  const type = choice({ hint, of: ['MX', 'TXT', 'TLSA'], also: { Mail: 'MX' } });

  test('a synonym of a choice stands for it, in any case', () => {
    expect([read(type, 'mail'), read(type, 'MAIL'), read(type, 'mx')]).toEqual(['MX', 'MX', 'MX']);
    expect([type.fieldValue?.('Mail'), type.fieldValue?.('post')]).toEqual(['MX', undefined]);
    expect([type.fits?.('mail'), type.fits?.('txt'), type.fits?.('post')]).toEqual([true, true, false]);
  });

  test('choices with a similar spelling are suggested', () => {
    const days = choice({ hint, of: ['today', 'todays', 'friday'] });
    expect(refusal(days, 'TODAYX').hint).toBe('Did you mean today or todays?');
  });
});

test.each([
  ['yes', true],
  ['True', true],
  ['on', true],
  ['1', true],
  ['y', true],
  ['no', false],
  ['False', false],
  ['off', false],
  ['0', false],
  ['n', false],
  ['', false],
])('a flag reads %j as %j', (word, value) => {
  expect(read(flag({ hint }), word)).toBe(value);
  expect(isYes(word)).toBe(value);
});

describe('servers', () => {
  test.each([
    ['web-1 and db', ['34-101', '34-103']],
    ['web-1 & db', ['34-101', '34-103']],
    ['web-1 + db', ['34-101', '34-103']],
    ['web-1, db PLUS 34-102', ['34-101', '34-103', '34-102']],
    ['web-1 TAG:web', ['34-101', '34-102']],
  ])('%j names %j', (line, ids) => {
    expect(read(orders({ hint, most: 3 }), ...line.split(' ')).map(({ id }) => id)).toEqual(ids);
  });

  test.each(['android', 'sand'])('%j is a name, although "and" is in it', (word) =>
    expect(refusal(orders({ hint }), word).message).toContain(`There is no server called ${word}.`),
  );

  test('exactly the maximum number of servers is read', () => {
    expect(read(orders({ hint, most: 2 }), 'tag:web')).toHaveLength(2);
  });

  test('several words for one server or project are one name', () => {
    expect(refusal(order({ hint }), 'web', 'nine').message).toContain('web nine');
    expect(refusal(project({ hint }), 'the', 'shop').message).toContain('the shop');
  });

  test('the name for servers depends on the kinds that may be named', () => {
    const named = (kinds: ('vps' | 'ds' | 'other')[]) => [
      order({ hint, kinds }).source,
      refusal(orders({ hint, kinds }), ',').message,
    ];
    expect(named(['vps'])).toEqual(['servers', 'No server is named.']);
    expect(named(['ds'])).toEqual(['dedicated', 'No order is named.']);
    expect(named(['vps', 'ds'])).toEqual(['any-servers', 'No order is named.']);
    expect(named(['vps', 'ds', 'other'])).toEqual(['orders', 'No order is named.']);
  });
});

test('names are known as such, and need the account', () => {
  const about = (arg: AnyArg) => [arg.isName, arg.needsAccount];
  for (const arg of [order({ hint }), orders({ hint }), domain({ hint }), project({ hint })])
    expect(about(arg)).toEqual([true, true]);
  for (const arg of [text({ hint }), flag({ hint })]) expect(about(arg)).toEqual([undefined, false]);
  expect([domain({ hint }).splits, domain({ hint, splits: true }).splits]).toEqual([false, true]);
});

test('a search may depend on another argument', () => {
  expect(searched({ hint, source: 'disks', dependsOn: 'server' }).dependsOn).toBe('server');
  expect(searched({ hint, source: 'disks' })).not.toHaveProperty('dependsOn');
});

test('several words, with empty ones between them, are read once each, and name no target', () => {
  const letters = words({ hint, schema: letter, most: 2 });
  expect(read(letters, 'a,,b', '', 'a')).toEqual(['a', 'b']);
  expect(letters.targets(['a'])).toEqual([]);
});

describe('arguments that may be left out', () => {
  const maybe = optional(order({ hint }));
  const [web] = [read(order({ hint }), 'web-1')];

  test('a missing argument has no value, no words and no target; a given one has them', () => {
    expect(read(maybe)).toBeUndefined();
    expect([maybe.show(undefined), maybe.targets(undefined)]).toEqual([[], []]);
    expect(read(maybe, 'web-1')).toBe(web);
    expect([maybe.show(web), maybe.targets(web)]).toEqual([['34-101'], [expect.objectContaining({ id: '34-101' })]]);
  });

  test('"all" means the same as a missing argument', () => {
    const some = orAll(project({ hint }));
    expect([read(some), read(some, 'all'), read(some, 'shop')?.id]).toEqual([undefined, undefined, 7]);
    expect(refusal(some, 'a', 'll').message).toContain('a ll');
    expect(some.optional).toBe(true);
  });

  test('a form preselects the default of one value, and none of several', () => {
    expect(withDefault(choice({ hint, of: ['now', 'later'] }), 'later').preset).toBe('later');
    expect(flag({ hint }).preset).toBe('no');
    expect(withDefault(words({ hint, schema: letter, most: 2 }), ['a'])).not.toHaveProperty('preset');
  });
});
