import { firstLines } from '../text/words.ts';
import { Refusal } from '../view/errors.ts';
import { cut, isTypedName, readHost } from './names.ts';
import { quotedString } from './quoted.ts';
import { readTtl, readValue, ttlInSeconds } from './read-value.ts';
import { bare, conflictOf, identityOf, type RecordData, type RecordType, recordTypes } from './record.ts';
import { linesAtOnce, mostProblems, type Problem, type Word, type ZoneLine, zoneLines } from './zone-lines.ts';
import { isHead, no, plain, readHead, textOf } from './zone-words.ts';

/** Parses pasted BIND zone text into records of one domain. */

export interface WantedRecord extends RecordData {
  /** Null if the text names none; a present record then keeps its own. */
  readonly ttl: number | null;
  readonly line: number;
}

interface State {
  readonly domain: string;
  origin: string;
  ttl: string | undefined;
  /** The full name to which an indented line belongs. */
  name: string | undefined;
  readonly records: WantedRecord[];
  readonly notes: string[];
  /** The part of the line that is being parsed. */
  reading: string;
}

/** A larger text is refused before parsing, which must not take noticeable time. */
export const mostZoneBytes = 256_000;
const mostLines = 5_000;

/** Yields between slices, so that a long text does not block other work. */
export function* readZoneText(text: string, domain: string) {
  mustBeShort(text);
  const { lines, problems: broken } = yield* zoneLines(text);
  const problems = [...broken];
  const state: State = {
    domain: bare(domain),
    origin: bare(domain),
    ttl: undefined,
    name: undefined,
    records: [],
    notes: [],
    reading: 'line',
  };
  for (const [index, line] of lines.entries()) {
    if (problems.length >= mostProblems) break;
    if (index % linesAtOnce === linesAtOnce - 1) yield;
    try {
      readLine(line, state);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const text = [error.message, error.hint].filter(Boolean).join(' ');
      problems.push({ line: line.line, text, kind: state.reading });
    }
  }
  yield;
  const records = withoutRepeats(state, problems);
  yield;
  problems.push(...problemsBetween(records, state.domain, mostProblems - problems.length));
  problems.sort((a, b) => a.line - b.line);
  return { records, notes: state.notes, problems };
}

function mustBeShort(text: string): void {
  if (text.length > mostZoneBytes) {
    const [size, most] = [Math.ceil(text.length / 1_000), mostZoneBytes / 1_000];
    throw no(`The zone text has ${size} kB, and at most ${most} kB are read.`, 'Apply it in parts with --keep.');
  }
  const lines = 1 + (text.match(/\r\n|\r|\n/g)?.length ?? 0);
  if (lines > mostLines) {
    throw no(`The zone text has ${lines} lines, and at most ${mostLines} are read.`, 'Apply it in parts with --keep.');
  }
}

function withoutRepeats({ records, notes }: State, problems: Problem[]): WantedRecord[] {
  const seen = new Map<string, WantedRecord>();
  for (const record of records) {
    const { line, prio } = record;
    const before = seen.get(identityOf(record));
    if (before === undefined) seen.set(identityOf(record), record);
    else if (before.prio === prio)
      notes.push(`Line ${line} says the same record as line ${before.line} and is left out.`);
    else if (problems.length < mostProblems) {
      const text = `Line ${before.line} has the same with prio ${before.prio}, and the provider keeps one of them.`;
      problems.push({ line, text, kind: 'prio' });
    }
  }
  return [...seen.values()];
}

function problemsBetween(records: readonly WantedRecord[], domain: string, most: number): Problem[] {
  // A CNAME conflicts only with records of its host; checking the first few suffices.
  const byHost = Map.groupBy(records, ({ host }) => host);
  const problems: Problem[] = [];
  for (const record of records) {
    if (problems.length >= most) break;
    if (record.type !== 'CNAME') continue;
    const others = (byHost.get(record.host) ?? []).slice(0, 6).filter((other) => other !== record);
    const conflict = conflictOf(record, others, domain);
    if (conflict === undefined) continue;
    const lines = conflict.with.map((other) => other.line);
    const text = `${conflict.text}${lines.length > 0 ? ` See line ${lines.join(', ')}.` : ''}`;
    problems.push({ line: record.line, text, kind: 'CNAME' });
  }
  return problems;
}

function readLine({ line, isIndented, isShifted, words, isCut }: ZoneLine, state: State): void {
  const [first] = words;
  if (first === undefined) return;
  state.reading = 'directive';
  if (first.text.startsWith('$') && !first.isQuoted) {
    readDirective(words.map(plain), state);
    return;
  }
  state.reading = 'name';
  if (isShifted && !isIndented && isHead(first))
    throw no('It begins with a space and has no name.', 'Begin it with a name, or @.');
  if (!isIndented) state.name = absolute(plain(first), state, 'name');
  if (state.name === undefined)
    throw no('It begins with a space, and no line before it has a name.', 'Begin it with a name, or @.');
  readRecord(line, state.name, isIndented ? words : words.slice(1), state);
  if (isCut && state.records.at(-1)?.type === 'TXT' && state.records.at(-1)?.line === line) {
    state.notes.push(
      `Line ${line}: the text is not in quotes, so it ends at its first semicolon. Put all of it in quotes if the rest belongs to it.`,
    );
  }
}

