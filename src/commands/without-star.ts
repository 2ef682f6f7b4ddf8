import type { z } from 'zod';

/** Names and tags that a grant can name: there `*` stands for anything. */
export function withoutStar(schema: z.ZodString): z.ZodString {
  return schema.regex(/^[^*]*$/, 'without *, which stands for anything in a grant');
}
