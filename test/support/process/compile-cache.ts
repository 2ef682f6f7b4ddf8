import { join } from 'node:path';

/**
 * For the environment of a script that a test starts: the bot keeps there what it compiled (src/main.ts), and a script has
 * the same modules to compile, which takes longer than all else of its start.
 */
export const compileCache = {
  NODE_COMPILE_CACHE: join(import.meta.dirname, '../../../node_modules/.cache/hostler'),
};
