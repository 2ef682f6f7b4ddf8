import { z } from 'zod';

type ReadOutside<T> =
  | { readonly success: true; readonly data: T }
  | { readonly success: false; readonly error: z.ZodError };

/**
 * safeParse for what comes from outside. zod compares the `length` of what is no text as well, and throws when that cannot
 * be compared (4.6.7, core/checks.js): a stranger's JSON must not look like a bug of ours.
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
