import { undoKeyboards } from '../text/undo-typing.ts';
import { outsideQuotes, undoQuotes } from './quoted.ts';

/** Zone text as lines of words: comments gone, parentheses joined, quotes read. */

export interface Word {
  /** With its escapes: they mean one thing in a text and another in a name. */
  readonly text: string;
  readonly isQuoted: boolean;
}

export interface ZoneLine {
  /** The number of its first line, from 1. */
  readonly line: number;
  /** Begins with a space: it is about the name of the line before. */
  readonly isIndented: boolean;
  /** Begins with a space, as all lines of the text do: that says nothing about names. */
  readonly isShifted: boolean;
  readonly words: readonly Word[];
  /** A word outside of quotes ends at a semicolon right behind it: `v=DKIM1; k=rsa`. */
  readonly isCut: boolean;
}

export interface Problem {
  readonly line: number;
  readonly text: string;
  /** Names the part of the line without quoting it. */
  readonly kind: string;
}

/** Nobody mends more of them before trying again: reading ends there. */
export const mostProblems = 100;

interface Reading {
  line: number;
  isIndented: boolean;
  isShifted: boolean;
  words: Word[];
  isCut: boolean;
}

/** So many lines are read before others are answered. */
export const linesAtOnce = 300;
/** Fewer lines where they are long: a few of them take as much time as many short ones. */
const charactersAtOnce = 10_000;
/** No record is that long. */
const mostCharacters = 20_000;

export interface ZoneLines {
  readonly lines: readonly ZoneLine[];
  readonly problems: readonly Problem[];
}

/** Says for each line that is read whether it is the turn of others. */
function createSlices(): (line: string) => boolean {
  let read = 0;
  return ({ length }) => {
    read += length + charactersAtOnce / linesAtOnce;
    if (read < charactersAtOnce) return false;
    read = 0;
    return true;
  };
}

export function* zoneLines(text: string): Generator<void, ZoneLines> {
  const lines: ZoneLine[] = [];
  const endsSlice = createSlices();
  const problems: Problem[] = [];
  let open: Reading | undefined;
  let depth = 0;
  const { plain, isShifted } = yield* dedented(text);
  for (const [index, raw] of plain.entries()) {
    if (problems.length >= mostProblems) break;
    if (endsSlice(raw)) yield;
    const line = index + 1;
    if (raw.length > mostCharacters) {
      problems.push({
        line,
        text: `it has ${raw.length} characters, and at most ${mostCharacters} are read`,
        kind: 'length',
      });
      continue;
    }
    const current: Reading = open ?? { line, isIndented: /^\s/.test(raw), isShifted, words: [], isCut: false };
    const end = readWords(raw, current.words);
    if (end.unclosed) problems.push({ line, text: 'a quote is opened and not closed on its line', kind: 'quotes' });
    current.isCut ||= end.isCut;
    depth += end.depth;
    if (depth < 0) {
      problems.push({ line, text: 'a ) closes nothing', kind: 'parentheses' });
      depth = 0;
    }
    open = depth > 0 ? current : undefined;
    if (open === undefined && current.words.length > 0) lines.push(current);
  }
  if (open !== undefined && problems.length < mostProblems)
    problems.push({ line: open.line, text: 'a ( is opened and never closed', kind: 'parentheses' });
  return { lines, problems };
}

/** Text copied out of somewhere indented is indented as a whole. */
function* dedented(text: string): Generator<void, { plain: string[]; isShifted: boolean }> {
  const lines: string[] = [];
  let least = Number.POSITIVE_INFINITY;
  const endsSlice = createSlices();
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (endsSlice(line)) yield;
    const plain = line.length > mostCharacters ? line : outsideQuotes(undoQuotes(line), undoKeyboards);
    lines.push(plain);
    if (plain.trim() !== '') least = Math.min(least, plain.length - plain.trimStart().length);
  }
  return { plain: lines.map((line) => line.slice(Math.min(least, line.length))), isShifted: least > 0 };
}

const token = /\s+|;[\s\S]*|[()]|"((?:[^"\\]|\\[\s\S])*)("|$)|(?:[^\s;()"\\]|\\[\s\S]|\\$)+/g;

function readWords(line: string, words: Word[]): { depth: number; unclosed: boolean; isCut: boolean } {
  let depth = 0;
  let unclosed = false;
  let isCut = false;
  let isWord = false;
  for (const [whole, quoted, close] of line.matchAll(token)) {
    isCut ||= isWord && /^;\s*\S/.test(whole);
    isWord = quoted === undefined && !/^[\s;()]/.test(whole);
    if (/^[\s;]/.test(whole)) continue;
    if (whole === '(') depth++;
    else if (whole === ')') depth--;
    else if (quoted === undefined) words.push({ text: whole, isQuoted: false });
    else {
      unclosed ||= close === '';
      words.push({ text: quoted, isQuoted: true });
    }
  }
  return { depth, unclosed, isCut };
}
