import { defineConfig } from 'vitest/config';

/**
 * The tests that must fail when an expression of the permission path (stryker.json) is replaced. Each mutant runs the
 * tests that reach it, so they are few and quick, and share one process.
 */
export default defineConfig({
  test: {
    include: [
      'test/core/policy/{evaluate,evaluate-approve,policy,policy-warnings}.test.ts',
      'test/core/command/patterns.test.ts',
      'test/engine/access/{access,decide-plan,frozen,policies}.test.ts',
      'test/engine/approval/{approval,propose-again-card,vote,vote-clicks}.test.ts',
      'test/engine/operation/ends-stories.test.ts',
      'test/engine/run/{fence,may-begin,may-begin-held,may-begin-refused,work-between-steps}.test.ts',
      'test/engine/run/{recheck-plan,recheck-plan-upgrade,recheck-plan-votes,send-step,send-step-stored}.test.ts',
    ],
    // One database is enough, and SQLite needs no server.
    testNamePattern: /^(?!.*\bon postgres\b)/,
    provide: { postgresUrl: '' },
    testTimeout: 20_000,
    isolate: false,
  },
});
