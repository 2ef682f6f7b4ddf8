import { undoDash, undoKeyboards } from '../text/undo-typing.ts';

/** Splits typed lines into words. */

export interface Token {
  readonly text: string;
  /** A quoted word is text, never an option: `"v=spf1 -all"`. */
  readonly isQuoted: boolean;
}

/** Each opening quote, and behind it its possible closing quotes, since phones curl quotes in various ways. */
const quotes = `"" '' ““”" ”“”" „“”" ‘‘’' ’‘’' «» \`\``;
const closers = new Map(quotes.split(' ').map((each) => [each.charAt(0), each.slice(1)]));

export function tokenize(input: string): Token[] {
  const text = undoKeyboards(input);
  const tokens: Token[] = [];
  const unclosed = new Set<string>();
  let at = 0;
  while (at < text.length) {
    if (/\s/.test(text.charAt(at))) {
      at++;
      continue;
    }
    const [token, end] = readWord(text, at, unclosed);
    tokens.push(token);
    at = end;
  }
  return tokens;
}

/** Reads one word, which may contain quoted parts: `value="a b"` is one word whose name is not quoted. */
export function readWord(text: string, start: number, unclosed: Set<string>): [Token, number] {
  let word = '';
  let at = start;
  let isQuoted = false;
  while (at < text.length && !/\s/.test(text.charAt(at))) {
    const opensHere = at === start || /[=:]/.test(text.charAt(at - 1));
    const stretch = opensHere ? (readFence(text, at) ?? readQuoted(text, at, unclosed)) : undefined;
    if (stretch === undefined) {
      word += text.charAt(at);
      at++;
    } else {
      if (at === start) isQuoted = true;
      word += stretch.inner;
      at = stretch.end;
      if (stretch.isFence) break;
    }
  }
  return [{ text: isQuoted ? word : undoDash(word), isQuoted }, at];
}

interface Stretch {
  readonly inner: string;
  readonly end: number;
  readonly isFence: boolean;
}

function readFence(text: string, at: number): Stretch | undefined {
  const close = text.startsWith('```', at) ? text.indexOf('```', at + 3) : -1;
  return close < 0 ? undefined : { inner: text.slice(at + 3, close).trim(), end: close + 3, isFence: true };
}

function readQuoted(text: string, at: number, unclosed: Set<string>): Stretch | undefined {
  const close = closingQuote(text, at, unclosed);
  if (close < 0) return undefined;
  const inner = text
    .slice(at + 1, close)
    .replace(/\\(?:(["'\\])|u([0-9a-f]{4}))/g, (_, char: string | undefined, code: string) =>
      char === undefined ? String.fromCharCode(Number.parseInt(code, 16)) : char,
    );
  return { inner, end: close + 1, isFence: false };
}

/**
 * Finds the end of the quote that opens at `at`; -1 if none opens or if it never closes and is a plain character.
 * Remembers quotes that never close, so that a line full of them is still parsed in one pass.
 */
function closingQuote(text: string, at: number, unclosed: Set<string>): number {
  const close = closers.get(text.charAt(at));
  if (close === undefined || unclosed.has(close)) return -1;
  for (let i = at + 1; i < text.length; i++) {
    if (text.charAt(i) === '\\') i++;
    else if (close.includes(text.charAt(i)) && (i + 1 === text.length || /[\s,;]/.test(text.charAt(i + 1)))) return i;
  }
  unclosed.add(close);
  return -1;
}

/** Quotes a word so that it is parsed as itself. */
export function quote(word: string): string {
  return /^[\p{L}\p{N}_.*@/#:=,+~^%-]+$/u.test(word) && !word.startsWith('--') && !/^[^\s:=]+[:=]/.test(word)
    ? word
    : inQuotes(word);
}

/** Like `quote` for a value after `name=`, which needs quotes only around quotes or spaces. */
export function quoteValue(value: string): string {
  return /^[\p{L}\p{N}_.*@/#:=,+~^%&?!()[\]{}<>|$-]+$/u.test(value) ? value : inQuotes(value);
}

/** Restores a typed word: quoted text stays text, an option stays an option. */
export function retype(token: Token): string {
  if (token.isQuoted) return quote(token.text);
  const [, name = '', value] = /^(-{0,2}\p{L}[\p{L}\p{N}_-]*[=:])([\s\S]*)$/u.exec(token.text) ?? [];
  if (value !== undefined) return name + quoteValue(value);
  return /^--\p{L}[\p{L}\p{N}_-]*$/u.test(token.text) ? token.text : quote(token.text);
}

/** Escapes characters that undoKeyboards would change: a name is kept, and its invisible characters are visible. */
export function inQuotes(word: string): string {
  const escaped = word
    .replace(/["'\\]/g, '\\$&')
    .replace(
      /[\u00a0\u1680\u2000-\u200f\u202a-\u202f\u205f-\u2069\u3000\ufeff]/g,
      (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
  return `"${escaped}"`;
}

export function shorten(word: string): string {
  const clean = word.replaceAll('`', "'");
  return clean.length > 40 ? `${clean.slice(0, 39)}…` : clean;
}
