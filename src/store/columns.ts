import type { Json } from '../core/text/json.ts';

export function parseJson(text: string): Json {
  return JSON.parse(text);
}

/** Null for a column that was never written, and for the JSON value null. */
export function parseJsonOrNull(text: string | null): Json | null {
  return text === null ? null : parseJson(text);
}

export function jsonText(value: Json): string {
  return JSON.stringify(value);
}

export function jsonTextOrNull(value: Json | null): string | null {
  return value === null ? null : jsonText(value);
}

/**
 * Removes NUL, which PostgreSQL rejects in text, and lone surrogates, which no engine stores. Use before comparing or
 * hashing.
 */
export function plainText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '');
}

/** The JSON list that a dialect's `isAmong` takes. */
export function textList(texts: readonly string[]): string {
  return JSON.stringify(texts.map(plainText));
}
