import type { Target } from '../../core/account/account.ts';
import type { ChannelPosture } from '../../core/command/bot.ts';
import type { Actor, ChannelStanding, Decision } from '../../core/policy/evaluate.ts';
import type { Capability, Grantable, Policy, Risk } from '../../core/policy/policy.ts';

/** A person's rights in a channel at this moment, and the questions they answer. */
export interface Access {
  readonly actor: Actor;
  /** A lookup at Slack failed: a denial may be wrong, and is checked again before it is final. */
  readonly isUnsure: boolean;
  readonly channel: string;
  readonly policy: Policy | undefined;
  readonly decide: (capability: Capability | 'none', risk: Risk, targets: readonly Target[]) => Decision;
  readonly may: (capability: Capability, target: Target) => boolean;
  /** On at least one target. */
  readonly hasCapability: (capability: Capability | 'none') => boolean;
}

export interface Policies {
  readonly get: (channel: string) => Promise<Policy | undefined>;
  readonly all: () => Promise<ReadonlyMap<string, Policy>>;
  /** Only if the policy is still at this version; 0 is a channel without one. */
  readonly save: (channel: string, policy: Policy, expectedVersion: number) => Promise<boolean>;
  readonly standing: (channel: string) => Promise<ChannelStanding>;
  /** Both from one read of the store; the standing asks Slack as well. */
  readonly here: (channel: string) => Promise<{
    readonly policy: Policy | undefined;
    readonly standing: (maxAgeMs?: number) => Promise<ChannelStanding>;
  }>;
  /** Reads from Slack whether the channel is shared or private now. */
  readonly posture: (channel: string) => Promise<ChannelPosture>;
  /** Keeps which organization joined the channel, or left it. */
  readonly noteOrganization: (channel: string, team: string, hasJoined: boolean) => Promise<void>;
  /** The rights hold for the channel as it was shown; false when it is different by now. */
  readonly confirm: (channel: string, shown: ChannelPosture) => Promise<boolean>;
}

/** The request of a refused person to the admins for the missing right. */
export interface AccessRequest {
  readonly id: string;
  readonly user: string;
  readonly channel: string;
  readonly capability: Grantable;
  readonly targets: readonly Target[];
  /** As it was typed. */
  readonly line: string;
  /** The admins to whom it was sent; without it all of them, as the version before did. */
  readonly admins?: readonly string[];
  readonly at: number;
  readonly end: {
    readonly how: 'granted' | 'declined' | 'expired';
    readonly by: string | null;
    readonly why: string;
    readonly at: number;
    readonly isTold: boolean;
  } | null;
}

export interface AccessRequests {
  readonly get: (id: string) => Promise<AccessRequest | undefined>;
  readonly all: () => Promise<readonly AccessRequest[]>;
  /** Writes `next` only if the request is still as it was read. */
  readonly change: (
    id: string,
    next: (before: AccessRequest | undefined) => AccessRequest | undefined,
  ) => Promise<boolean>;
  readonly remove: (id: string) => Promise<unknown>;
}

/** The owners of SSH keys, by fingerprint. */
export interface SshKeyOwners {
  readonly all: () => Promise<ReadonlyMap<string, string>>;
  readonly set: (fingerprint: string, user: string) => Promise<void>;
}
