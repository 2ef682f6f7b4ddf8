import { lineOf } from '../../core/grammar/parse.ts';
import type { Rule } from '../../core/policy/policy.ts';
import { Refusal } from '../../core/view/errors.ts';
import { reasonName } from '../../core/view/form.ts';
import type { CommandRequest } from './command-request.ts';

/** Refuses a request without a reason, if the rule requires one. An argument of this name says it as well. */
export function mustGiveReason(rule: Rule, { command, raw, reason }: CommandRequest): void {
  if (typeof rule === 'string' || rule.reason !== true || reason !== undefined || raw.reason !== undefined) return;
  throw new Refusal('bad_value', 'The rule of this channel requires a reason.', {
    hint: 'Give it after `because`, or in the form.',
    field: reasonName,
    suggestions: [{ label: 'Give the reason…', command: lineOf(command, raw), isForm: true }],
  });
}
