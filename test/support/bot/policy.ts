import { type Policy, policySchema } from '../../../src/core/policy/policy.ts';
import { opsGroup, people } from './fake-slack.ts';

/** Everybody reads; the group does everything else, approves dangerous changes, and types names to destroy. */
export const usualPolicy = (group: string): Policy =>
  policySchema.parse({
    grants: [
      { to: ['everyone'], can: ['read'] },
      {
        to: [`group:${group}`],
        can: ['read', 'billing', 'operate', 'dns', 'organize', 'destroy', 'secrets', 'spend'],
      },
    ],
    rules: {
      dangerous: { approve: 1, by: [`group:${group}`] },
      destructive: { approve: 1, by: [`group:${group}`], typed: true },
    },
  });

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
