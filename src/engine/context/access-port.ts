import type { Target } from '../../core/account/account.ts';
import type { ChannelPosture } from '../../core/command/bot-port.ts';
import type { Decision } from '../../core/policy/evaluate.ts';
import type { Actor, ChannelStanding } from '../../core/policy/membership.ts';
import type { Capability, Policy, Risk } from '../../core/policy/policy.ts';

/** A person's present rights in a channel. */
export interface Access {
  readonly actor: Actor;
  /** True if a lookup in Slack failed: a denial may be wrong and is not final. */
  readonly isUnsure: boolean;
  readonly channel: string;
  /** A machine asks through a token of this channel. */
  readonly isMachine?: true;
  readonly policy: Policy | undefined;
  readonly decide: (capability: Capability | 'none', risk: Risk, targets: readonly Target[]) => Decision;
  readonly may: (capability: Capability, target: Target) => boolean;
  /** True if the person has the capability on at least one target. */
  readonly hasCapability: (capability: Capability | 'none') => boolean;
}

export interface Policies {
  readonly get: (channel: string) => Promise<Policy | undefined>;
  readonly all: () => Promise<ReadonlyMap<string, Policy>>;
  /** Saves only if the stored policy has `expectedVersion`; 0 means no policy. Returns whether it saved. */
  readonly save: (channel: string, policy: Policy, expectedVersion: number) => Promise<boolean>;
  readonly standing: (channel: string) => Promise<ChannelStanding>;
  /** Returns both from one read of the store; `standing` also reads from Slack. */
  readonly here: (channel: string) => Promise<{
    readonly policy: Policy | undefined;
    readonly standing: (maxAgeMs?: number) => Promise<ChannelStanding>;
  }>;
  /** Reads from Slack whether the channel is shared or private now. */
  readonly posture: (channel: string) => Promise<ChannelPosture>;
  /** Stores that an organization joined or left the channel. */
  readonly noteOrganization: (channel: string, team: string, hasJoined: boolean) => Promise<void>;
  /** Confirms the rights for the channel's posture as shown; false if the posture has changed since. */
  readonly confirm: (channel: string, shown: ChannelPosture) => Promise<boolean>;
}
