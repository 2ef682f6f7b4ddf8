import { describe, expect, test } from 'vitest';
import type { ArgShape, CommandShape } from '../../../src/core/grammar/command-shape.ts';
import { parse } from '../../../src/core/grammar/parse.ts';

// The words of a sentence around names, times and reasons: the meant words, and the meant command.

const word: ArgShape = { place: 'word', widget: 'text', optional: false };
const option: ArgShape = { place: 'option', widget: 'text', optional: true };
const rest: ArgShape = { ...word, place: 'rest' };
const name: ArgShape = { ...word, isName: true };
const commands = [
  { path: 'restart', kind: 'action', args: { server: name } },
  { path: 'rename', kind: 'action', args: { server: name, title: rest } },
  { path: 'tell', kind: 'action', args: { person: word } },
  { path: 'freeze', kind: 'action', args: { reason: rest, end: { ...option, after: ['until'] } } },
  { path: 'answer', kind: 'action', args: { ticket: name, text: { ...rest, widget: 'multiline' } } },
  { path: 'open', kind: 'action', args: { server: name, text: { ...option, widget: 'multiline' } } },
  { path: 'label', kind: 'action', args: { orders: { ...name, many: true }, tag: word } },
  { path: 'announce', kind: 'action', args: { title: word, servers: { ...rest, isName: true, many: true } } },
  {
    path: 'pick',
    kind: 'action',
    args: { server: name, of: { ...word, widget: 'choice', fits: (one) => ['host', 'disk'].includes(one) } },
  },
  { path: 'look', kind: 'query', args: { server: name } },
] satisfies CommandShape[];

function read(line: string, known: readonly CommandShape[] = commands): string {
  const parsed = parse(line, known);
  if (parsed.kind !== 'command') return parsed.kind === 'menu' ? 'menu' : parsed.refusal.message;
  const { command, raw, missing, reason, note } = parsed;
  return [
    `${command.path} ${JSON.stringify(raw).replaceAll('"', '')}`,
    ...(missing.length > 0 ? [`missing ${missing.join(', ')}`] : []),
    ...(reason === undefined ? [] : [`because ${reason}`]),
    ...(note === undefined ? [] : [note]),
  ].join(' | ');
}

test.each<[line: string, meant: string]>([
  // Words of politeness and of time.
  ['restart the server web-1 please', 'restart {server:[web-1]}'],
  // A free text keeps each of its words.
  ['tell please', 'tell {person:[please]}'],
  ['tell tomorrow', '`tomorrow` is a time, and would become text.'],
  ['rename web-1 "tomorrow"', 'rename {server:[web-1],title:[tomorrow]}'],
  ['restart web-1 tomorrow', 'restart {@at:[tomorrow],server:[web-1]}'],
  ['look web-1 tomorrow', '`look` has no place for `tomorrow`.'],
  // A polite word may also be the value of another argument.
  ['pick host web-1', 'pick {server:[web-1],of:[host]}'],
  ['announce outage web-1 please web-2', 'announce {title:[outage],servers:[web-1,web-2]}'],
  // A reason.
  ['restart web-1 because of a leak', 'restart {server:[web-1]} | because a leak'],
  ['restart web-1 because of', 'restart {server:[web-1]} | because of'],
  ['restart web-1 because', 'restart {server:[web-1]}'],
  // A long text keeps the word; a text given by name leaves the word to the line.
  ['answer 7 it hangs because of disks', 'answer {ticket:[7],text:[it,hangs,because,of,disks]}'],
  ['open web-1 text=slow because it hangs', 'open {text:[slow],server:[web-1]} | because it hangs'],
  // A word that introduces an argument.
  ['freeze release until noon', 'freeze {end:[noon],reason:[release]}'],
  // `of` belongs to `because` alone.
  ['freeze release until of noon', '`noon` is a time, and would become text.'],
  ['freeze release until', 'freeze {reason:[release,until]}'],
  ['freeze release end=noon until morning', 'freeze {end:[noon],reason:[release,until,morning]}'],
  // Names that are joined.
  ['label web-1 + web-2 blue', 'label {orders:[web-1,+,web-2],tag:[blue]}'],
  ['label web-1 and', 'label {orders:[web-1],tag:[and]}'],
  ['label web-1 "and"', 'label {orders:[web-1],tag:[and]}'],
  ['label web-1 "and" blue', '`label` has no place for `blue`.'],
  ['label web-1 brand blue', '`label` has no place for `blue`.'],
  ['label web-1 andes blue', '`label` has no place for `blue`.'],
])('the line %s is read as expected', (line, meant) => expect(read(line)).toBe(meant));

describe('the command that is named by the most words', () => {
  const query = (path: string, words = ''): CommandShape => ({
    path,
    kind: 'query',
    risk: 'safe',
    words,
    args: { words: { ...rest, optional: true, many: true } },
  });
  const known = [query('zone list'), query('zone'), query('show'), query('status', 'show | | zone state')];
  test.each<[line: string, meant: string]>([
    ['zone list a', 'zone list {words:[a]}'],
    ['zone a', 'zone {words:[a]}'],
    // A command name comes before a synonym of another command, unless the synonym is longer.
    ['show a', 'show {words:[a]}'],
    ['zone state b', 'status {words:[b]} | Took “zone state b” as `status`.'],
    ['web-1', 'status {words:[web-1]} | Took “web-1” as `status`.'],
    ['web-1 web-2', 'status {words:[web-1,web-2]} | Took “web-1 web-2” as `status`.'],
    ['%web-1', '`%web-1` was not understood.'],
    ['web-1%', '`web-1%` was not understood.'],
  ])('the line %s is read as expected', (line, meant) => expect(read(line, known)).toBe(meant));

  test('a name alone is no command where there is no status', () => {
    expect(read('web-1')).toBe('`web-1` was not understood.');
  });
});
