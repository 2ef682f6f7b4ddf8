import type { Target } from '../../core/account/account.ts';
import { evaluateOn, isCovered, type Rights, rightsOf } from '../../core/policy/evaluate.ts';
import type { Actor } from '../../core/policy/membership.ts';
import { type Capability, namedIn, type Policy } from '../../core/policy/policy.ts';
import { Refusal } from '../../core/view/errors.ts';
import type { Access } from '../context/access-port.ts';
import type { EngineContext } from '../context/engine-context.ts';
import type { Directory } from '../context/ports.ts';
import type { Place } from '../context/request.ts';

type Reading = Pick<EngineContext, 'directory' | 'policies' | 'settings'>;

export async function accessOf(
  context: Reading,
  ...[user, channel, maxAgeMs, alsoGroups = []]: Parameters<EngineContext['accessOf']>
): Promise<Access> {
  const { policy, standing } = await context.policies.here(channel);
  const groups = [...new Set([...(policy === undefined ? [] : namedIn(policy, 'group')), ...alsoGroups])];
  const [{ actor, isUnsure }, channelStanding] = await Promise.all([
    actorOf(context, user, channel, { policy, groups, maxAgeMs }),
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
 * Reads the person's membership, their groups among those of the policy and, if a grant is for everyone, whether they are
 * in the channel. A failed lookup is a no.
 */
async function actorOf(
  { directory, settings }: Reading,
  user: string,
  channel: string,
  { policy, groups, maxAgeMs }: { policy: Policy | undefined; groups: readonly string[]; maxAgeMs: number | undefined },
): Promise<{ readonly actor: Actor; readonly isUnsure: boolean }> {
  const isForEveryone = policy?.grants.some(({ to }) => to.includes('everyone')) === true;
  const [membership, isHere, ...isMember] = await Promise.all([
    membershipOf(directory, user, maxAgeMs),
    isForEveryone ? directory.isInChannel(channel, user, maxAgeMs).catch(unanswered) : undefined,
    ...groups.map((group) => directory.groupMembers(group, maxAgeMs).then((members) => members.has(user), unanswered)),
  ]);
  const own = groups.filter((_, index) => isMember[index]);
  return {
    actor: { id: user, membership, groups: own, isAdmin: settings.admins.includes(user), isHere },
    isUnsure: membership === 'unknown' || isMember.includes(undefined) || (isForEveryone && isHere === undefined),
  };
}

/** Slack did not answer. */
const unanswered = () => undefined;

/** `unknown` if Slack does not answer. */
export async function membershipOf(directory: Pick<Directory, 'person'>, user: string, maxAgeMs?: number) {
  return (await directory.person(user, maxAgeMs).catch(unanswered))?.membership ?? 'unknown';
}

/**
 * The person's rights in each channel with a policy that they are a member of. `isUnsure`: Slack did not answer for
 * every channel or group. A channel without an answer is omitted.
 */
export async function channelsOf(context: Pick<EngineContext, 'accessOf' | 'directory' | 'policies'>, user: string) {
  let isUnsure = false;
  const channels = [...(await context.policies.all()).keys()];
  const entries = await Promise.all(
    channels.map(async (channel) => {
      const isIn = await context.directory.isInChannel(channel, user).catch(() => {
        isUnsure = true;
        return false;
      });
      return isIn ? ([channel, await context.accessOf(user, channel)] as const) : undefined;
    }),
  );
  const accesses = new Map(entries.filter((entry) => entry !== undefined));
  return { accesses, isUnsure: isUnsure || [...accesses.values()].some((access) => access.isUnsure) };
}

/** A person's rights at the place of a request: in the channel, or in a direct message in all of their channels. */
export async function accessAt(context: EngineContext, user: string, place: Place): Promise<Access> {
  const here = await context.accessOf(user, place.channel);
  if (place.call !== undefined) return throughToken(here, await isStillHere(context, user, place));
  if (place.kind === 'channel') return here;
  const { accesses, isUnsure } = await channelsOf(context, user);
  return unionOf({ ...here, isUnsure: here.isUnsure || isUnsure }, [...accesses.values()]);
}

/** A person who has left the channel types nothing there, and neither does their token. */
function isStillHere({ directory }: EngineContext, user: string, { channel }: Place): Promise<boolean | undefined> {
  return directory.isInChannel(channel, user).catch(unanswered);
}

/** The rights of a machine: those of the person who made its token, without the ones that a leaked token must not have. */
function throughToken(access: Access, isHere: boolean | undefined): Access {
  const isClosed = (capability: Capability | 'none') =>
    isHere !== true || capability === 'admin' || capability === 'secrets';
  const because =
    isHere === undefined
      ? unsaidChannels
      : isHere
        ? 'a token never may'
        : 'the maker of the token is not in this channel';
  const reason = isHere === true ? 'not_for_tokens' : 'posture';
  return {
    ...access,
    isMachine: true,
    actor: { ...access.actor, isAdmin: false },
    decide: (capability, ...about) =>
      isClosed(capability) ? { allowed: false, reason, because } : access.decide(capability, ...about),
    may: (capability, target) => !isClosed(capability) && access.may(capability, target),
    hasCapability: (capability) => !isClosed(capability) && access.hasCapability(capability),
  };
}

function unionOf(here: Access, all: readonly Access[]): Access {
  const may: Access['may'] = (capability, target) => all.some((access) => access.may(capability, target));
  return {
    ...here,
    may,
    hasCapability: (capability) =>
      here.hasCapability(capability) || all.some((access) => access.hasCapability(capability)),
    decide: (capability, risk, targets) => {
      const decisions = [here, ...all].map((access) => access.decide(capability, risk, targets));
      const allowed = decisions.find((decision) => decision.allowed);
      if (allowed !== undefined) return allowed;
      const refused = decisions.at(-1) ?? here.decide(capability, risk, targets);
      // Grants of different channels may allow different targets.
      const each = targets.map((target) =>
        all.map((access) => access.decide(capability, risk, [target])).find((decision) => decision.allowed),
      );
      const [first] = each;
      return first !== undefined && each.every((decision) => decision !== undefined) ? first : refused;
    },
  };
}

export const unsaidChannels = 'Slack did not say who is in which channel';

/** Refuses without claiming that the person lacks access. */
export function slackDidNotSay(so: string): Refusal {
  return new Refusal('unavailable', `${unsaidChannels}, ${so}`, { hint: 'Nothing was done. Try again in a minute.' });
}
