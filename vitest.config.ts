import { defineConfig } from 'vitest/config';

// The browser and crash suites start processes and take minutes; `npm test` is everything else.
export default defineConfig({
  test: {
    globalSetup: ['test/support/postgres-server.ts'],
    testTimeout: 20_000,
    // Most of them wait for loopback, disks and databases more than they compute.
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'main',
          include: ['test/**/*.test.ts'],
          exclude: ['test/browser/**', 'test/crash/**', 'test/acceptance/**', 'test/ship/**', 'test/cli/**'],
        },
      },
      {
        extends: true,
        // Whole processes, one file at a time and after the others: people's three seconds run in real time there.
        test: {
          name: 'process',
          globalSetup: ['test/support/bundle.ts'],
          include: ['test/{acceptance,ship,cli}/**/*.test.ts'],
          fileParallelism: false,
          testTimeout: 60_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: { name: 'postgres', include: ['test/engine/**/*.test.ts'], env: { HOSTLER_TEST_ENGINE: 'postgres' } },
      },
      {
        extends: true,
        test: { name: 'browser', include: ['test/browser/**/*.test.ts'], testTimeout: 120_000, fileParallelism: false },
      },
      {
        extends: true,
        test: {
          name: 'crash',
          globalSetup: ['test/support/bundle.ts'],
          include: ['test/crash/**/*.test.ts'],
          testTimeout: 600_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