/** The `$TTL` at the start of the provider's own zone files. No record can have it. */
const zoneFileTtl = 21_600;

function readDirective([directive = '', value = '', ...more]: readonly string[], state: State): void {
  const name = more.length > 0 ? '' : directive.toUpperCase();
  if (name === '$ORIGIN' && value !== '') {
    state.origin = absolute(value, state, 'name');
  } else if (name === '$TTL' && ttlInSeconds(value) !== undefined) {
    // Lines without a TTL then have the provider's default, as in the provider's own files.
    state.ttl = ttlInSeconds(value) === zoneFileTtl ? undefined : value;
  } else {
    const words = cut([directive, value, ...more].join(' ').trim());
    throw no(`${words} is not understood.`, 'Of the lines that begin with $, $ORIGIN and $TTL can be used.');
  }
}

function readRecord(line: number, name: string, words: readonly Word[], state: State): void {
  state.reading = 'class';
  const { ttl = state.ttl, rest } = readHead(words);
  state.reading = 'type';
  const [first, ...rdata] = rest;
  const typed = first === undefined ? '' : plain(first);
  if (typed.toUpperCase() === 'SOA') {
    state.notes.push(`Line ${line}: the SOA is the provider's own and is left as it is.`);
    return;
  }
  const type = recordTypes.find((candidate) => candidate === typed.toUpperCase());
  if (type === undefined) {
    const what = typed === '' ? 'It has no type.' : `The provider has no records of type ${cut(typed)}.`;
    throw no(what, `It has ${recordTypes.join(', ')}.`);
  }
  state.reading = 'value';
  if (rdata.length === 0) throw no(`The ${type} record has no value.`, '');
  state.reading = 'name';
  if (!isBelow(name, state.domain))
    throw no(`${cut(name)} is not in ${state.domain}.`, 'Each domain has its own zone.');
  const host = readHost(`${name}.`, state.domain, type);
  state.reading = 'value';
  const read = readValue(type, rdataText(type, rdata, state), state.domain, { typed: undefined, kept: null });
  state.reading = 'ttl';
  const seconds = ttl === undefined ? null : readTtl(String(ttlInSeconds(ttl)));
  state.records.push({ host, type, ...read, ttl: seconds, line });
}

/** Parses the text after the type into one value with full names. */
function rdataText(type: RecordType, rdata: readonly Word[], state: State): string {
  const [first] = rdata;
  if (first?.text === '\\#' && !first.isQuoted)
    throw no('Data in the form \\# is not read.', 'Write the value as its type has it.');
  // Several strings form one text; unquoted words are strings too.
  if (type === 'TXT') return quotedString(textOf(rdata));
  const [parts, say, hint] = shapes[type];
  if (rdata.length !== parts) throw no(`${type} needs ${say}.`, hint);
  if (type === 'CAA') return [...rdata.slice(0, -1).map(plain), quotedString(textOf(rdata.slice(-1)))].join(' ');
  const words = rdata.map(plain);
  if (type === 'A' || type === 'AAAA') return withoutBrackets(words.join(' '));
  const target = words.at(-1) ?? '';
  // An address or a URL is refused as typed, not as a name below the domain.
  return [...words.slice(0, -1), isTypedName(target) ? absolute(target, state, 'target') : target].join(' ');
}

function withoutBrackets(address: string): string {
  if (!address.startsWith('[')) return address;
  throw no(`${cut(address)} has brackets, which belong to URLs.`, 'Write the address without them.');
}

/** The words after a type. */
const shapes: Readonly<Record<Exclude<RecordType, 'TXT'>, readonly [parts: number, say: string, hint: string]>> = {
  A: [1, 'one address', ''],
  AAAA: [1, 'one address', ''],
  CNAME: [1, 'one name', ''],
  NS: [1, 'one name', ''],
  MX: [2, 'a prio and a host', 'Write it like 10 mail.example.com.'],
  SRV: [4, 'a prio, a weight, a port and a target', 'Write it like 5 10 5060 sip.example.com.'],
  CAA: [3, 'flags, a tag and a value', 'Write it like 0 issue "letsencrypt.org".'],
};

/** Completes a name of the zone text: without a final dot, it is below the origin. */
function absolute(word: string, { origin, domain }: State, what: 'name' | 'target'): string {
  if (word === '@') return origin;
  if (word === '.') return word;
  if (word.endsWith('.') || origin === '.') return bare(word);
  if (isBelow(bare(word), domain)) {
    const text = `${cut(word)} has no dot at its end, so as a ${what} it would mean ${cut(word)}.${origin}.`;
    throw no(text, `Write ${cut(word)}. with the dot.`);
  }
  return `${bare(word)}.${origin}`;
}

function isBelow(name: string, domain: string): boolean {
  return name === domain || name.endsWith(`.${domain}`);
}

/** `line 3: …` for the first few problems. A file is never quoted: only the line and its wrong part are named. */
export function sayProblems(problems: readonly Problem[], { isQuoted }: { readonly isQuoted: boolean }): string {
  const sentences = problems.map(
    ({ line, text, kind }) => `line ${line}: ${isQuoted ? text : `its ${kind} cannot be used`}`,
  );
  return firstLines(sentences, 10).join('\n');
}
