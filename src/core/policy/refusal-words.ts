import { list } from '../text/words.ts';
import type { ChannelStanding, Membership } from './membership.ts';
import type { Capability, Grant } from './policy.ts';

/** The sentences about a missing right: in refusals, beside void votes and in answers to `why`. */

export const membershipWords: Record<Exclude<Membership, 'member'>, string> = {
  guest: 'guests cannot use Hostler here unless an admin adds them by name',
  stranger: 'people from another organization cannot use Hostler here unless an admin adds them by name',
  deactivated: 'this account is deactivated',
  bot: 'bots and workflows may not use Hostler',
  unknown: 'Slack could not say who this is, so the request is refused',
};

export const channelWords: Record<Exclude<ChannelStanding, 'ok'>, string> = {
  shared:
    'this channel is shared with another organization; permissions here are suspended until an admin restores them with /host access confirm',
  became_public:
    'this channel became public; permissions here are suspended until an admin restores them with /host access confirm',
  archived: 'this channel is archived',
  group_direct:
    'Hostler does not work in group direct messages; ask in a channel, or in your own direct message with it',
  unknown: 'Slack could not say what kind of channel this is, so the request is refused',
};

export const denials = {
  notHere: 'everyone in this channel may do it, and you are not in it',
  notSaidWhetherHere: 'Slack could not say whether you are in this channel, so the request is refused',
  noPolicy: 'this channel has no policy, and without one nothing is allowed; an admin makes one with /host access',
  notAdmin: 'only an admin (HOSTLER_ADMINS) may do this',
  notRequester: 'only the person who asked can confirm this',
  mayNotAsk: 'only a person who may ask for the same can confirm this',
  ownRequest: 'you asked for this, so somebody else must approve',
  notApprover: 'only an approver of this channel may do this',
  /** No grant of the person in this channel has the capability. */
  needsCapability: (capability: Capability, grants: readonly Grant[]) =>
    `you need “${capability}”; ${sayGranted(grants)}`,
  /** Grants have the capability, none of them on this target. */
  needsTarget: (capability: Capability | 'none', grants: readonly Grant[], name: string) => {
    const patterns = [...new Set(grants.flatMap((grant) => grant.on))].join(', ');
    return `you have “${capability}” here on ${patterns}, which does not include ${name}`;
  },
} as const;

function sayGranted(grants: readonly Grant[]): string {
  const can = [...new Set(grants.flatMap((grant) => grant.can))];
  return can.length === 0 ? 'no grant in this channel names you' : `you have ${list(can.map((word) => `“${word}”`))}`;
}
