import { groupsNamed, type Policy } from '../../core/policy/policy.ts';
import type { Actor, Standing } from '../../core/policy/standing.ts';
import type { Directory } from '../context/ports.ts';

/**
 * Reads the person's standing, their groups among those of the policy and, if a grant is for everyone, whether they are
 * in the channel. A failed lookup is a no.
 */
export async function actorOf(
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
