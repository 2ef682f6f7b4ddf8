/**
 * The life of an operation, and of each of its steps, as two tables. A step is one write to the provider, sent at most
 * once. Every arrow is one conditional UPDATE in the store (`… where id = ? and state = ?`): whoever loses the race
 * learns the present state instead of doing it again.
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
  'declined',
  'expired',
  'withdrawn',
  'refused',
] as const;
export type OperationState = (typeof operationStates)[number];

/** `approved → waiting` is a reopened card: a vote no longer counts. `reading` is a lost answer being looked into. */
export const operationTransitions: Readonly<Record<OperationState, readonly OperationState[]>> = {
  waiting: ['approved', 'declined', 'expired', 'withdrawn', 'refused'],
  approved: ['running', 'waiting', 'refused'],
  running: ['reading', 'done', 'unverified', 'failed', 'unknown'],
  reading: ['running', 'done', 'unverified', 'failed', 'unknown'],
  done: [],
  unverified: [],
  failed: [],
  unknown: [],
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

/** `pending → running` is the only door to the provider, and it opens once. */
export const stepTransitions: Readonly<Record<StepState, readonly StepState[]>> = {
  pending: ['running', 'skipped'],
  running: ['accepted', 'failed', 'reading'],
  accepted: ['verifying', 'failed'],
  verifying: ['done', 'unverified', 'failed'],
  reading: ['done', 'failed', 'unknown'],
  done: [],
  unverified: [],
  failed: [],
  unknown: [],
  skipped: [],
};

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
