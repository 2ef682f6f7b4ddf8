/**
 * The life of an operation, and of each of its steps, as two tables. A step is one write to the provider, sent at most
 * once. Every arrow is one conditional UPDATE in the store (`… where id = ? and state = ?`): the process that loses the
 * race learns the present state instead of repeating the step.
 */

export const operationStates = [
  'waiting',
  'approved',
  'running',
  'reading',
  'done',
  'unverified',
  'failed',
  'unknown',
  'stopped',
  'declined',
  'expired',
  'withdrawn',
  'refused',
] as const;
export type OperationState = (typeof operationStates)[number];

/**
 * `approved → waiting` is a reopened card: a vote no longer counts. `reading` is a lost answer being looked into.
 * `stopped` has done some of its steps and left the others; `refused` has sent nothing.
 */
export const operationTransitions: Readonly<Record<OperationState, readonly OperationState[]>> = {
  waiting: ['approved', 'declined', 'expired', 'withdrawn', 'refused'],
  approved: ['running', 'waiting', 'refused'],
  running: ['reading', 'done', 'unverified', 'failed', 'unknown', 'stopped', 'refused'],
  reading: ['running', 'done', 'unverified', 'failed', 'unknown', 'stopped'],
  done: [],
  unverified: [],
  failed: [],
  unknown: [],
  stopped: [],
  declined: [],
  expired: [],
  withdrawn: [],
  refused: [],
};

export const stepStates = [
  'pending',
  'running',
  'accepted',
  'verifying',
  'reading',
  'done',
  'unverified',
  'failed',
  'unknown',
  'skipped',
] as const;
export type StepState = (typeof stepStates)[number];

/**
 * `pending → running` is the only way to the provider, taken once. `accepted → unverified` is a job whose end was not
 * seen; a change that makes no job is read back at once, without `accepted`. `reading → accepted` and `reading →
 * verifying` are for the process that sent it and could not store the answer sooner.
 */
export const stepTransitions: Readonly<Record<StepState, readonly StepState[]>> = {
  pending: ['running', 'skipped'],
  running: ['accepted', 'verifying', 'failed', 'reading'],
  accepted: ['verifying', 'failed', 'unverified'],
  verifying: ['done', 'unverified', 'failed'],
  reading: ['accepted', 'verifying', 'done', 'failed', 'unknown'],
  done: [],
  unverified: [],
  failed: [],
  unknown: [],
  skipped: [],
};

/** After so long without a vote, a request that waits for approval is sent to the people who can approve it. */
export const unansweredMs = 10 * 60_000;

export const endStates = operationStates.filter((state) => operationTransitions[state].length === 0);
export const openStates = operationStates.filter((state) => operationTransitions[state].length > 0);
/** Open, and past waiting for people. */
export const underWayStates = openStates.filter((state) => state !== 'waiting');

export function isEnd(state: OperationState): boolean {
  return operationTransitions[state].length === 0;
}

export function isStepEnd(state: StepState): boolean {
  return stepTransitions[state].length === 0;
}
