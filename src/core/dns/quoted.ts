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

/** `"one " "two"` is the one text `one two`. Undefined when it is not quoted strings only. */
export function unquoted(value: string): string | undefined {
  if (!/^\s*("(?:[^"\\]|\\[\s\S])*"\s*)+$/.test(value)) return undefined;
  return [...value.matchAll(/"((?:[^"\\]|\\[\s\S])*)"/g)].map(([, inner = '']) => unescaped(inner)).join('');
}

/** `\"`, `\\` and `\059` as the characters they stand for; `\195\169` are the bytes of one, é. */
export function unescaped(inner: string): string {
  return inner.replace(/((?:\\\d{3})+)|\\([\s\S])/g, (_, bytes: string | undefined, char: string | undefined) =>
    bytes === undefined ? (char ?? '') : textOf(bytes.split('\\').slice(1).map(Number)),
  );
}

function textOf(bytes: readonly number[]): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes));
  } catch {
    // Not UTF-8: each byte is a character of its own.
    return String.fromCharCode(...bytes);
  }
}

export function quotedString(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&')}"`;
}
