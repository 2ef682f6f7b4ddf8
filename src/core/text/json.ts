import { createHash } from 'node:crypto';
import { z } from 'zod';

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

/** Changes each text in data, of which the shape stays. */
export function mapStrings<T extends Json>(value: T, change: (text: string) => string): T {
  return JSON.parse(JSON.stringify(value), (_, item) => (typeof item === 'string' ? change(item) : item));
}

type ReadOutside<T> =
  | { readonly success: true; readonly data: T }
  | { readonly success: false; readonly error: z.ZodError };

/**
 * safeParse for data from outside. zod also compares the `length` of values that are not text, and throws if it cannot
 * be compared (4.6.7, core/checks.js): foreign JSON must not look like a bug in the bot.
 */
export function safeParse<S extends z.ZodType>(schema: S, value: unknown): ReadOutside<z.output<S>> {
  try {
    return schema.safeParse(value);
  } catch {
    const error = new z.ZodError([{ code: 'custom', path: [], message: 'it is of no known shape' }]);
    return { success: false, error };
  }
}
