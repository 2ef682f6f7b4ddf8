import { join } from 'node:path';

/** The folder of package.json: one above `src`, and one above `dist`, where the bundle has no folders of its own. */
export const root = join(import.meta.dirname, '..');
