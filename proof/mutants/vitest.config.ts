import { defineConfig } from 'vitest/config';

/** The tests of one group of mutants. Each mutant runs them, so they are few and quick, and share one process. */
export default defineConfig({
  test: {
    include: (process.env.HOSTLER_MUTANT_TESTS ?? '').split(','),
    provide: { postgresUrl: process.env.HOSTLER_MUTANT_POSTGRES ?? '' },
    testTimeout: 20_000,
    isolate: false,
  },
});
