import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadCommands } from '../../../src/commands/load-commands.ts';
import { lineOf, parse } from '../../../src/core/grammar/parse.ts';
import { filledIn, parsePlan, placeholdersIn, splitLines } from '../../../src/core/grammar/plan-lines.ts';

const commands = await loadCommands();
const read = (line: string) => parse(line, commands, ['example.com']);
const plainOf = (path: string) =>
  commands.find((command) => command.path === path) ??
  (() => {
    throw new Error(path);
  })();
const parsed = (text: string) => parsePlan(text, commands, read);

test.each<[typed: string, lines: readonly string[]]>([
  ['restart web-1 then restart web-2', ['restart web-1', 'restart web-2']],
  ['restart web-1, and then restart web-2', ['restart web-1', 'restart web-2']],
  ['stop web-1; start web-1', ['stop web-1', 'start web-1']],
  ['stop web-1;start web-1 -> restart web-2 && stop db-1', ['stop web-1', 'start web-1', 'restart web-2', 'stop db-1']],
  ['```\nstop web-1\nstart web-1\n```', ['stop web-1', 'start web-1']],
  ['- stop web-1\n2. /host start web-1\n\n', ['stop web-1', 'start web-1']],
  [
    'dns add example.com @ TXT "v=DMARC1; p=none" then stop web-1',
    ['dns add example.com @ TXT "v=DMARC1; p=none"', 'stop web-1'],
  ],
  ['“a; b”\nc', ['“a; b”', 'c']],
  ['dns set example.com @ TXT "a; b"; stop web-1', ['dns set example.com @ TXT "a; b"', 'stop web-1']],
])('%j is split outside of quotes', (typed, lines) => {
  expect(splitLines(typed)).toEqual(lines);
});

test.each<[typed: string, lines: readonly string[], more?: object]>([
  ['restart web-1 then restart web-2', ['restart web-1', 'restart web-2']],
  ['restart web-1 then web-2', ['restart web-1', 'restart web-2']],
  ['stop web-1 and then start it', ['stop web-1', 'start web-1']],
  ['plan: restart web-1; restrat web-2', ['restart web-1', 'restrat web-2']],
  ['restart web-1\nrestrat web-2\nstop db-1', ['restart web-1', 'restrat web-2', 'stop db-1']],
  ['list; restart web-1', ['list', 'restart web-1']],
  ['restart web-1 then restrat web-2', ['restart web-1', 'restrat web-2']],
  ['```\nstop web-1\nstart web-1\n```', ['stop web-1', 'start web-1']],
  ['First stop ci-1, then start it.', ['First stop ci-1', 'start ci-1']],
  ['restart web-1 because it hangs then restart web-2', ['restart web-1 because it hangs', 'restart web-2']],
  [
    'stop web-1 then start web-2 because we move the shop and then test it',
    ['stop web-1', 'start web-2'],
    { reason: 'we move the shop and then test it' },
  ],
  [
    'dns add example.com @ TXT v=DMARC1; p=none then restart web-1',
    ['dns add example.com @ TXT v=DMARC1; p=none', 'restart web-1'],
  ],
  [
    'stop web-1 then start web-1 at 3am because kernel',
    ['stop web-1', 'start web-1'],
    { '@at': ['3am'], reason: 'kernel' },
  ],
])('%j is a plan', (typed, lines, more = {}) => {
  const { raw, reason } = parsed(typed) ?? {};
  expect({ ...raw, ...(reason && { reason }) }).toEqual({ lines, ...more });
});

test.each([
  'restart web-1 because it hung then came back',
  'mute web-1 2h because I restart it and then web-2',
  'pin db-1 customer data; ask Ada first',
  'plan failover server=web-2 because web-1 hangs; then we look at it',
  'dns add example.com @ TXT v=DMARC1; p=none',
  'ticket open "slow" "first this; then restart web-1"',
  'restart web-1\nthanks',
  'dns add example.com note TXT value=abc;',
  'dns set example.com note TXT "a;list"',
  'plan list',
  'plan failover server=web-1',
  'plan save drill "stop web-2 then start web-2"',
])('%j is no plan of several lines', (typed) => {
  expect(parsed(typed)).toBe(undefined);
});

test.each(['plan restart web-1', 'restart web-1;'])('%j, a plan of one line, is that line', (typed) => {
  expect(parsed(typed)).toMatchObject({ command: { path: 'restart' }, raw: { servers: ['web-1'] } });
});

test('a pasted block is saved line by line, and the values of a saved plan keep their quotes', () => {
  const block = parsed('plan save night\n1. stop ci-1\n2. restart {server}');
  expect(block?.raw).toEqual({ called: ['night'], lines: ['stop ci-1', 'restart {server}'] });
  const kernel = read('plan kernel first=web-1 others="web-2 db-1"');
  expect(kernel.kind === 'command' && kernel.raw.lines).toEqual(['kernel first=web-1 others="web-2 db-1"']);
});

test.each(['\n', '; ', ' then '])('a hundred lines apart by %j are a plan without a parse of each', (separator) => {
  let reads = 0;
  const text = Array.from({ length: 100 }, (_, n) => `restart web-${n}`).join(separator);
  const counted = parsePlan(text, commands, (line) => {
    reads += 1;
    return read(line);
  });
  expect(counted?.raw.lines).toHaveLength(100);
  expect(reads).toBeLessThan(100);
});

test('a line that a button writes stays one line', () => {
  const line = lineOf(plainOf('dns set'), {
    domain: ['example.com'],
    host: ['@'],
    type: ['TXT'],
    value: ['a;list', 'x'],
  });
  expect([parsed(line), splitLines(line)]).toEqual([undefined, [line]]);
});

test('placeholders are filled in, and no value begins another line', () => {
  const lines = ['restart {servers}', 'dns set example.com {host} A {address}'];
  expect(placeholdersIn(lines)).toEqual(['servers', 'host', 'address']);
  const filled = filledIn(lines, { servers: 'web-1 web-2', host: 'www' });
  expect(filled).toEqual(['restart web-1 web-2', 'dns set example.com www A {address}']);
  expect(filledIn(['restart {constructor}'], {})).toEqual(['restart {constructor}']);
  for (const servers of ['web-1; cancel db-1', 'web-1 then cancel db-1', 'web-1\ncancel db-1', '"web-1" then then; x'])
    expect(filledIn(lines, { servers }).flatMap(splitLines), servers).toHaveLength(2);
});

test('the runbooks of the docs are plans whose lines change something', () => {
  const typed = [...readFileSync('docs/runbooks.md', 'utf8').matchAll(/^\/host plan save (\S+) "(.*)"$/gm)];
  expect(typed.map(([, name]) => name)).toEqual(['failover', 'kernel', 'move-soon', 'move', 'failover', 'drill']);
  for (const [, , text = ''] of typed)
    for (const line of splitLines(text)) {
      const found = read(line);
      expect(found.kind === 'command' && found.command.kind === 'action' && found.missing, line).toEqual([]);
    }
});
