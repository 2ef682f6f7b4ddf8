import type { Rule } from '../policy/policy.ts';
import { sayWaiting } from '../policy/say-rule.ts';
import { signs } from '../view/signs.ts';
import { type Span, type Text, text } from '../view/view.ts';
import { isEnd, type OperationState } from './operation.ts';

/** The state of a request for people: a word and a sign. */

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

const otherSigns: Readonly<Partial<Record<OperationState, string>>> = {
  cooling: signs.counting,
  reading: signs.warning,
  unverified: signs.warning,
  done: signs.done,
  failed: signs.bad,
  unknown: signs.bad,
};

export function stateSign(state: OperationState): string {
  return otherSigns[state] ?? (isEnd(state) ? signs.neutral : signs.waiting);
}

/** `needs 1 approval`, `done` */
export function stateWord({ state, rule }: { readonly state: OperationState; readonly rule: Rule }): string {
  return state === 'waiting' ? sayWaiting(rule) : stateWords[state];
}

/** `⏳ needs 1 approval` */
export function sayState(request: Parameters<typeof stateWord>[0]): string {
  return `${stateSign(request.state)} ${stateWord(request)}`;
}

/** `@ana`, or `ci, a token of @ana` for a request of a machine. `person`: the same person in other words. */
export function sayAsker(
  { requester, token }: { readonly requester: string; readonly token: { readonly name: string } | null },
  person: Text = [{ user: requester }],
): Span[] {
  return token === null ? text(person) : text(`${token.name}, a token of `, person);
}

/** Whether a request ran, in the three ways that decide what a machine may do next. */
export const verdicts = ['did not run', 'ran', 'not known: do not repeat'] as const;
export type RunVerdict = (typeof verdicts)[number];
