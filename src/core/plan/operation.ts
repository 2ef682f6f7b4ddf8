/**
 * The states of an operation and of its steps, as two tables. A step is one write to the provider, sent at most once.
 * Every transition is one conditional UPDATE in the store (`… where id = ? and state = ?`): the process that loses the
 * race gets the present state instead of repeating the step.
 */

/** Each transition leads to a state of the same table. */
function tableOf<S extends string>(table: Readonly<Record<S, readonly NoInfer<S>[]>>) {
  return table;
}

/**
 * `approved → waiting` reopens the card after a vote was voided. `scheduled` waits for its hour and `cooling` counts down
 * before it destroys something; both hold no locks and go back to `approved` for the checks before the first write.
 * `standing` is an approval for several runs, each a request with an end; it sends nothing.
 * `reading` polls the effect of a lost response.
 * `stopped` has done some steps and skipped the others; `refused` has sent nothing.
 */
export const operationTransitions = tableOf({
  waiting: ['approved', 'declined', 'expired', 'withdrawn', 'refused'],
  approved: ['running', 'scheduled', 'cooling', 'standing', 'waiting', 'refused'],
  scheduled: ['approved', 'waiting', 'withdrawn', 'refused', 'expired'],
  cooling: ['approved', 'waiting', 'withdrawn', 'refused', 'declined'],
  standing: ['stopped', 'withdrawn', 'expired', 'refused'],
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
});
export type OperationState = keyof typeof operationTransitions;

/**
 * `pending → running` comes before every write and happens once. `accepted → unverified` is for a job whose end was not
 * seen; a change without a job skips `accepted`. `answering` waits until the server answers from outside as before. `reading → accepted` and `reading → verifying` are for the process
 * that sent the write and stored its response late.
 */
export const stepTransitions = tableOf({
  pending: ['running', 'skipped'],
  running: ['accepted', 'verifying', 'failed', 'reading'],
  accepted: ['verifying', 'failed', 'unverified'],
  verifying: ['answering', 'done', 'unverified', 'failed'],
  answering: ['done', 'unverified'],
  reading: ['accepted', 'verifying', 'done', 'failed', 'unknown'],
  done: [],
  unverified: [],
  failed: [],
  unknown: [],
  skipped: [],
});
export type StepState = keyof typeof stepTransitions;

/** True for a request or a step that was sent and did not end as done. */
export function isTrouble(state: OperationState | StepState): boolean {
  return state === 'failed' || state === 'unknown' || state === 'unverified';
}

/** After this time without a vote, a request is sent to its approvers as a direct message. */
export const unansweredMs = 10 * 60_000;

// The keys of the table are its states.
const states = Object.keys(operationTransitions) as OperationState[];
export const endStates = states.filter(isEnd);
export const openStates = states.filter((state) => !isEnd(state));
/** Decided, and waiting for a moment. */
export const timedStates: readonly OperationState[] = ['scheduled', 'cooling', 'standing'];
/** Undecided, or decided and waiting for a moment. */
export const notBegunStates: readonly OperationState[] = ['waiting', ...timedStates];
/** Open and decided; those that wait for a moment are not under way yet. */
export const underWayStates = openStates.filter((state) => state !== 'waiting' && !timedStates.includes(state));

export function isEnd(state: OperationState): boolean {
  return operationTransitions[state].length === 0;
}

export function isStepEnd(state: StepState): boolean {
  return stepTransitions[state].length === 0;
}
