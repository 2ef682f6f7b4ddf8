import { z } from 'zod';

/** For names and tags that a grant can name, in whose patterns `*` matches anything. */
export function withoutStar(schema: z.ZodString): z.ZodString {
  return schema.regex(/^[^*]*$/, 'without *, which stands for anything in a grant');
}

/** For names that the provider keeps in one line. */
export function oneLine(most: number): z.ZodString {
  const schema = z.string().trim().max(most, `at most ${most} characters long`);
  return schema.regex(/^\P{Cc}*$/u, 'one line');
}
