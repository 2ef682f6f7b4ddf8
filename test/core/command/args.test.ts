import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  type Arg,
  choice,
  domain,
  flag,
  integer,
  optional,
  order,
  orders,
  project,
  searched,
  text,
  withDefault,
  words,
} from '../../../src/core/command/args.ts';
import { person } from '../../../src/core/command/slack-args.ts';
import { span } from '../../../src/core/command/time-args.ts';
import { day } from '../../../src/core/text/words.ts';
import { Refusal } from '../../../src/core/view/errors.ts';
import { codePoint } from '../../support/code-point.ts';
import { everything } from '../support.ts';

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
  orders: orders({ hint, most: 3 }),
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

function refusalOf(which: keyof typeof args, given: readonly string[]): string {
  try {
    use(which).read(given, everything);
    return 'taken';
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return [error.message, error.hint].filter(Boolean).join(' ');
  }
}

const good: [which: keyof typeof args, given: readonly string[], shown: readonly string[]][] = [
  ['text', ['web-1'.replace('1', 'a')], ['web-a']],
  ['free', ['two', 'words'], ['two words']],
  ['integer', ['65535'], ['65535']],
  ['integer', [' 007 '], ['7']],
  ['choice', ['txt'], ['TXT']],
  ['span', ['90s'], ['90s']],
  ['span', ['1h', '30m'], ['90m']],
  ['span', ['2w'], ['14d']],
  ['flag', ['yes'], ['yes']],
  ['flag', ['ON'], ['yes']],
  ['flag', ['off'], ['no']],
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
  ['words', ['a,b', 'a'], ['a', 'b']],
  ['person', ['@U012AB3CD'], ['U012AB3CD']],
  ['person', ['W012AB3CD'], ['W012AB3CD']],
  ['person', ['@an.na'], ['an.na']],
  ['optional', [], []],
  ['optional', ['0'], ['0']],
  ['withDefault', [], ['later']],
  ['withDefault', ['now'], ['now']],
];
test.each(good)('the argument %s reads %j and shows %j, which reads as the same value', (which, given, shown) => {
  const arg = use(which);
  const value = arg.read(given, everything);
  expect(arg.show(value)).toEqual(shown);
  expect(arg.read(arg.show(value), everything)).toEqual(value);
});

const bad: [which: keyof typeof args, given: readonly string[], answer: string][] = [
  ['text', ['Web 1'], '`Web 1` does not fit. It should be a name of up to 25 letters.'],
  ['text', ['x'.repeat(200)], `\`${'x'.repeat(80)}\` does not fit. It should be a name of up to 25 letters.`],
  ['text', [], 'It is empty. It should be a name of up to 25 letters.'],
  ['free', [], 'It is empty. It should be a text that is not empty.'],
  ['integer', ['0'], '`0` does not fit. It should be a whole number from 1 to 65535.'],
  ['integer', ['1e3'], '`1e3` does not fit. It should be a whole number from 1 to 65535.'],
  ['integer', ['3.5'], '`3.5` does not fit. It should be a whole number from 1 to 65535.'],
  ['integer', [], 'It is empty. It should be a whole number from 1 to 65535.'],
  ['choice', ['TXTT'], '`TXTT` is not one of A, AAAA, TXT. Did you mean TXT?'],
  ['choice', [], 'It is empty: choose one of A, AAAA, TXT.'],
  ['choice', ['frobnicate'], '`frobnicate` is not one of A, AAAA, TXT.'],
  ['span', ['soon'], '`soon` is not a time span that fits. Write it like 90s, 15m, 24h or 7d, from 1 min to 30 days.'],
  ['span', ['59s'], '`59s` is not a time span that fits. Write it like 90s, 15m, 24h or 7d, from 1 min to 30 days.'],
  ['flag', ['maybe'], '`maybe` is neither yes nor no.'],
  ['order', ['iron'], 'iron is a dedicated server. This works only with a virtual server.'],
  ['order', [], 'No server is named. See /host list for the names and ids.'],
  ['orders', ['web-1', 'nope-nope'], 'There is no server called nope-nope. See /host list for the names and ids.'],
  ['orders', ['web'], 'web is not one server: web-1 (34-101) and web-2 (34-102). Which one?'],
  ['orders', [','], 'No server is named. Name one, or several, or tag:web.'],
  ['orders', ['tag:web', 'db', 'vault'], 'That is 4 servers at once. At most 3 fit on one card: name fewer.'],
  ['domain', ['exmaple.com'], 'There is no domain exmaple.com in this account. Did you mean example.com?'],
  ['project', ['blog'], 'Several projects are called blog. Which one?'],
  ['words', ['a', 'b', 'c'], 'That is 3 at once. At most 2 fit.'],
  ['words', ['a', 'B'], '`B` does not fit. It should be a name of up to 25 letters.'],
  ['words', [], 'It is empty. Give at least one.'],
  ['person', ['@a b'], '`@a b` does not fit. It should be a person, written with @ and chosen from the list.'],
  ['optional', ['x'], '`x` does not fit. It should be a whole number from 0 to 9.'],
  ['withDefault', ['x'], '`x` is not one of now, later.'],
];
test.each(bad)('the argument %s refuses %j', (which, given, answer) => expect(refusalOf(which, given)).toBe(answer));

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
    { numRuns: 2_000 },
  );
});
