import type { Target } from '../../core/account/account.ts';
import { evaluateOn, isCovered, type Rights, rightsOf } from '../../core/policy/evaluate.ts';
import { type Capability, namedIn, type Policy } from '../../core/policy/policy.ts';
import type { Actor, Standing } from '../../core/policy/standing.ts';
import type { Access, Policies } from '../context/access-port.ts';
import type { EngineDeps } from '../context/dependencies.ts';
import type { Directory } from '../context/ports.ts';

interface AccessFrom {
  readonly policies: Policies;
  readonly deps: Pick<EngineDeps, 'directory' | 'settings'>;
  readonly alsoGroups?: readonly string[] | undefined;
}

export async function accessOf(user: string, channel: string, from: AccessFrom, maxAgeMs?: number): Promise<Access> {
  const { policy, standing } = await from.policies.here(channel);
  const [{ actor, isUnsure }, channelStanding] = await Promise.all([
    actorOf(user, channel, policy, from, maxAgeMs),
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
  channel: string,
  policy: Policy | undefined,
  { deps: { directory, settings }, alsoGroups = [] }: AccessFrom,
  maxAgeMs?: number,
): Promise<{ readonly actor: Actor; readonly isUnsure: boolean }> {
  const groups = [...new Set([...(policy === undefined ? [] : namedIn(policy, 'group')), ...alsoGroups])];
  const isForEveryone = policy?.grants.some(({ to }) => to.includes('everyone')) === true;
  const [standing, isHere, ...memberships] = await Promise.all([
    standingOf(directory, user, maxAgeMs),
    isForEveryone ? directory.isInChannel(channel, user, maxAgeMs).catch(unanswered) : undefined,
    ...groups.map((group) => directory.groupMembers(group, maxAgeMs).then((members) => members.has(user), unanswered)),
  ]);
  return {
    actor: {
      id: user,
      standing,
      groups: groups.filter((_, index) => memberships[index]),
      isAdmin: settings.admins.includes(user),
      isHere,
    },
    isUnsure: standing === 'unknown' || memberships.includes(undefined) || (isForEveryone && isHere === undefined),
  };
}

/** Slack did not answer. */
const unanswered = () => undefined;

/** `unknown` if Slack does not answer. */
export async function standingOf(
  directory: Pick<Directory, 'person'>,
  user: string,
  maxAgeMs?: number,
): Promise<Standing> {
  return directory.person(user, maxAgeMs).then(
    (person) => person.standing,
    () => 'unknown',
  );
}
