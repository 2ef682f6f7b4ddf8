/** Quoted strings as zone files write them. */

/** Changes what stands outside of quoted strings: inside them each character is meant. */
export function outsideQuotes(text: string, change: (part: string) => string): string {
  return text
    .split(/("(?:[^"\\\r\n]|\\[^\r\n])*")/)
    .map((part, n) => (n % 2 === 1 ? part : change(part)))
    .join('');
}

/** Phones and editors curl quotes; no record wants them curled around a text. */
export function undoQuotes(text: string): string {
  return outsideQuotes(text, (part) => part.replace(/[“”„‟«»]/g, '"').replace(/[‘’‚‛]/g, "'"));
}

/** The text that strings mean, or a sentence that says why it cannot be kept. */
export type Meaning = { readonly text: string } | { readonly fault: string };

/** `"one " "two"` is the one text `one two`. Undefined when it is not quoted strings only. */
export function unquoted(value: string): Meaning | undefined {
  if (!/^\s*("(?:[^"\\]|\\[\s\S])*"\s*)+$/.test(value)) return undefined;
  return meaningOf([...value.matchAll(/"((?:[^"\\]|\\[\s\S])*)"/g)].map(([, inner = '']) => inner));
}

/** The text of a value that is kept, which may be quoted or not. Never throws: others may have written it. */
export function textOf(value: string): string {
  const meaning = unquoted(value);
  return meaning !== undefined && 'text' in meaning ? meaning.text : value;
}

/** An escape, one that is none, or what stands between them. */
const piece = /\\(\d{3})|\\(\D)|(\\)|[^\\]+/gsu;

/**
 * `\"`, `\\` and `\059` are the characters they stand for. DNS joins the bytes of all strings, so `"\195" "\169"` is one
 * é; bytes that are no text in UTF-8 cannot be kept, because the provider's API has texts only.
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
