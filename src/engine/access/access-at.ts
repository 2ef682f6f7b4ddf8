import { Refusal } from '../../core/view/errors.ts';
import type { Access } from '../context/access-port.ts';
import type { EngineContext } from '../context/engine-context.ts';
import type { Place } from '../context/request.ts';

/** The person's rights in each channel with a policy that they are a member of. */
export async function accessesOf(
  context: Pick<EngineContext, 'accessOf' | 'directory' | 'policies'>,
  user: string,
): Promise<ReadonlyMap<string, Access>> {
  return (await channelsOf(context, user)).accesses;
}

/** `isUnsure`: Slack did not answer for every channel or group. A channel without an answer is omitted. */
export async function channelsOf(
  context: Pick<EngineContext, 'accessOf' | 'directory' | 'policies'>,
  user: string,
): Promise<{ readonly accesses: ReadonlyMap<string, Access>; readonly isUnsure: boolean }> {
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

/**
 * The rights of a person at the place of a request: those in the channel, or in a direct message those in all of their
 * channels.
 */
export async function accessAt(
  context: Pick<EngineContext, 'accessOf' | 'directory' | 'policies'>,
  user: string,
  place: Place,
): Promise<Access> {
  const here = await context.accessOf(user, place.channel);
  if (place.kind === 'channel') return here;
  const { accesses, isUnsure } = await channelsOf(context, user);
  return unionOf({ ...here, isUnsure: here.isUnsure || isUnsure }, [...accesses.values()]);
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
