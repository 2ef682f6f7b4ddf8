import type { Account, Target } from '../account/account.ts';
import { domainTarget, orderTarget } from '../account/account.ts';
import { covers } from './evaluate.ts';
import { type Grant, type Grantable, grantable, type Policy, type Subject } from './policy.ts';

/** The rights that `after` grants and `before` does not. With the arguments swapped, the rights removed. */
export function rightsGained(before: Policy, after: Policy): Grant[] {
  const single = after.grants.flatMap(({ to, can, on }) =>
    on.flatMap((pattern) =>
      to.map((subject) => ({
        to: [subject],
        can: can.filter((capability) => !gives(before, subject, capability, pattern)),
        on: [pattern],
      })),
    ),
  );
  const gained = single.filter(({ can }) => can.length > 0);
  return joined(joined(gained, 'to'), 'on');
}

/** Merges grants that differ only in this field. */
function joined(grants: readonly Grant[], by: 'to' | 'on'): Grant[] {
  const alike = Map.groupBy(grants, (grant) => JSON.stringify([grant.can, by === 'to' ? grant.on : grant.to]));
  return [...alike.values()].flatMap(([first, ...rest]) => {
    if (first === undefined) return [];
    const all = [first, ...rest];
    return [
      {
        to: [...new Set(all.flatMap(({ to }) => to))],
        can: grantable.filter((capability) => first.can.includes(capability)),
        on: [...new Set(all.flatMap(({ on }) => on))],
      },
    ];
  });
}

function gives({ grants }: Policy, subject: Subject, capability: Grantable, pattern: string): boolean {
  // The policy does not know whether a person is a member, and guests get nothing from grants for everyone.
  const isInEveryone = !subject.startsWith('user:');
  return grants.some(
    ({ to, can, on }) =>
      (to.includes(subject) || (isInEveryone && to.includes('everyone'))) &&
      can.includes(capability) &&
      (on.includes(pattern) || on.includes('all')),
  );
}

/** The servers, other orders and domains that the patterns now match. */
export function reachOf(patterns: readonly string[], account: Account): Target[] {
  return [...account.orders.map(orderTarget), ...account.domains.map(domainTarget)].filter((target) =>
    covers(patterns, target),
  );
}
