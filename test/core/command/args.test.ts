import fc from 'fast-check';
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
import { person } from '../../../src/core/command/slack-args.ts';
import { isYes } from '../../../src/core/command/switch-words.ts';
import { span } from '../../../src/core/command/time-args.ts';
import { day } from '../../../src/core/text/words.ts';
import { Refusal } from '../../../src/core/view/errors.ts';
import { codePoint } from '../../support/values/code-point.ts';
import { everything, makeOrder } from '../support.ts';

type AnyArg = ArgMap[string];
const hint = 'what it is for';
const name = z.string().regex(/^[a-z-]{1,25}$/, 'a name of up to 25 letters');

const args = {
  text: text({ hint, schema: name }),
  free: text({ hint, place: 'rest' }),
  integer: integer({ hint, min: 1, max: 65_535 }),
  choice: choice({ hint, of: ['A', 'AAAA', 'TXT'], labels: { TXT: 'Text' } }),
  span: span({ hint, minMs: 60_000, maxMs: 30 * day }),
  flag: flag({ hint }),
  order: order({ hint }),
  machine: order({ hint, kinds: ['vps', 'ds'] }),
  orders: orders({ hint }),
  domain: domain({ hint }),
  project: project({ hint }),
  searched: searched({ hint, source: 'templates' }),
  words: words({ hint, schema: name, most: 2 }),
  person: person({ hint }),
  optional: optional(integer({ hint, min: 0, max: 9 })),
  withDefault: withDefault(choice({ hint, of: ['now', 'later'] }), 'later'),
};

// biome-ignore lint/suspicious/noExplicitAny: a table over arguments of every type.
const any: Readonly<Record<string, Arg<any>>> = args;

function use(which: keyof typeof args): Arg<unknown> {
  const arg = any[which];
  if (arg === undefined) throw new Error(which);
  return arg;
}

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

test.each<[which: keyof typeof args, given: readonly string[], shown: readonly string[]]>([
  ['text', ['web-1'.replace('1', 'a')], ['web-a']],
  ['free', ['two', 'words'], ['two words']],
  ['integer', ['65535'], ['65535']],
  ['integer', [' 007 '], ['7']],
  ['choice', ['txt'], ['TXT']],
  ['span', ['90s'], ['90s']],
  ['span', ['1h', '30m'], ['90m']],
  ['span', ['2w'], ['14d']],
  ['flag', ['ON'], ['yes']],
  ['flag', [], ['no']],
  ['order', ['web-1'], ['34-101']],
  ['machine', ['iron'], ['35-900']],
  ['orders', ['web-1', 'db'], ['34-101', '34-103']],
  ['orders', ['web-1,db', 'web-1'], ['34-101', '34-103']],
  ['orders', ['tag:web', 'tag:front'], ['34-101', '34-102']],
  ['domain', ['Example.com.'], ['example.com']],
  ['project', ['shop'], ['7']],
  ['project', ['7'], ['7']],
  ['searched', ['debian-13'], ['debian-13']],
  ['words', ['a,,b', '', 'a'], ['a', 'b']],
  ['person', ['@U012AB3CD'], ['U012AB3CD']],
  ['person', ['W012AB3CD'], ['W012AB3CD']],
  ['person', ['@an.na'], ['an.na']],
  ['optional', [], []],
  ['optional', ['0'], ['0']],
  ['withDefault', [], ['later']],
])('the argument %s reads %j and shows %j, which reads as the same value', (which, given, shown) => {
  const arg = use(which);
  const value = arg.read(given, everything);
  expect(arg.show(value)).toEqual(shown);
  expect(arg.read(arg.show(value), everything)).toEqual(value);
});

