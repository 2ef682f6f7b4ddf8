/**
 * Breakages, each of them one line of the bot, and the test that must notice. A text that is no longer there is an error:
 * whoever changes the line says here what breaks it now.
 */
export interface Sabotage {
  readonly what: string;
  readonly file: string;
  /** Found once in the file, as it stands. */
  readonly text: string;
  readonly instead: string;
  readonly project: 'main' | 'crash';
  readonly test: string;
  /** A part of the test's name. */
  readonly name: string;
  /** Left out unless all are wanted: it waits in vain for minutes. */
  readonly isSlow?: boolean;
}

export const sabotages: readonly Sabotage[] = [
  {
    what: 'A payload that was here before is taken for a new one',
    file: 'src/store/inbox.ts',
    text: 'return deliveries.map((delivery) => isNew.has(delivery.key) && firsts.get(delivery.key) === delivery);',
    instead: 'return deliveries.map((delivery) => isNew.has(delivery.key) || firsts.has(delivery.key));',
    project: 'main',
    test: 'test/store/inbox.test.ts',
    name: 'the inbox',
  },
  {
    what: 'A step goes from pending to running without looking whether it is pending',
    file: 'src/store/steps.ts',
    text: "        .where('state', 'in', allowed)\n        .executeTakeFirstOrThrow();",
    instead: '        .executeTakeFirstOrThrow();',
    project: 'main',
    test: 'test/store/operations.test.ts',
    name: '',
  },
  {
    what: 'A write whose answer was lost is sent again',
    file: 'src/provider/transport.ts',
    text: "if (request.effect === 'write' || tries >= maxTries) return undefined;",
    instead: 'if (tries >= maxTries) return undefined;',
    project: 'main',
    test: 'test/provider/transport.test.ts',
    name: 'a write',
  },
  {
    what: 'A step that a killed process left running is called again',
    file: 'src/engine/advance.ts',
    text: "if (step.state === 'running') await markLost(kit, operation, step, wasStopped);",
    instead: "if (step.state === 'running') await startStep(kit, operation, { ...step, state: 'pending' }, watcher);",
    project: 'crash',
    test: 'test/crash/arrows.test.ts',
    name: 'the provider has the request',
  },
  {
    what: 'Votes are not looked at again when it runs',
    file: 'src/engine/votes.ts',
    text: 'if (answer.ok) continue;',
    instead: 'if (answer !== undefined) continue;',
    project: 'main',
    test: 'test/engine/approvals.test.ts',
    name: 'an approver who left the group',
  },
  {
    what: 'What changed after the approval does not matter',
    file: 'src/engine/begin.ts',
    text: 'const isSame = hashOf(plan.facts) === operation.factsHash && plan.nothingToDo === undefined;',
    instead: 'const isSame = plan.nothingToDo === undefined;',
    project: 'main',
    test: 'test/engine/changed.test.ts',
    name: 'refused: renamed after it was confirmed',
  },
  {
    what: 'The audit’s chain is not checked against the rows',
    file: 'src/store/audit.ts',
    text: 'if (why !== undefined) return { ok: false, seq: row.seq, why };',
    instead: '',
    project: 'main',
    test: 'test/store/audit.test.ts',
    name: 'the audit',
  },
  {
    what: 'Words from outside are not escaped',
    file: 'src/slack/outbound/words.ts',
    text: "return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');",
    instead: 'return text;',
    project: 'main',
    test: 'test/slack/desk.test.ts',
    name: 'hostile names',
  },
  {
    what: 'Acknowledged before it is stored',
    file: 'src/slack/flow/when-stored.ts',
    text: "if (inTime.kind === 'done') return inTime.value ? steps.isNew() : steps.isAgain();",
    instead: "if (inTime.kind !== 'failed') return steps.isNew();",
    project: 'main',
    test: 'test/slack/store-away.test.ts',
    name: 'a command that is not stored',
  },
  {
    what: 'Messages that wait hold up nobody behind them',
    file: 'src/store/messages.ts',
    text: ".where('notBefore', '>', at)\n",
    instead: ".where('notBefore', '<', 0)\n",
    project: 'main',
    test: 'test/store/messages.test.ts',
    name: 'the outbox',
  },
  {
    what: 'What a killed process had acknowledged is not taken up again',
    file: 'src/engine/intake/intake.ts',
    text: 'for (const row of await store.inbox.unfinished(100)) {',
    instead: 'for (const row of await store.inbox.unfinished(0)) {',
    project: 'crash',
    test: 'test/crash/arrows.test.ts',
    name: 'acknowledged is stored',
    isSlow: true,
  },
  {
    what: 'What reading does not settle is called done',
    file: 'src/engine/phases.ts',
    text: "const end = { so: 'done', not: 'failed', unsure: 'unknown' } as const;",
    instead: "const end = { so: 'done', not: 'failed', unsure: 'done' } as const;",
    project: 'crash',
    test: 'test/crash/provider-faults.test.ts',
    name: 'the connection breaks before',
    isSlow: true,
  },
  {
    what: 'A message that Slack does not take now is given up',
    file: 'src/slack/deliver.ts',
    text: 'await outbox.postpone(message.key, delayMs, sayFault(fault));',
    instead: 'await outbox.undeliverable(message.key, sayFault(fault));',
    project: 'crash',
    test: 'test/crash/slack-faults.test.ts',
    name: 'what is said during an hour',
    isSlow: true,
  },
  {
    what: 'A socket that closes is not opened again',
    file: 'src/slack/bolt/sockets.ts',
    text: 'while (!stopping.signal.aborted) {',
    instead: 'for (let isFirst = true; isFirst; isFirst = false) {',
    project: 'main',
    test: 'test/slack/sockets.test.ts',
    name: 'sockets that drop while somebody clicks',
  },
  {
    what: 'Bolt sees a signed null',
    file: 'src/slack/bolt/http-requests.ts',
    text: "return typeof value === 'object' && value !== null;",
    instead: 'return true;',
    project: 'crash',
    test: 'test/crash/fuzz.test.ts',
    name: 'mutated payloads',
    isSlow: true,
  },
  {
    what: 'An answer that cannot be written down is called an error',
    file: 'src/engine/ask.ts',
    text: 'if (!(error instanceof StoreUnavailable)) throw error;\n    kit.deps.log',
    instead: 'if (error instanceof Error) throw error;\n    kit.deps.log',
    project: 'crash',
    test: 'test/crash/database-faults.test.ts',
    name: 'SQLite that may write no more',
    isSlow: true,
  },
];
