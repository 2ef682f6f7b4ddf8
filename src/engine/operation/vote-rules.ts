import { mayApprove } from '../../core/policy/evaluate.ts';
import type { Text } from '../../core/view/view.ts';
import type { Access } from '../context/access-port.ts';
import type { Operation } from './record.ts';

/** The requester and admins may withdraw. */
export function mayWithdraw({ requester }: Operation, user: string, admins: readonly string[]): boolean {
  return user === requester || admins.includes(user);
}

/** Approvers named by the rule and admins may approve; only the requester may confirm. */
export function mayVote(
  { rule, requester, isSolo }: Pick<Operation, 'rule' | 'requester' | 'isSolo'>,
  { actor }: Access,
): { ok: true } | { ok: false; because: Text } {
  return mayApprove(rule, actor, requester, isSolo);
}
