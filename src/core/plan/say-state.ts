import type { Rule } from '../policy/policy.ts';
import { sayWaiting } from '../policy/say-rule.ts';
import { signs } from '../view/signs.ts';
import type { OperationState } from './operation.ts';

/** The state of a request for people: a word and a sign. */

export const stateSigns: Readonly<Record<OperationState, string>> = {
  waiting: signs.waiting,
  approved: signs.waiting,
  scheduled: signs.waiting,
  cooling: signs.waiting,
  standing: signs.waiting,
  running: signs.waiting,
  reading: signs.warning,
  done: signs.done,
  unverified: signs.warning,
  failed: signs.bad,
  unknown: signs.bad,
  stopped: signs.neutral,
  declined: signs.neutral,
  expired: signs.neutral,
  withdrawn: signs.neutral,
  refused: signs.neutral,
};

export const stateWords = {
  waiting: 'waiting',
  approved: 'starting',
  scheduled: 'scheduled',
  cooling: 'counting down',
  standing: 'standing approval',
  running: 'running',
  reading: 'response lost, reading the state',
  done: 'done',
  unverified: 'not verified',
  failed: 'failed',
  unknown: 'result unknown',
  stopped: 'stopped',
  declined: 'declined',
  expired: 'expired',
  withdrawn: 'withdrawn',
  refused: 'not run',
} as const satisfies Record<OperationState, string>;

interface InState {
  readonly state: OperationState;
  readonly rule: Rule;
}

/** `needs 1 approval`, `done` */
export function stateWord({ state, rule }: InState): string {
  return state === 'waiting' ? sayWaiting(rule) : stateWords[state];
}

/** `⏳ needs 1 approval` */
export function sayState(request: InState): string {
  return `${stateSigns[request.state]} ${stateWord(request)}`;
}
