import type { Target } from '../../core/account/account.ts';
import { evaluateOn, isCovered, type Rights, rightsOf } from '../../core/policy/evaluate.ts';
import { type Capability, groupsNamed, type Policy } from '../../core/policy/policy.ts';
import type { Actor, Standing } from '../../core/policy/standing.ts';
import type { Access, Policies } from '../context/access-port.ts';
import type { EngineDeps } from '../context/dependencies.ts';
import type { Directory } from '../context/ports.ts';

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

/**
 * Reads the person's standing, their groups among those of the policy and, if a grant is for everyone, whether they are
 * in the channel. A failed lookup is a no.
 */
async function actorOf(
  user: string,
  { channel, policy }: { readonly channel: string; readonly policy: Policy | undefined },
  {
    directory,
    admins,
    maxAgeMs,
    alsoGroups = [],
  }: {
    directory: Directory;
    admins: readonly string[];
    maxAgeMs?: number | undefined;
    alsoGroups?: readonly string[] | undefined;
  },
): Promise<{ readonly actor: Actor; readonly isUnsure: boolean }> {
  const groups = [...new Set([...(policy === undefined ? [] : groupsNamed(policy)), ...alsoGroups])];
  const isForEveryone = policy?.grants.some(({ to }) => to.includes('everyone')) === true;
  const [standing, isHere, ...memberships] = await Promise.all([
    standingOf(user, directory, maxAgeMs),
    isForEveryone ? isInChannel(channel, user, directory, maxAgeMs) : undefined,
    ...groups.map((group) => isMember(group, user, directory, maxAgeMs)),
  ]);
  return {
    actor: {
      id: user,
      standing,
      groups: groups.filter((_, index) => memberships[index]),
      isAdmin: admins.includes(user),
      isHere,
    },
    isUnsure: standing === 'unknown' || memberships.includes(undefined) || (isForEveryone && isHere === undefined),
  };
}

async function standingOf(user: string, directory: Directory, maxAgeMs?: number): Promise<Standing> {
  try {
    return (await directory.person(user, maxAgeMs)).standing;
  } catch {
    return 'unknown';
  }
}

/** Undefined if Slack did not answer. */
async function isInChannel(
  channel: string,
  user: string,
  directory: Directory,
  maxAgeMs?: number,
): Promise<boolean | undefined> {
  return directory.isInChannel(channel, user, maxAgeMs).catch(() => undefined);
}

/** Undefined if Slack did not answer. */
async function isMember(
  group: string,
  user: string,
  directory: Directory,
  maxAgeMs?: number,
): Promise<boolean | undefined> {
  return directory.groupMembers(group, maxAgeMs).then(
    (members) => members.has(user),
    () => undefined,
  );
}
