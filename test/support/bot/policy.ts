import { type Policy, policySchema } from '../../../src/core/policy/policy.ts';
import { opsGroup, people } from './fake-slack.ts';

/** A policy with these grants: `{ everyone: 'read operate', 'user:U0LEAD': 'dns on tag:web, order:34-1' }`. */
export function granting(grants: Readonly<Record<string, string>>, rules: object = {}): Policy {
  const each = Object.entries(grants).map(([to, words]) => {
    const [can = '', on] = words.split(' on ');
    return { to: [to], can: can.split(' '), ...(on !== undefined && { on: on.split(', ') }) };
  });
  return policySchema.parse({ grants: each, rules });
}

/** Everybody reads; the group does everything else, approves dangerous changes, and types names to destroy. */
export const usualPolicy = (group: string): Policy =>
  granting(
    { everyone: 'read', [`group:${group}`]: 'read billing operate dns organize destroy secrets spend' },
    {
      dangerous: { approve: 1, by: [`group:${group}`] },
      destructive: { approve: 1, by: [`group:${group}`], typed: true },
    },
  );

/** The same, and the group opens tickets. */
export function ticketPolicy(group: string): Policy {
  const policy = usualPolicy(group);
  return policySchema.parse({ ...policy, grants: [...policy.grants, { to: [`group:${group}`], can: ['tickets'] }] });
}

/** The usual policy, but the reader reads these targets only, and people outside the group nothing. */
export function readerOf(...on: readonly string[]): Policy {
  const { grants, ...rest } = usualPolicy(opsGroup);
  return policySchema.parse({ ...rest, grants: [{ to: [`user:${people.reader}`], can: ['read'], on }, grants[1]] });
}
