import { join } from 'node:path';

/** The folder of package.json: one above `src`, and one above `dist`, whose files are all at its top. */
export const root = join(import.meta.dirname, '..');
