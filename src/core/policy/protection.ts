import { type Target, targetKey } from '../account/account.ts';
import type { Ruled } from './approvers.ts';
import { covers } from './evaluate.ts';
import type { Rule } from './policy.ts';

/** A protection protects one server, domain or other order: what may destroy it needs one approver more. */
export interface Protection {
  /** `order:34-12345`; a protection of a policy may have `*` in it. */
  readonly target: string;
  readonly why: string;
  /** Null for a protection of a policy, which is removed there only. */
  readonly by: string | null;
  /** The channel in which it was set, or whose policy has it. */
  readonly channel: string;
  /** Null for a protection of a policy. */
  readonly since: number | null;
}

export type ProtectionOf = (target: Target) => Protection | undefined;

export function protectionFinder(protections: readonly Protection[]): ProtectionOf {
  const exact = new Map(
    protections.filter(({ by }) => by !== null).map((protection) => [protection.target, protection]),
  );
  const ofPolicies = protections.filter(({ by }) => by === null);
  return (target) =>
    exact.get(targetKey(target)) ?? ofPolicies.find((protection) => covers([protection.target], target));
}

const unguarded: readonly string[] = ['safe', 'routine', 'disruptive'];

/** True for the risks at which a protection counts, and for one that cannot be read. */
export function isGuarded(risk: string): boolean {
  return !unguarded.includes(risk);
}

/** The rule on a protected target: one approver more, and the typed name. The requester alone is never enough. */
export function protectedRule({ rule, isSolo }: { readonly rule: Rule; readonly isSolo: boolean }): Ruled {
  if (typeof rule === 'string') return { rule: { approve: 1, by: [], typed: true }, isSolo: false };
  return { rule: { ...rule, approve: rule.approve + 1, typed: true }, isSolo };
}
