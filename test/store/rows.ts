import { accountTarget } from '../../src/core/account/account.ts';
import type { Finding } from '../../src/core/alert/alert.ts';
import type { NewAlert } from '../../src/store/records/alerts.ts';
import type { NewOperation } from '../../src/store/records/operation-row.ts';
import type { NewStep } from '../../src/store/records/steps.ts';

/** Rows as the engine writes them, for tests of the store alone. */
export function newOperation(more: Partial<NewOperation> & { id: string }): NewOperation {
  return {
    command: 'restart',
    args: {},
    channel: 'C1',
    requester: 'U1',
    risk: 'disruptive',
    rule: {},
    policyVersion: '1',
    plan: { title: 'x' },
    factsHash: 'abc',
    ...more,
  };
}

export function newStep(n: number): NewStep {
  return { n, target: `order:${n}`, label: `step ${n}`, data: { n } };
}

function findingOf(cause: string): Finding {
  return { cause, target: accountTarget, title: cause, lines: [], severity: 'warning', level: 0, offers: [] };
}

export function newAlert(more: Partial<NewAlert> & { id: string }): NewAlert {
  return {
    ...{ channel: 'C1', rule: 'power', groupKey: null, cause: more.id, severity: 'warning', level: 0 },
    ...{ finding: findingOf(more.id), startsAt: null, endsAt: null },
    ...more,
  };
}
