import type { Grant, Policy } from './policy.ts';

/**
 * Warns of grants on a tag, a name or a project if a grant to organize covers more than that: its holders decide which
 * targets the pattern covers, in every channel. Each such change needs the approvers of the channel with the grant.
 */
export function policyWarnings(policies: ReadonlyMap<string, Policy>): string[] {
  const grants = [...policies].flatMap(([channel, policy]) => policy.grants.map((grant) => ({ channel, grant })));
  const organizing = grants.filter(({ grant }) => grant.can.includes('organize'));
  return grants.flatMap(({ channel, grant }) => {
    const patterns = grant.on.filter((pattern) => /^(?:tag|order|project|domain tag):/.test(pattern));
    const can = grant.can.filter((capability) => capability !== 'read');
    if (grant.on.includes('all') || patterns.length === 0 || can.length === 0) return [];
    const wider = organizing.filter((other) => !other.grant.on.every((pattern) => grant.on.includes(pattern)));
    if (wider.length === 0) return [];
    const who = [...new Set(wider.map((other) => `${other.grant.to.join(', ')} in ${other.channel}`))];
    return [
      `${channel}  ! "${sayGrant(grant)}" grants on ${patterns.join(', ')}, and ${who.join('; ')} may organize more ` +
        `than that: they decide what it reaches. Each such change asks the approvers of ${channel} first.`,
    ];
  });
}

function sayGrant({ to, can, on }: Grant): string {
  return `${to.join(', ')} may ${can.join(', ')} on ${on.join(', ')}`;
}
