import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ArgShape, CommandShape, RawArgs } from '../../../src/core/grammar/command-shape.ts';
import { lineOf, parse } from '../../../src/core/grammar/parse.ts';
import { usage } from '../../../src/core/grammar/usage.ts';
import { undoSlack } from '../../../src/core/text/undo-typing.ts';
import { codePoint } from '../../support/values/code-point.ts';
import { commands } from './shapes.ts';

/** Writes the meaning of a line as one line. */
function read(input: string): string {
  const parsed = parse(input, commands);
  if (parsed.kind === 'menu') return 'menu';
  if (parsed.kind === 'problem') return `${parsed.refusal.message} ${parsed.refusal.hint ?? ''}`.trim();
  const missing = parsed.missing.length > 0 ? ` missing ${parsed.missing.join(', ')}` : '';
  return `${parsed.command.path} ${JSON.stringify(parsed.raw)}${missing}`;
}

const expected = 'zone add {"ttl":["300"],"domain":["example.com"],"host":["www"],"type":["A"],"value":["192.0.2.1"]}';
test.each([
  ...['ttl=300', '--ttl 300', 'ttl:300', '--ttl=300', '--ttl:300', '—ttl 300', '–ttl=300', 'TTL=300'],
  ...['ttl="300"'],
])('the option %s is read', (form) => {
  expect(read(`zone add example.com www A 192.0.2.1 ${form}`)).toBe(expected);
  expect(read(`zone add ${form} example.com www A 192.0.2.1`)).toBe(expected);
});

test.each<[value: string, words: string[]]>([
  ['v=spf1 include:_spf.example.com -all', ['v=spf1', 'include:_spf.example.com', '-all']],
  ['"v=spf1 include:_spf.example.com -all"', ['v=spf1 include:_spf.example.com -all']],
  ['“v=spf1 include:_spf.example.com ~all”', ['v=spf1 include:_spf.example.com ~all']],
  ['v=DMARC1; p=none; rua=mailto:x@example.com', ['v=DMARC1;', 'p=none;', 'rua=mailto:x@example.com']],
  ['"ttl=300"', ['ttl=300']],
  ['2001:db8::1', ['2001:db8::1']],
  ['fe80::1', ['fe80::1']],
  ['0 issue "letsencrypt.org"', ['0', 'issue', 'letsencrypt.org']],
  ['https://example.com/?a=b', ['https://example.com/?a=b']],
])('the value %s is read', (typed, value) => {
  expect(parse(`zone add example.com @ TXT ${typed}`, commands)).toMatchObject({
    kind: 'command',
    raw: { domain: ['example.com'], host: ['@'], type: ['TXT'], value },
    missing: [],
  });
});

test('a name that Slack made a link of is read as it was typed', () => {
  const typed = undoSlack('restart <http://web-1.example.com|web-1.example.com>\u00a0—now');
  expect(read(typed)).toBe('restart {"now":["yes"],"servers":["web-1.example.com"]}');
});

const refused: [typed: string, answer: string][] = [
  ['restrt web-1', '`restrt web-1` is not how a command is written. Did you mean `/host restart web-1`?'],
  [
    'restrt web-1 --now',
    '`restrt web-1 --now` is not how a command is written. Did you mean `/host restart web-1 --now`?',
  ],
  ['zone ad a @ A 192.0.2.1 ttl=300', '`zone ad` is not a command. After `zone` comes one of: list, add, apply.'],
  ['zone', '`zone` needs another word. After `zone` comes one of: list, add, apply.'],
  ['zone frobnicate', '`zone frobnicate` is not a command. After `zone` comes one of: list, add, apply.'],
  ['zon', '`zon` was not understood. See `/host help` for what you can do here.'],
  ['frobnicate everything', '`frobnicate everything` was not understood. See `/host help` for what you can do here.'],
  ['status web-1 soon', '`status` has no place for `soon`. Usage: `/host status [server]`'],
  ['status a `b c` d', '`status` has no place for `b c` `d`. Usage: `/host status [server]`'],
  ['zone add a @ A x --tl 3', '`zone add` has no option `tl`. Its options: ttl, prio.'],
  ['zone add a @ A x --pri 3', '`zone add` has no option `pri`. Did you mean `--prio`?'],
  [
    'zone add a @ A x proi=3',
    '`zone add` has no option `proi`. Did you mean `prio=3`? Put it in quotes if it is a value.',
  ],
  ['status --wat', '`status` has no option `wat`. It has no options.'],
];
test.each([
  ['', 'menu'],
  ['   ', 'menu'],
  ['list', 'list {}'],
  ['LIST', 'list {}'],
  ['Zone List Example.com', 'zone list {"domain":["Example.com"]}'],
  ['restart web-1 web-2', 'restart {"servers":["web-1","web-2"]}'],
  ['restart', 'restart {} missing servers'],
  ['rename 34-101 my new name', 'rename {"order":["34-101"],"name":["my","new","name"]}'],
  ['rename 34-101 "my new name"', 'rename {"order":["34-101"],"name":["my new name"]}'],
  ['rename 34-101', 'rename {"order":["34-101"]} missing name'],
  ['zone add', 'zone add {} missing domain, host, type, value'],
  ['mark 34-101', 'mark {"order":["34-101"]} missing labels'],
  // Options.
  ['restart web-1 --now', 'restart {"now":["yes"],"servers":["web-1"]}'],
  ['restart —now web-1', 'restart {"now":["yes"],"servers":["web-1"]}'],
  ['restart web-1 now=no', 'restart {"now":["no"],"servers":["web-1"]}'],
  ['stats web-1 --max-points 10', 'stats {"max_points":["10"],"server":["web-1"]}'],
  ['stats span=7d web-1', 'stats {"span":["7d"],"server":["web-1"]}'],
  ['restart servers=web-1 servers=web-2', 'restart {"servers":["web-1","web-2"]}'],
  ['share people=@U1 people=@U2', 'share {"people":["@U1","@U2"]}'],
  ['share --people @U1 --people @U2 34-101', 'share {"people":["@U1","@U2"],"order":["34-101"]}'],
  ['zone add a @ TXT x --ttl', '`--ttl` needs a value.'],
  ['zone add a @ TXT x --ttl 1 --ttl 2', '`ttl` is given twice.'],
  ['zone add a @ TXT x ttl=', 'zone add {"ttl":[""],"domain":["a"],"host":["@"],"type":["TXT"],"value":["x"]}'],
  ['list "--now"', 'list {"filter":["--now"]}'],
  ['list "filter=x"', 'list {"filter":["filter=x"]}'],
  ...refused,
])('the line %j is read as expected', (typed, meant) => expect(read(typed)).toBe(meant));

