import { type MayDecide, mayApprove } from './evaluate.ts';
import type { Actor } from './membership.ts';
import type { Policy } from './policy.ts';
import { denials } from './refusal-words.ts';

/** Breaking the glass: one request runs without its approvals, and somebody else closes it. */

/** A reason, and what was found, has at least this many letters and digits. */
export const leastGlassWords = 10;

const breaksNoGlass = 'the policy of this channel does not say that you may break the glass';

/** Whether the policy names this person. Being an admin gives no right to it. */
export function mayBreakGlass(policy: Policy | undefined, actor: Actor): MayDecide {
  const rule = { approve: 1, by: policy?.breakGlass ?? [], typed: false };
  const answer = mayApprove(rule, { ...actor, isAdmin: false }, '', false);
  return answer.ok || answer.because !== denials.notApprover ? answer : { ok: false, because: breaksNoGlass };
}
