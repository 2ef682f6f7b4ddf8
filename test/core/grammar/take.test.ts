import fc from 'fast-check';
import { expect, test } from 'vitest';
import { choice, domain, integer, optional, order, text, withDefault } from '../../../src/core/command/args.ts';
import { span } from '../../../src/core/command/time-args.ts';
import type { CommandShape } from '../../../src/core/grammar/command-shape.ts';
import { lineOf, parse } from '../../../src/core/grammar/parse.ts';
import { usage } from '../../../src/core/grammar/usage.ts';

// People type distinguishable words in any order, and type full names of hosts.

const server = order({ hint: 'which' });
const mode = choice({ of: ['on', 'off'], hint: 'on or off' });
const field = withDefault(choice({ of: ['cpu', 'disk'], hint: 'what' }), 'cpu');
const time = optional(span({ hint: 'how long', minMs: 1, maxMs: 1e12 }));
const id = integer({ hint: 'the number', min: 1, max: 1e9 });
const zone = domain({ hint: 'which', splits: true });
const rest = text({ hint: 'what', place: 'rest' });
const type = choice({ of: ['A', 'MX'], hint: 'of record' });
const commands = [
  { path: 'rescue', args: { mode, server } },
  { path: 'stats', args: { server, field, time } },
  { path: 'job', args: { server, id } },
  { path: 'set', args: { zone, host: text({ hint: 'host' }), type, value: rest } },
  { path: 'records', args: { zone, filter: optional(rest) } },
  {
    path: 'reinstall',
    args: { server, app: optional(text({ hint: 'app', place: 'option' })), no_backup: { ...mode, place: 'option' } },
    needs: [{ of: ['app', 'no_backup'], say: 'an app' }],
  },
] satisfies CommandShape[];

function read(line: string): string {
  const parsed = parse(line, commands, ['example.com', 'sub.example.com']);
  if (parsed.kind === 'problem') return parsed.refusal.message;
  return parsed.kind === 'menu'
    ? 'menu'
    : `${JSON.stringify(parsed.raw).replaceAll('"', '')}${parsed.missing.length > 0 ? ` missing ${parsed.missing}` : ''}`;
}

test.each<[typed: string, meant: string]>([
  // A word goes to the argument that accepts it.
  ['rescue on web-1', '{mode:[on],server:[web-1]}'],
  ['rescue web-1 on', '{mode:[on],server:[web-1]}'],
  ['rescue web-1 onn', '{mode:[web-1],server:[onn]}'],
  ['rescue web-1', '{server:[web-1]} missing mode'],
  ['stats web-1 24h', '{server:[web-1],time:[24h]}'],
  ['stats 24h disk web-1', '{server:[web-1],field:[disk],time:[24h]}'],
  ['stats cpu web-1', '{server:[web-1],field:[cpu]}'],
  ['stats web-1 dsk', '{server:[web-1],field:[dsk]}'],
  ['stats web-1 dsk 7d', '{server:[web-1],field:[dsk],time:[7d]}'],
  // A server may have this name: the word is in its place.
  ['stats cpu disk', '{server:[cpu],field:[disk]}'],
  ['job 812 web-1', '{server:[web-1],id:[812]}'],
  ['job 12345 812', '{server:[12345],id:[812]}'],
  // An argument that takes all other words is found by its place.
  ['set example.com mx 10 mail', '{zone:[example.com],host:[mx],type:[10],value:[mail]}'],
  // A full host name of a domain of the account is typed.
  ['set www.example.com A 192.0.2.1', '{zone:[example.com],host:[www],type:[A],value:[192.0.2.1]}'],
  ['set WWW.Example.com. A 192.0.2.1', '{zone:[example.com],host:[www],type:[A],value:[192.0.2.1]}'],
  ['set a.b.sub.example.com A 1', '{zone:[sub.example.com],host:[a.b],type:[A],value:[1]}'],
  ['set sub.example.com @ A 1', '{zone:[sub.example.com],host:[@],type:[A],value:[1]}'],
  ['records www.example.com', '{zone:[example.com],filter:[www]}'],
  ['records the www.example.com', '{zone:[example.com],filter:[www]}'],
  ['records of the domain sub.example.com', '{zone:[sub.example.com]}'],
  ['records www.example.org', '{zone:[www.example.org]}'],
  ['set example.com www.example.com A 1', '{zone:[example.com],host:[www.example.com],type:[A],value:[1]}'],
])('the line %s is read as expected', (typed, meant) => expect(read(typed)).toBe(meant));

const words = { place: 'rest', widget: 'text', optional: true } as const;
const known = [
  { path: 'restart', args: { words }, words: 'reboot', kind: 'action', risk: 'disruptive' },
  { path: 'status', args: { words }, words: '||how is', kind: 'query', risk: 'safe' },
] satisfies CommandShape[];

test.each([
  ['reboot web-1', ['web-1'], 'Took “reboot web-1” as `restart`.'],
  ['REBOOT "my server"', ['my server'], 'Took “REBOOT my server” as `restart`.'],
])('%s is a synonym of a change: it is taken so, which is said', (typed, words, note) => {
  const parsed = parse(typed, known);
  expect(parsed).toMatchObject({ kind: 'command', command: { path: 'restart' }, raw: { words }, isTaken: true, note });
});

test('a synonym of what destroys is only offered', () => {
  const as = { args: { words }, kind: 'action' } as const;
  const wipe: CommandShape = { ...as, path: 'wipe', words: 'erase', risk: 'destructive' };
  const spend: CommandShape = { ...as, path: 'take', words: 'seize', risk: 'routine', capability: 'destroy' };
  for (const [typed, line] of Object.entries({ 'erase web-1': 'wipe web-1', 'seize web-1': 'take web-1' }))
    expect(parse(typed, [wipe, spend])).toMatchObject({
      kind: 'problem',
      refusal: { suggestions: [{ command: line, isForm: true }] },
    });
});

test.each([
  ['How is web-1', 'web-1', 'Took “How is web-1” as `status`.'],
  ['web-1', 'web-1', 'Took “web-1” as `status`.'],
  ['192.0.2.10', '192.0.2.10', 'Took “192.0.2.10” as `status`.'],
])('%s is a synonym of a query: it is answered, and the answer says how it was read', (typed, word, note) => {
  const parsed = parse(typed, known);
  expect(parsed).toMatchObject({ kind: 'command', command: { path: 'status' }, raw: { words: [word] }, note });
});

test('an argument that can be given in several ways is missing until one of them is given', () => {
  expect(read('reinstall web-1')).toBe('{server:[web-1]} missing no_backup,an app');
  expect(read('reinstall web-1 --no-backup on')).toBe('{no_backup:[on],server:[web-1]}');
  expect(usage({ path: 'cancel', args: { no_backup: { place: 'option', widget: 'toggle', optional: true } } })).toBe(
    'cancel [--no-backup]',
  );
});

test('a line written for a button means the same when it is parsed, with any words in it', () => {
  const word = fc.oneof(fc.constantFrom('on', 'cpu', 'disk', '24h', '812', 'web-1', '34-12345'), fc.string());
  fc.assert(
    fc.property(
      fc.constantFrom(...commands.slice(0, 3)),
      fc.array(fc.option(word), { maxLength: 3 }),
      (command, given) => {
        const raw = Object.fromEntries(
          Object.keys(command.args).flatMap((name, at) => {
            const typed = given[at];
            return typed === null || typed === undefined || typed.trim() === '' ? [] : [[name, [typed]]];
          }),
        );
        const parsed = parse(lineOf(command, raw), commands);
        expect(parsed).toMatchObject({ kind: 'command', raw });
      },
    ),
  );
});
