import type { z } from 'zod';

/** Names each path and the expected type, never the value, which may be a password. */
export function issuesOf(error: z.ZodError): string {
  return error.issues
    .slice(0, 3)
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
    .join('; ');
}
