import { undoKeyboards } from '../text/undo-typing.ts';
import { outsideQuotes, undoQuotes } from './quoted.ts';

/** Splits zone text into lines of words: drops comments, joins parentheses and parses quotes. */

export interface Word {
  /** Includes escapes, whose meaning differs between texts and names. */
  readonly text: string;
  readonly isQuoted: boolean;
}

export interface ZoneLine {
  /** The number of the first line, from 1. */
  readonly line: number;
  /** The line begins with a space: it belongs to the name of the line before. */
  readonly isIndented: boolean;
  /** All lines of the text begin with a space, which then has no meaning. */
  readonly isShifted: boolean;
  readonly words: readonly Word[];
  /** An unquoted word ends at an adjacent semicolon: `v=DKIM1; k=rsa`. */
  readonly isCut: boolean;
}

export interface Problem {
  readonly line: number;
  readonly text: string;
  /** The name of the wrong part, without quoting it. */
  readonly kind: string;
}

/** Reading ends here, since people fix fewer problems before they try again. */
export const mostProblems = 100;

type Reading = ZoneLine & { words: Word[]; isCut: boolean };

/** Lines to read before the event loop handles other work. */
export const linesAtOnce = 300;
/** Long lines count more, since they take more time. */
const charactersAtOnce = 10_000;
/** Longer than any record. */
const mostCharacters = 20_000;

/** Returns a function that tells after each line whether the slice ends. */
function createSlices(): (line: string) => boolean {
  let read = 0;
  return ({ length }) => {
    read += length + charactersAtOnce / linesAtOnce;
    if (read < charactersAtOnce) return false;
    read = 0;
    return true;
  };
}

export function* zoneLines(text: string) {
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
      const text = `it has ${raw.length} characters, and at most ${mostCharacters} are read`;
      problems.push({ line, text, kind: 'length' });
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

/** Removes a common indentation, as in text copied from an indented block. */
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
