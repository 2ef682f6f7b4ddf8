import type { OperationSummary } from '../../src/core/command/bot-port.ts';

/** A request as the bot remembers it: a confirmed restart, with what differs. */
export const operationSummary = (more: Partial<OperationSummary>): OperationSummary => ({
  ...{ id: 'a7f3c2', title: 'Restart web-1', risk: 'disruptive', state: 'done' },
  ...{
    requester: 'U1',
    token: null,
    channel: 'C1',
    targets: [],
    names: [],
    createdAt: 0,
    endedAt: null,
    endText: null,
  },
  ...{
    undo: null,
    rule: 'confirm',
    waitsFor: null,
    isStopped: false,
    startsAt: 0,
    waitsForThaw: null,
    isPatient: false,
    stoppedBy: null,
    isRun: false,
    steps: [],
  },
  ...more,
});
