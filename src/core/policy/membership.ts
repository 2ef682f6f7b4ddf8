/** `unknown` is a failed lookup, which counts as no. */
export type Membership = 'member' | 'guest' | 'stranger' | 'deactivated' | 'bot' | 'unknown';

/** True for a person without rights under any grant: they cannot answer, or Slack does not identify them. */
export function isBarred(membership: Membership): membership is 'deactivated' | 'bot' | 'unknown' {
  return membership === 'deactivated' || membership === 'bot' || membership === 'unknown';
}

export interface Actor {
  readonly id: string;
  readonly membership: Membership;
  /** The groups named by the policy that this person is a member of. */
  readonly groups: readonly string[];
  readonly isAdmin: boolean;
  /** Whether they are in the channel; undefined if Slack did not answer, or if no grant is for everyone. */
  readonly isHere: boolean | undefined;
}

/** Whether the channel was shared, made public or archived since an admin confirmed it, which suspends its rights. */
export type ChannelStanding = 'ok' | 'shared' | 'became_public' | 'archived' | 'group_direct' | 'unknown';
