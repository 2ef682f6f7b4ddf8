/** Quoted strings as zone files write them. */

/** Phones and editors curl quotes; no record wants them curled. */
export function undoQuotes(text: string): string {
  return text.replace(/[“”„‟«»]/g, '"').replace(/[‘’‚‛]/g, "'");
}

/** `"one " "two"` is the one text `one two`. Undefined when it is not quoted strings only. */
export function unquoted(value: string): string | undefined {
  if (!/^\s*("(?:[^"\\]|\\[\s\S])*"\s*)+$/.test(value)) return undefined;
  return [...value.matchAll(/"((?:[^"\\]|\\[\s\S])*)"/g)].map(([, inner = '']) => unescaped(inner)).join('');
}

/** `\"`, `\\` and `\059` as the characters they stand for. */
export function unescaped(inner: string): string {
  return inner.replace(/\\(?:(\d{3})|([\s\S]))/g, (_, code: string | undefined, char: string | undefined) =>
    code === undefined ? (char ?? '') : String.fromCharCode(Number(code)),
  );
}

export function quotedString(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&')}"`;
}
