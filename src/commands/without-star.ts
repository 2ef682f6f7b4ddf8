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

/** For texts that the provider keeps: not empty, and not too long. */
export function filled(noun: string, most: number): z.ZodString {
  const schema = z.string().trim().min(1, `a ${noun} that is not empty`);
  return schema.max(most, `a ${noun} of at most ${most.toLocaleString('en-US')} characters`);
}
