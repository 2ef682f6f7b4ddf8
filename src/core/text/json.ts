import { createHash } from 'node:crypto';

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** Converts plain data of another type to Json by a round trip. */
export function toJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value));
}

/** The value of a text from outside; undefined if it is not JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** JSON with sorted keys, so that equal values have equal text. */
export function canonicalJson(value: Json): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(',')}}`;
}

/** The hash that an approval is bound to. */
export function hashOf(value: Json): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}

export function mapStrings(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value);
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapStrings(item, change)]));
}
