/** Quoted strings in the notation of zone files. */

/** Changes the text outside quoted strings, inside which every character is literal. */
export function outsideQuotes(text: string, change: (part: string) => string): string {
  return text
    .split(/("(?:[^"\\\r\n]|\\[^\r\n])*")/)
    .map((part, n) => (n % 2 === 1 ? part : change(part)))
    .join('');
}

/** Straightens the curled quotes of phones and editors. */
export function undoQuotes(text: string): string {
  return outsideQuotes(text, (part) => part.replace(/[“”„‟«»]/g, '"').replace(/[‘’‚‛]/g, "'"));
}

/** The text of quoted strings, or a sentence that says why it cannot be stored. */
export type Meaning = { readonly text: string } | { readonly fault: string };

/** Joins `"one " "two"` to `one two`; undefined unless the value consists of quoted strings. */
export function unquoted(value: string): Meaning | undefined {
  if (!/^\s*("(?:[^"\\]|\\[\s\S])*"\s*)+$/.test(value)) return undefined;
  return meaningOf([...value.matchAll(/"((?:[^"\\]|\\[\s\S])*)"/g)].map(([, inner = '']) => inner));
}

/** The text of a stored value, quoted or not. Never throws, since other tools may have written the value. */
export function textOf(value: string): string {
  const meaning = unquoted(value);
  return meaning !== undefined && 'text' in meaning ? meaning.text : value;
}

/** An escape, an invalid escape, or the text between. */
const piece = /\\(\d{3})|\\(\D)|(\\)|[^\\]+/gsu;

/**
 * Resolves the escapes `\"`, `\\` and `\059`. DNS joins the bytes of all strings, so `"\195" "\169"` is one é. Bytes
 * that are not UTF-8 cannot be stored, because the provider's API has only text.
 */
export function meaningOf(strings: readonly string[]): Meaning {
  const bytes: Uint8Array[] = [];
  for (const string of strings) {
    if (!string.isWellFormed()) return { fault: 'it has half a character in it.' };
    for (const [whole, digits, char, alone] of string.matchAll(piece)) {
      if (alone !== undefined) return { fault: 'a \\ stands before three digits or another character.' };
      if (Number(digits) > 255) return { fault: `\\${digits} is no byte: they end at \\255.` };
      bytes.push(digits === undefined ? encoder.encode(char ?? whole) : Uint8Array.of(Number(digits)));
    }
  }
  try {
    return { text: decoder.decode(Buffer.concat(bytes)) };
  } catch {
    return { fault: 'its bytes are not UTF-8, and the provider keeps text.' };
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function quotedString(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&')}"`;
}
