import { mayApprove } from '../../core/policy/evaluate.ts';
import { notApprover } from '../../core/policy/refusal-words.ts';
import type { Text } from '../../core/view/view.ts';
import { channelsOf } from '../access/count-votes.ts';
import type { Access } from '../context/access-port.ts';
import type { Operation } from './record.ts';

/** The requester and admins may withdraw. */
export function mayWithdraw({ requester }: Operation, user: string, admins: readonly string[]): boolean {
  return user === requester || admins.includes(user);
}

/** Approvers named by the rule of a demand and admins may approve; only the requester may confirm. */
export function mayVote(operation: Operation, voter: Access): { ok: true } | { ok: false; because: Text } {
  const { rule, demands, requester, isSolo, channel } = operation;
  if (channelsOf(operation, voter).length > 0) return { ok: true };
  const [first = { rule, isSolo }] = demands;
  const answer = mayApprove(first.rule, voter.actor, requester, first.isSolo);
  if (answer.ok || answer.because !== notApprover || demands.every((demand) => demand.channel === channel))
    return answer;
  return { ok: false, because: 'only the approvers whom its card names may do this' };
}