test.each<[which: keyof typeof args, given: readonly string[], answer: string]>([
  ['text', ['Web 1'], '`Web 1` does not fit. It should be a name of up to 25 letters.'],
  ['text', ['x'.repeat(200)], `\`${'x'.repeat(80)}\` does not fit. It should be a name of up to 25 letters.`],
  ['text', [], 'It is empty. It should be a name of up to 25 letters.'],
  ['free', [], 'It is empty. It should be a text that is not empty.'],
  ['integer', ['0'], '`0` does not fit. It should be a whole number from 1 to 65535.'],
  ['integer', ['1e3'], '`1e3` does not fit. It should be a whole number from 1 to 65535.'],
  ['integer', ['1Stryker'], '`1Stryker` does not fit. It should be a whole number from 1 to 65535.'],
  ['integer', ['3.5'], '`3.5` does not fit. It should be a whole number from 1 to 65535.'],
  ['integer', [], 'It is empty. It should be a whole number from 1 to 65535.'],
  ['choice', ['TXTT'], '`TXTT` is not one of A, AAAA, TXT. Did you mean TXT?'],
  ['choice', [], 'It is empty: choose one of A, AAAA, TXT.'],
  ['choice', ['frobnicate'], '`frobnicate` is not one of A, AAAA, TXT.'],
  ['span', ['soon'], '`soon` is not a time span that fits. Write it like 90s, 15m, 24h or 7d, from 1 min to 30 days.'],
  ['span', ['59s'], '`59s` is not a time span that fits. Write it like 90s, 15m, 24h or 7d, from 1 min to 30 days.'],
  ['flag', ['maybe'], '`maybe` is neither yes nor no.'],
  ['order', ['iron'], 'iron is a dedicated server. This works only with a virtual server.'],
  ['orders', [','], 'No server is named. Name one, or several, or tag:web.'],
  ['words', ['a', 'b', 'c'], 'That is 3 at once. At most 2 fit.'],
  ['words', ['a', 'B'], '`B` does not fit. It should be a name of up to 25 letters.'],
  ['words', [], 'It is empty. Give at least one.'],
  ['person', ['@a b'], '`@a b` does not fit. It should be a person, written with @ and chosen from the list.'],
  ['optional', ['x'], '`x` does not fit. It should be a whole number from 0 to 9.'],
  ['withDefault', ['x'], '`x` is not one of now, later.'],
])('the argument %s refuses %j', (which, given, answer) => {
  const { reason, message, hint } = refusal(use(which), ...given);
  expect([message, hint].filter(Boolean).join(' ')).toBe(answer);
  if (which !== 'order') expect(reason).toBe('bad_value');
});

describe('each kind of argument', () => {
  test('has its place, its widget, and whether it is optional', () => {
    const table = Object.entries(any).map(([key, arg]) =>
      [key, arg.place, arg.widget, arg.source ?? '-', arg.optional ? 'may' : 'must', arg.many ? 'many' : 'one'].join(
        ' ',
      ),
    );
    expect(table).toEqual([
      'text word text - must one',
      'free rest text - must one',
      'integer word number - must one',
      'choice word choice - must one',
      'span word text - must one',
      'flag option toggle - may one',
      'order word search servers must one',
      'machine word search any-servers must one',
      'orders rest search servers must many',
      'domain word search domains must one',
      'project word search projects must one',
      'searched word search templates must one',
      'words rest text - must many',
      'person word person - must one',
      'optional word number - may one',
      'withDefault word choice - may one',
    ]);
    expect(text({ hint, multiline: true }).widget).toBe('multiline');
    expect(args.choice.options).toEqual([
      { value: 'A', label: 'A' },
      { value: 'AAAA', label: 'AAAA' },
      { value: 'TXT', label: 'Text' },
    ]);
  });

  test('names the targets for permissions and locks', () => {
    const targets = (which: keyof typeof args, ...given: string[]) =>
      use(which)
        .targets(use(which).read(given, everything))
        .map((target) => `${target.kind}:${target.id}`);
    expect(targets('orders', 'tag:web')).toEqual(['order:34-101', 'order:34-102']);
    expect(targets('order', 'web-1')).toEqual(['order:34-101']);
    expect(targets('domain', 'example.com')).toEqual(['domain:example.com']);
    expect(targets('project', 'shop')).toEqual(['project:7']);
    expect(targets('integer', '7')).toEqual([]);
    expect(targets('words', 'a')).toEqual([]);
    expect(targets('optional')).toEqual([]);
  });
});

