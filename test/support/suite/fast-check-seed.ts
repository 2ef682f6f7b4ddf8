import fc from 'fast-check';
import { seed } from './seed.ts';

// A setup file of vitest.config.ts. A property that fails prints the seed and the path that repeat it.
if (process.env.HOSTLER_SEED !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });
