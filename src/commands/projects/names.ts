import { z } from 'zod';

/** The lengths that the provider allows, checked before anything is sent. */
export const projectName = z
  .string()
  .trim()
  .min(1, 'a name that is not empty')
  .max(40, 'at most 40 characters long')
  .regex(/^\P{Cc}*$/u, 'one line');

export const projectComment = z.string().trim().max(256, 'at most 256 characters long');

export const projectStep = z.object({ id: z.number(), name: z.string() });
