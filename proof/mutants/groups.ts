/** Files that decide or write, in groups, with the tests that must notice when a line of them is changed. */
export interface MutantGroup {
  readonly name: string;
  readonly files: readonly string[];
  readonly tests: readonly string[];
  /**
   * Percent of the mutants that a test must kill. 100: whatever survives has to be in survivors.ts with its reason, since
   * the group decides who may do something, or writes.
   */
  readonly goal: 90 | 100;
  /** Its tests need a PostgreSQL. */
  readonly needsPostgres?: true;
}

export const groups: readonly MutantGroup[] = [
  {
    name: 'permissions',
    files: ['src/core/evaluate.ts', 'src/core/patterns.ts', 'src/core/policy.ts'],
    tests: [
      'test/core/evaluate.test.ts',
      'test/core/may-approve.test.ts',
      'test/core/policy.test.ts',
      'test/core/policy-warnings.test.ts',
    ],
    goal: 100,
  },
  {
    name: 'access',
    files: ['freezes', 'decide-plan', 'may-see', 'access', 'actor', 'allowed-names', 'policies'].map(
      (name) => `src/engine/access/${name}.ts`,
    ),
    tests: ['frozen-by', 'decide-plan', 'access-of', 'policies'].map((name) => `test/engine/${name}.test.ts`),
    goal: 100,
  },
  {
    name: 'requests',
    files: ['create', 'end', 'announce-end'].map((name) => `src/engine/operation/${name}.ts`),
    tests: ['propose', 'announce-end'].map((name) => `test/engine/${name}.test.ts`),
    goal: 100,
  },
  {
    name: 'votes',
    files: ['vote', 'vote-form', 'vote-rules', 'decide', 'expire'].map((name) => `src/engine/approval/${name}.ts`),
    tests: [
      'test/engine/clicks.test.ts',
      'test/engine/votes.test.ts',
      'test/engine/approvals.test.ts',
      'test/engine/between-steps.test.ts',
      'test/engine/endings.test.ts',
      'test/engine/second-look.test.ts',
      'test/engine/upgrade.test.ts',
    ],
    goal: 100,
  },
  {
    name: 'second-look',
    files: ['src/engine/run/may-begin.ts', 'src/engine/run/recheck.ts', 'src/engine/run/hold.ts'],
    tests: [
      'test/engine/before-it-runs.test.ts',
      'test/engine/does-not-run.test.ts',
      'test/engine/between-steps.test.ts',
      'test/engine/changed.test.ts',
      'test/engine/upgrade.test.ts',
      'test/engine/second-look.test.ts',
      'test/engine/kept.test.ts',
      'test/engine/freeze.test.ts',
      'test/engine/holds.test.ts',
      'test/engine/asked-anew.test.ts',
      'test/engine/whole-again.test.ts',
      'test/engine/sending.test.ts',
    ],
    goal: 100,
  },
  {
    name: 'fence',
    files: ['src/engine/run/same-facts.ts', 'src/engine/run/fence.ts'],
    tests: ['test/engine/same-facts.test.ts', 'test/engine/fence.test.ts'],
    goal: 100,
  },
  {
    name: 'steps',
    files: ['src/engine/run/work.ts', 'src/engine/run/send-step.ts', 'src/engine/run/step-phases.ts'],
    tests: [
      'test/engine/turns.test.ts',
      'test/engine/sending.test.ts',
      'test/engine/ends-in-words.test.ts',
      'test/engine/slow.test.ts',
      'test/engine/does-not-run.test.ts',
      'test/engine/kept.test.ts',
      'test/engine/between-steps.test.ts',
      'test/engine/evidence.test.ts',
      'test/engine/step-phases.test.ts',
    ],
    goal: 100,
  },
  {
    name: 'step-logic',
    files: ['src/engine/run/step-logic.ts'],
    tests: ['test/engine/step-logic.test.ts'],
    goal: 100,
  },
  {
    name: 'ends',
    files: ['src/engine/run/finish.ts'],
    tests: ['test/engine/ends-in-words.test.ts', 'test/alerts/ssh-keys.test.ts'],
    goal: 100,
  },
  {
    name: 'answers',
    files: ['src/engine/run/answer-keeper.ts', 'src/engine/run/lost-answer.ts'],
    tests: ['answer-keeper', 'lost-answer', 'kept', 'turns', 'sending', 'ends-in-words'].map(
      (name) => `test/engine/${name}.test.ts`,
    ),
    goal: 100,
  },
  {
    name: 'turns',
    files: ['src/engine/run/runner.ts', 'src/engine/run/advance.ts'],
    tests: ['runner', 'runner-rules', 'advance'].map((name) => `test/engine/${name}.test.ts`),
    goal: 100,
  },
  {
    name: 'watches',
    files: ['step-watcher', 'abandon', 'absence', 'recovery'].map((name) => `src/engine/run/${name}.ts`),
    tests: ['step-watcher', 'abandon', 'absence', 'recovery'].map((name) => `test/engine/${name}.test.ts`),
    goal: 100,
  },
  {
    name: 'outbox',
    files: ['src/engine/context/outbox.ts'],
    tests: ['test/engine/outbox-writer.test.ts'],
    goal: 100,
  },
  {
    name: 'audit',
    files: ['src/store/audit-append.ts'],
    tests: ['test/store/audit-append.test.ts'],
    goal: 100,
    needsPostgres: true,
  },
  {
    name: 'statements',
    files: ['steps', 'votes', 'locks', 'turns'].map((name) => `src/store/${name}.ts`),
    tests: ['steps', 'votes', 'lock-rules', 'turn-rules', 'skew'].map((name) => `test/store/${name}.test.ts`),
    goal: 100,
    needsPostgres: true,
  },
  {
    name: 'request-statements',
    files: ['operations', 'holds'].map((name) => `src/store/${name}.ts`),
    tests: ['operation-rules', 'operation-lists', 'hold-rules'].map((name) => `test/store/${name}.test.ts`),
    goal: 100,
    needsPostgres: true,
  },
  {
    name: 'claim-statements',
    files: ['inbox', 'leases', 'claims', 'freezes'].map((name) => `src/store/${name}.ts`),
    tests: ['inbox', 'lease', 'freeze'].map((name) => `test/store/${name}-rules.test.ts`),
    goal: 100,
    needsPostgres: true,
  },
  {
    name: 'message-statements',
    files: ['messages', 'claim-messages', 'cards'].map((name) => `src/store/${name}.ts`),
    tests: ['message', 'claim-message', 'card'].map((name) => `test/store/${name}-rules.test.ts`),
    goal: 100,
    needsPostgres: true,
  },
  {
    name: 'transport',
    files: ['src/provider/transport.ts', 'src/provider/exchange.ts', 'src/provider/slots.ts'],
    tests: [
      'test/provider/slots.test.ts',
      'test/provider/wire.test.ts',
      'test/provider/transport.test.ts',
      'test/provider/client.test.ts',
    ],
    goal: 100,
  },
  {
    name: 'redaction',
    files: ['src/core/strike-secrets.ts', 'src/log.ts'],
    tests: ['test/core/strike-secrets.test.ts', 'test/log.test.ts'],
    goal: 100,
  },
  {
    name: 'dns',
    files: ['src/core/dns/values.ts', 'src/core/dns/zone-diff.ts', 'src/core/dns/names.ts'],
    tests: [
      'test/core/dns/names.test.ts',
      'test/core/dns/values.test.ts',
      'test/core/dns/zone-diff.test.ts',
      'test/core/dns/zone-text.test.ts',
    ],
    goal: 90,
  },
  {
    name: 'grammar',
    files: ['parse', 'take', 'tokens', 'typed', 'find', 'other-order', 'polite', 'not-possible'].map(
      (name) => `src/core/grammar/${name}.ts`,
    ),
    tests: [
      'test/core/grammar/parse.test.ts',
      'test/core/grammar/options.test.ts',
      'test/core/grammar/takes.test.ts',
      'test/core/grammar/words.test.ts',
      'test/core/grammar/tokens.test.ts',
      'test/core/grammar/typed.test.ts',
      'test/core/grammar/careless.test.ts',
      'test/core/grammar/ways-of-saying.test.ts',
      'test/core/grammar/not-possible.test.ts',
    ],
    goal: 90,
  },
  {
    name: 'forms',
    files: ['src/core/args.ts', 'src/core/command-form.ts'],
    tests: ['args', 'args-rules', 'command-form', 'command-form-fields'].map((name) => `test/core/${name}.test.ts`),
    goal: 90,
  },
];
