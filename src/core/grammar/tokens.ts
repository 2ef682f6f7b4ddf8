import { undoKeyboards } from './typed.ts';

/** What was typed, as words. */

export interface Token {
  readonly text: string;
  /** Quoted words are text, never options: `"v=spf1 -all"`. */
  readonly isQuoted: boolean;
}

/** What opens a quote, and all that may close it: phones curl quotes one way or the other. */
const closers: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '“': '“”"',
  '”': '“”"',
  '„': '“”"',
  '‘': "‘’'",
  '’': "‘’'",
  '«': '»',
  '`': '`',
};

export function tokenize(input: string): Token[] {
  const text = undoKeyboards(input);
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    if (/\s/.test(text.charAt(at))) {
      at++;
      continue;
    }
    const fence = text.startsWith('```', at) ? text.indexOf('```', at + 3) : -1;
    if (fence > 0) {
      tokens.push({ text: text.slice(at + 3, fence).trim(), isQuoted: true });
      at = fence + 3;
      continue;
    }
    const [token, end] = readWord(text, at);
    tokens.push(token);
    at = end;
  }
  return tokens;
}

/** A word may have quoted stretches in it: `value="a b"` is one word whose name part is not quoted. */
function readWord(text: string, start: number): [Token, number] {
  let word = '';
  let at = start;
  const isQuoted = closingQuote(text, start) > 0;
  while (at < text.length && !/\s/.test(text.charAt(at))) {
    const opensHere = at === start || /[=:]/.test(text.charAt(at - 1));
    const close = opensHere ? closingQuote(text, at) : -1;
    if (close > 0) {
      word += text.slice(at + 1, close).replace(/\\(["'\\])/g, '$1');
      at = close + 1;
    } else {
      word += text.charAt(at);
      at++;
    }
  }
  return [{ text: word, isQuoted }, at];
}

/** Where the quote that opens at `at` closes; -1 when none opens, or it never closes (then it is a plain character). */
function closingQuote(text: string, at: number): number {
  const close = closers[text.charAt(at)];
  if (close === undefined) return -1;
  for (let i = at + 1; i < text.length; i++) {
    if (text.charAt(i) === '\\') i++;
    else if (close.includes(text.charAt(i)) && (i + 1 === text.length || /[\s,;]/.test(text.charAt(i + 1)))) return i;
  }
  return -1;
}

/** A word as it has to be typed to come back as itself. */
export function quote(word: string): string {
  return word !== '' &&
    /^[\p{L}\p{N}_.*@/#:=,+~^%-]+$/u.test(word) &&
    !word.startsWith('--') &&
    !/^[^\s:=]+[:=]/.test(word)
    ? word
    : `"${word.replace(/(["'\\])/g, '\\$1')}"`;
}
