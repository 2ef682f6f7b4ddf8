import type { z } from 'zod';

/** For names and tags that a grant can name, in whose patterns `*` matches anything. */
export function withoutStar(schema: z.ZodString): z.ZodString {
  return schema.regex(/^[^*]*$/, 'without *, which stands for anything in a grant');
}
