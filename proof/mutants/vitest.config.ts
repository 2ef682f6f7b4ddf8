import { defineConfig } from 'vitest/config';

const ofCore = ['evaluate', 'patterns', 'may-approve', 'policy', 'policy-warnings'];
const ofEngine = [
  ...['frozen-by', 'decide-plan', 'access-of', 'policies', 'clicks', 'votes', 'approvals', 'endings', 'upgrade'],
  ...['before-it-runs', 'does-not-run', 'between-steps', 'changed', 'second-look', 'kept', 'freeze', 'holds'],
  ...['asked-anew', 'whole-again', 'sending', 'fence'],
];

/**
 * The tests that must fail when an expression of the permission path (stryker.json) is replaced. Each mutant runs the
 * tests that reach it, so they are few and quick, and share one process.
 */
export default defineConfig({
  test: {
    include: [
      ...ofCore.map((name) => `test/core/${name}.test.ts`),
      ...ofEngine.map((name) => `test/engine/${name}.test.ts`),
    ],
    // One database is enough, and SQLite needs no server.
    testNamePattern: /^(?!.*\bon postgres\b)/,
    provide: { postgresUrl: '' },
    testTimeout: 20_000,
    isolate: false,
  },
});
