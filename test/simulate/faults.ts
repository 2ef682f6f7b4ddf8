import type { Breakage } from '../support/broken-copy.ts';

/** Faults that were found and mended, put back one at a time: the simulation and its judge must find each. */
export interface PutBack extends Breakage {
  /** Ask for one by this name: `npm run test:simulate -- --faults votes`. */
  readonly name: string;
}

export const faults: readonly PutBack[] = [
  {
    name: 'votes',
    what: 'Votes are not looked at again before a step',
    file: 'src/engine/approval/vote-rules.ts',
    text: 'if (answer.ok) continue;',
    instead: 'continue;',
  },
  {
    name: 'steps',
    what: 'A step goes from pending to running without looking whether it is pending',
    file: 'src/store/steps.ts',
    text: ".where('state', '=', 'pending')\n",
    instead: '\n',
  },
  {
    name: 'turns',
    what: 'Two processes take turns of one request at a time',
    file: 'src/store/turns.ts',
    text: ".where('id', '=', id)\n        .where('turnUntil', '<=', clock())\n",
    instead: ".where('id', '=', id)\n",
  },
  {
    name: 'cut-off',
    what: 'A step that a killed process left running is called failed',
    file: 'src/engine/run/work.ts',
    text: 'for (const step of cutOff) await markLost(context, operation, step, wasInterrupted);',
    instead:
      "for (const { n } of cutOff) await context.store.steps.move(operation.id, n, 'running', 'failed', { note: 'cut off' });",
  },
  {
    name: 'unsettled',
    what: 'What reading does not settle is called done',
    file: 'src/engine/run/step-logic.ts',
    text: "({ so: 'done', not: 'failed', unsure: 'unknown' } as const)",
    instead: "({ so: 'done', not: 'failed', unsure: 'done' } as const)",
  },
  {
    name: 'between',
    what: 'Freezes and rights are not looked at again between steps',
    file: 'src/engine/run/may-begin.ts',
    text: "if (time.kind !== 'yes') return time;",
    instead: 'return time;',
  },
  {
    name: 'stop',
    what: 'A request that was stopped goes on',
    file: 'src/engine/run/may-begin.ts',
    text: 'if (operation.stopBy !== null) {',
    instead: "if (operation.stopBy === '') {",
  },
  {
    name: 'stop-late',
    what: 'A stop that comes between the last look and the write is overlooked',
    file: 'src/store/steps.ts',
    text: ".where('stopBy', 'is', null)",
    instead: '',
  },
  {
    name: 'twice',
    what: 'A payload that was here before is taken for a new one',
    file: 'src/store/inbox.ts',
    text: 'return deliveries.map((delivery) => isNew.has(delivery.key) && firsts.get(delivery.key) === delivery);',
    instead: 'return deliveries.map((delivery) => isNew.has(delivery.key) || firsts.has(delivery.key));',
  },
  {
    name: 'self',
    what: 'People approve their own requests',
    file: 'src/core/evaluate.ts',
    text: "if (!isSolo) return { ok: false, because: 'you asked for this, so somebody else must approve' };",
    instead: '',
  },
  {
    name: 'approvers',
    what: 'Whoever is there may approve',
    file: 'src/core/evaluate.ts',
    text: 'if (approver.isAdmin || rule.by.some((subject) => is(subject, approver))) return { ok: true };',
    instead: 'return { ok: true };',
  },
  {
    name: 'error',
    what: 'A job that ended in error is called done',
    file: 'src/engine/run/step-logic.ts',
    text: "if (job.job_state === 'error') {",
    instead:
      "if (job.job_state === 'error') return { kind: 'end', state: 'done', note: job.note };\n    if (job.job_state === 'x') {",
  },
  {
    name: 'end',
    what: 'An end does not look at the state from which it comes',
    file: 'src/store/operations.ts',
    text: ".where('state', 'in', allowed)",
    instead: '',
  },
];
