import type { Alert, HookInfo } from '../alert/alert.ts';
import type { AlertRuleInfo } from '../alert/alert-rule.ts';
import type { Digest, Subscription } from '../alert/alert-subscription.ts';
import type { DigestFacts } from '../alert/digest-view.ts';

/** The part of the bot's interface to commands that is about alerts and hooks. */

export interface AlertReader {
  readonly rules: readonly AlertRuleInfo[];
  readonly subscription: (channel: string) => Promise<Subscription | undefined>;
  /** Open alerts of this channel that this person may see, most urgent first. */
  readonly open: () => Promise<readonly Alert[]>;
  /** Alerts of this channel that this person may see, open or ended since. */
  readonly since: (at: number) => Promise<readonly Alert[]>;
  /** The alert with this id, or those of the message that `m:` and its id name, of any channel. */
  readonly find: (id: string) => Promise<readonly Alert[]>;
  readonly hooks: (channel: string, kinds?: readonly HookInfo['kind'][]) => Promise<readonly HookInfo[]>;
  readonly nextDigest: (channel: string, digest: Digest) => Promise<number>;
  /** The facts of a handover here that this person may read. */
  readonly handover: (since: number) => Promise<DigestFacts>;
  /** Why no event may be posted to an address; undefined if one may. */
  readonly whyNoEvents: (url: string) => string | undefined;
  /** True if the bot has a public address. */
  readonly isReachable: boolean;
}

export type NewHook = Pick<HookInfo, 'channel' | 'kind' | 'name'> &
  Partial<Pick<HookInfo, 'address' | 'expiresAt' | 'mayWrite' | 'purpose'>>;

export interface AlertWriter {
  /** Saves only if the stored subscription has `expectedVersion`. */
  readonly subscribe: (channel: string, subscription: Subscription, expectedVersion: number) => Promise<boolean>;
  /** Assigns a person to open alerts; false if they are no longer open. */
  readonly handOver: (alerts: readonly string[], to: string) => Promise<boolean>;
  /** Returns the address with its token, or the token, which is shown only once. */
  readonly addHook: (hook: NewHook) => Promise<Readonly<Record<'id' | 'url', string>>>;
  /** Also ends the requests of a token that wait for a decision. */
  readonly revokeHook: (id: string) => Promise<boolean>;
}
