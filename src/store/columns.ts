import type { Json } from '../core/text/json.ts';

export function parseJson(text: string): Json {
  return JSON.parse(text);
}

/** A column that was never written is null; so is the JSON value null. */
export function parseJsonOrNull(text: string | null): Json | null {
  return text === null ? null : parseJson(text);
}

export function jsonText(value: Json): string {
  return JSON.stringify(value);
}

export function jsonTextOrNull(value: Json | null): string | null {
  return value === null ? null : jsonText(value);
}

/** PostgreSQL keeps no NUL in text and no engine keeps half a surrogate pair: take them out before they are compared or hashed. */
export function plainText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '');
}

/** Texts for `isAmong` of a dialect. */
export function textList(texts: readonly string[]): string {
  return JSON.stringify(texts.map(plainText));
}
