import type { Target } from '../../core/account/account.ts';
import { evaluateOn, isCovered, type Rights, rightsOf } from '../../core/policy/evaluate.ts';
import type { Capability } from '../../core/policy/policy.ts';
import type { Access, Policies } from '../context/access-port.ts';
import type { EngineDeps } from '../context/dependencies.ts';
import { actorOf } from './actor.ts';

export async function accessOf(
  user: string,
  channel: string,
  {
    policies,
    deps,
    alsoGroups,
  }: {
    policies: Policies;
    deps: Pick<EngineDeps, 'directory' | 'settings'>;
    alsoGroups?: readonly string[] | undefined;
  },
  maxAgeMs?: number,
): Promise<Access> {
  const { policy, standing } = await policies.here(channel);
  const [{ actor, isUnsure }, channelStanding] = await Promise.all([
    actorOf(
      user,
      { channel, policy },
      { directory: deps.directory, admins: deps.settings.admins, maxAgeMs, alsoGroups },
    ),
    standing(maxAgeMs),
  ]);
  // Cached by capability, since a list of ten thousand servers checks the same capability for each.
  const cached = new Map<Capability | 'none', Rights>();
  const rightsTo = (capability: Capability | 'none'): Rights => {
    const rights = cached.get(capability) ?? rightsOf({ actor, channelStanding, policy, capability });
    cached.set(capability, rights);
    return rights;
  };
  const nameOf = (target: Target) =>
    target.kind === 'account' || isCovered(rightsTo('read'), target) ? target.name : 'it';
  return {
    actor,
    // Slack does not mark group direct messages; the standing is inferred, so it must not void a vote.
    isUnsure: isUnsure || channelStanding === 'unknown' || channelStanding === 'group_direct',
    channel,
    policy,
    decide: (capability, risk, targets) =>
      evaluateOn(rightsTo(capability), { capability, policy, risk, targets }, nameOf),
    may: (capability, target) => isCovered(rightsTo(capability), target),
    hasCapability: (capability) => rightsTo(capability).on !== 'nothing',
  };
}
