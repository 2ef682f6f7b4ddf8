import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** The tests of the proof package, for `npm --prefix proof test`. They run in the repository's folder. */
export default defineConfig({
  test: {
    root: join(import.meta.dirname, '..'),
    include: ['proof/**/*.test.ts'],
    setupFiles: ['test/support/suite/fast-check-seed.ts'],
    testTimeout: 600_000,
    isolate: false,
  },
});