test('a suggestion is a line that can be run unchanged', () => {
  for (const [typed] of refused) {
    const parsed = parse(typed, commands);
    if (parsed.kind !== 'problem') throw new Error(`${typed} was understood`);
    for (const suggestion of parsed.refusal.suggestions) {
      if (suggestion.label === 'Run it' || suggestion.isForm) {
        expect(parse(suggestion.command, commands).kind).toBe('command');
      } else expect(suggestion.command).toMatch(/^help/);
    }
  }
});

test('a long or hostile word is quoted shortened and without markup', () => {
  const parsed = parse(`${'x'.repeat(500)}\`y`, commands);
  expect(parsed).toMatchObject({ refusal: { message: `\`${'x'.repeat(39)}…\` was not understood.` } });
});

test('the usage shows required and optional arguments', () => {
  expect(commands.map((command) => usage(command))).toEqual([
    'list [filter]',
    'restart <servers…> [--now]',
    'status [server]',
    'rename <order> <name…>',
    'stats <server> [what] [span] [max_points=…]',
    'zone list <domain>',
    'zone add <domain> <host> <type> <value…> [ttl=…] [prio=…]',
    'zone apply <domain> <zone…>',
    'mark <order> <labels> [note…]',
    'share [order] people=…',
  ]);
});

test.each<[command: number, raw: RawArgs, line: string]>([
  [1, { servers: ['web-1', 'web-2'], now: ['yes'] }, 'restart web-1 web-2 now=yes'],
  [4, { server: ['web-1'], span: ['7d'] }, 'stats web-1 span=7d'],
  [4, { server: ['web-1'], max_points: ['9'] }, 'stats web-1 max_points=9'],
  [6, { domain: ['a'], host: ['@'], type: ['TXT'], value: ['v=spf1 -all'] }, 'zone add a @ TXT "v=spf1 -all"'],
  [6, { host: ['@'], value: ['x', 'y z'] }, 'zone add host=@ value=x value="y z"'],
  [8, { order: ['1'], labels: ['a', 'b'], note: ['c'] }, 'mark 1 labels=a labels=b note=c'],
  [9, { people: ['@U1', '@U2'] }, 'share people=@U1 people=@U2'],
])('the line of command %i with the arguments %j can be parsed again', (at, raw, line) => {
  const command = commands[at];
  if (command === undefined) throw new Error('no such command');
  expect(lineOf(command, raw)).toBe(line);
  expect(parse(line, commands)).toMatchObject({ kind: 'command', raw });
});

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what cannot be typed.
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
const word = fc
  .array(
    fc.oneof(
      fc.constantFrom('"', "'", '`', '```', '\\', '“', '”', '«', '=', ':', '--', '—', ' ', '\n', '\u00a0', '\u200b'),
      fc.constantFrom('ttl=', 'now', '--now', 'value:', 'list', 'tag:web', '\\u200b'),
      fc.string({ unit: codePoint, maxLength: 4 }),
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join('').replace(control, ''));

function rawFor(command: CommandShape): fc.Arbitrary<RawArgs> {
  const several = (arg: ArgShape) => arg.place === 'rest' || arg.many === true;
  const of = (arg: ArgShape) =>
    fc.array(word, { minLength: 1, maxLength: several(arg) ? 3 : 1 }).map((all): readonly string[] => all);
  const entries = Object.entries(command.args).map(([name, arg]) => [name, of(arg)] as const);
  // Only some of the arguments: the keys that are left out are absent, not undefined.
  return fc
    .tuple(fc.record(Object.fromEntries(entries)), fc.subarray(Object.keys(command.args)))
    .map(([all, kept]) => Object.fromEntries(kept.map((name) => [name, all[name] ?? []])));
}
const call = fc
  .constantFrom<CommandShape>(...commands)
  .chain((command) => rawFor(command).map((raw) => ({ command, raw })));

test('lineOf writes a line that means exactly its arguments', () => {
  const property = fc.property(call, ({ command, raw }) => {
    const parsed = parse(lineOf(command, raw), commands);
    if (parsed.kind !== 'command') throw new Error(`${lineOf(command, raw)} is no command`);
    expect(parsed.command.path).toBe(command.path);
    expect(parsed.raw).toEqual(raw);
  });
  fc.assert(property, { numRuns: 800 });
});

test('any line is read as a menu, a command or a problem, without an error', () => {
  const pieces = fc.constantFrom(
    ...['zone', 'add', 'list', 'restart', '--', '—', 'ttl', '=', ':', '"', '`', ' ', '__proto__'],
    ...['constructor'],
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(pieces, fc.string({ unit: codePoint })), { maxLength: 12 }), (parts) => {
      expect(['menu', 'command', 'problem']).toContain(parse(undoSlack(parts.join('')), commands).kind);
    }),
    { numRuns: 800 },
  );
});