test('any words are read or refused, and what was read reads as the same value again', () => {
  const word = fc.oneof(
    fc.string({ unit: codePoint, maxLength: 8 }),
    fc.constantFrom('web-1', '34-101', 'tag:web', '101', 'example.com', '7', 'yes', 'txt', '5m', 'U012', ',', ''),
  );
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(args)), fc.array(word, { maxLength: 4 }), (which, given) => {
      const arg = any[which];
      let value: unknown;
      try {
        value = arg?.read(given, everything);
      } catch (error) {
        expect(error).toBeInstanceOf(Refusal);
        return;
      }
      expect(arg?.read(arg.show(value), everything)).toEqual(value);
    }),
    { numRuns: 500 },
  );
});

test('a refusal names every fault of a value', () => {
  const schema = z.string().min(3, 'longer').regex(/^a/, 'with an a in front');
  expect(() => check(schema, 'b')).toThrow(
    expect.objectContaining({ hint: 'It should be longer; with an a in front.' }),
  );
});

describe('numbers', () => {
  const memory = integer({ hint, min: -5, max: 64, unit: 'GB' });

  test('whole numbers are read with a sign, a unit and spaces', () =>
    expect(['16GB', '16 gb', ' 16 ', '+7', '-5', '64'].map((word) => read(memory, word))).toEqual([
      16, 16, 16, 7, -5, 64,
    ]));

  test.each(['65', '-6', 'x1', '1x', 'GB', '16TB'])('%j is refused', (word) =>
    expect(refusal(memory, word).hint).toBe('It should be a whole number from -5 to 64.'),
  );

  test('among other words, whole numbers of at most 15 digits are read as numbers', () => {
    const digits = '123456789012345';
    const typed = ['16', '+16', '-1', digits, `${digits}6`, 'x1', '1x', 'web', ''];
    expect(typed.filter((word) => memory.fits?.(word))).toEqual(['16', '+16', '-1', digits]);
  });

  test('a form has the number without its unit', () => expect(memory.fieldValue?.('16 GB')).toBe('16'));
});

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

test.each([
  [true, ['yes', 'True', 'on', '1', 'y']],
  [false, ['no', 'False', 'off', '0', 'n', '']],
])('a flag is %j with each of %j', (isOn, typed) => {
  expect(typed.map((word) => read(flag({ hint }), word))).toEqual(typed.map(() => isOn));
  expect(typed.map(isYes)).toEqual(typed.map(() => isOn));
});

describe('servers', () => {
  test.each([
    ['web-1 and db', ['34-101', '34-103']],
    ['web-1 & db', ['34-101', '34-103']],
    ['web-1 + db', ['34-101', '34-103']],
    ['web-1, db PLUS 34-102', ['34-101', '34-103', '34-102']],
    ['web-1 TAG:web', ['34-101', '34-102']],
  ])('%j names %j', (line, ids) => {
    expect(read(orders({ hint }), ...line.split(' ')).map(({ id }) => id)).toEqual(ids);
  });

  test.each(['android', 'sand'])('%j is a name, although "and" is in it', (word) =>
    expect(refusal(orders({ hint }), word).message).toContain(`There is no server called ${word}.`),
  );

  test('more servers than fit on one card are refused', () => {
    const all = Array.from({ length: 51 }, (_, n) => makeOrder(`34-${n}`, '', { tags: ['many'] }));
    const account = { ...everything.account, orders: all };
    expect(() => orders({ hint }).read(['tag:many'], { ...everything, account })).toThrow(
      'That is 51 servers at once.',
    );
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
    expect(named(['ds'])).toEqual(['dedicated', 'No dedicated server is named.']);
    expect(named(['vps', 'ds'])).toEqual(['any-servers', 'No server is named.']);
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
  expect(args.withDefault.preset).toBe('later');
  expect(flag({ hint }).preset).toBe('no');
  expect(withDefault(args.words, ['a'])).not.toHaveProperty('preset');
});
