import { z } from 'zod';

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
    return {
      success: false,
      error: new z.ZodError([{ code: 'custom', path: [], message: 'it is of no known shape' }]),
    };
  }
}
