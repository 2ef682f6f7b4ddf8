import type { Target } from '../account/account.ts';
import type { AlertRuleInfo, AlertSummary, HookInfo, HookKind } from '../alert/alert.ts';
import type { Subscription } from '../alert/alert-subscription.ts';
import type { OperationState, StepState } from '../plan/operation.ts';
import type { KnownPeople } from '../policy/enough-approvers.ts';
import type { Standing } from '../policy/evaluate.ts';
import type { Policy, Risk, Rule } from '../policy/policy.ts';
import type { View } from '../view/view.ts';

/** Questions that commands about the bot itself may ask it. The engine answers them; commands never see a store. */

export interface OperationSummary {
  readonly id: string;
  readonly command: string;
  readonly title: string;
  /** As it was decided on. */
  readonly risk: Risk;
  readonly state: OperationState;
  /** The decision that it needs, or needed. */
  readonly rule: Rule;
  readonly requester: string;
  readonly channel: string;
  readonly targets: readonly Target[];
  readonly names: readonly Target[];
  readonly createdAt: number;
  readonly endedAt: number | null;
  readonly endText: string | null;
  /** The line that takes it back. */
  readonly undo: string | null;
  /** Why an approved request waits; null when it does not. */
  readonly waitsFor: string | null;
  /** No further step of it begins. */
  readonly isStopped: boolean;
  readonly steps: readonly {
    readonly label: string;
    readonly state: StepState;
    readonly data: unknown;
    readonly receipt: unknown;
    readonly job: { readonly orderId: string; readonly jobId: number } | null;
  }[];
}

/** A ticket that was opened through this bot: the API reads none. */
export interface KnownTicket {
  readonly id: string;
  readonly url: string;
  readonly subject: string;
  readonly order: string | null;
  /** The request or the alert that it is about. */
  readonly about: string | null;
  readonly channel: string;
  readonly by: string;
  readonly at: number;
}

export interface AuditLine {
  readonly seq: number;
  readonly at: number;
  readonly kind: string;
  readonly actor: string | null;
  readonly channel: string | null;
  readonly operation: string | null;
  readonly text: string;
  /** A mistyped command, which only its author sees in the audit. */
  readonly isMistyped: boolean;
}

export interface Freeze {
  readonly id: string;
  /** `all`, `channel:C…` or `tag:web`. */
  readonly scope: string;
  readonly reason: string;
  readonly by: string;
  readonly since: number;
  readonly until: number | null;
}

export interface CommandInfo {
  readonly path: string;
  readonly summary: string;
  readonly usage: string;
  readonly examples: readonly [string, string];
  readonly capability: string;
  readonly risk: Risk;
  readonly area?: string;
  readonly args: readonly { readonly name: string; readonly hint: string; readonly optional: boolean }[];
}

/** Whether people from outside the workspace, or anybody in it, can be in a channel. */
export interface ChannelPosture {
  readonly isShared: boolean;
  readonly isPrivate: boolean;
  /** The teams that the channel is connected to, as Slack lists them, in order. */
  readonly teams: readonly string[];
}

/** Somebody whom a line names by hand instead of choosing from Slack's list. */
export interface MentionedId {
  readonly id: string;
  readonly kind: 'person' | 'group';
}

export interface BotReader {
  readonly version: string;
  /** It answers and watches, and begins nothing. */
  readonly isPaused: boolean;
  /** All commands, and whether this person may use each here at all. */
  readonly commands: () => Promise<readonly (CommandInfo & { readonly isAllowed: boolean })[]>;
  /** Names the grant and the rule that decide over this line, or the one that is missing. Runs nothing. */
  readonly explain: (line: string, about?: string) => Promise<View>;
  /** Names the people and groups whom a grant here lets use a capability or a command. Runs nothing. */
  readonly whoCan: (line: string) => Promise<View>;
  readonly policy: (channel: string) => Promise<Policy | undefined>;
  /** The people whom these grants and rules name, as far as Slack says. */
  readonly peopleOf: (policy: Pick<Policy, 'grants' | 'rules'>) => Promise<KnownPeople>;
  /** Reads from Slack whether the channel is shared or private now. */
  readonly posture: (channel: string) => Promise<ChannelPosture>;
  /** Of every channel: names, tags and projects mean the same in all of them. */
  readonly policies: () => Promise<ReadonlyMap<string, Policy>>;
  readonly isAdmin: boolean;
  /** People and user groups that are called so: a word such as `@ops` that Slack left as it was typed. */
  readonly named: (handle: string) => Promise<readonly MentionedId[]>;
  /** Whether somebody belongs to the workspace; `unknown` where Slack does not say. */
  readonly standing: (user: string) => Promise<Standing>;
  /** Whether somebody is in the channel of the request; undefined where Slack does not say. */
  readonly isHere: (user: string) => Promise<boolean | undefined>;
  readonly operation: (id: string) => Promise<OperationSummary | undefined>;
  /** Of each request: who confirmed, approved or declined it, and still counts. */
  readonly deciders: (ids: readonly string[]) => Promise<ReadonlyMap<string, readonly string[]>>;
  /** Why this person may not stop it; undefined when they may. */
  readonly whyNotStop: (id: string) => Promise<string | undefined>;
  readonly operations: (filter: {
    readonly channel?: string;
    readonly requester?: string;
    readonly isOpen?: boolean;
    /** Open, and past waiting for people. */
    readonly isUnderWay?: boolean;
    readonly limit: number;
  }) => Promise<readonly OperationSummary[]>;
  /** Requests of all channels that wait for this person, the oldest first. */
  readonly waitingForMe: () => Promise<readonly OperationSummary[]>;
  /** Addresses of the cards of these requests, where they are known; those of the first twenty. */
  readonly cardLinks: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  readonly audit: (filter: {
    readonly channel?: string;
    readonly actor?: string;
    readonly operation?: string;
    /** Entries of requests about one of these targets, or with a step of this label. */
    readonly about?: { readonly keys: readonly string[]; readonly label: string };
    readonly from?: number;
    readonly before?: number;
    /** Leaves out what changed nothing. */
    readonly isWithoutReads?: boolean;
    readonly limit: number;
  }) => Promise<readonly AuditLine[]>;
  /** The name that Slack shows for a person or a user group, with an @; other words while Slack does not say. */
  readonly nameOf: (id: string) => Promise<string>;
  /** Rows of the audit from before this moment are in a file of `hostler archive`; undefined when none are. */
  readonly archivedUntil: () => Promise<number | undefined>;
  readonly freezes: () => Promise<readonly Freeze[]>;
  /** The text without what looks like a secret, and without the secrets of the configuration. */
  readonly strikeSecrets: (text: string) => string;
  /** Tickets that were opened through this bot. */
  readonly tickets: () => Promise<readonly KnownTicket[]>;
  /** The hook of ours that an address opens, by the whole of its token. */
  readonly ticketHookAt: (url: string) => Promise<{ readonly id: string; readonly channel: string } | undefined>;
  /** Slack ids of the people whose keys they are, by fingerprint; only what was recorded here. */
  readonly sshKeyOwners: () => Promise<ReadonlyMap<string, string>>;
  readonly alerts: AlertReader;
}

export interface AlertReader {
  readonly rules: readonly AlertRuleInfo[];
  /** Shows an example of this rule's alert. */
  readonly sample: (rule: string) => View | undefined;
  readonly subscription: (channel: string) => Promise<Subscription | undefined>;
  /** Alerts that are open in a channel, oldest first, as far as this person may see them. */
  readonly open: (filter: {
    readonly channel: string;
    readonly offset: number;
    readonly limit: number;
  }) => Promise<{ readonly alerts: readonly AlertSummary[]; readonly count: number }>;
  readonly find: (id: string) => Promise<(AlertSummary & { readonly channel: string }) | undefined>;
  readonly onMessage: (message: string) => Promise<readonly (AlertSummary & { readonly channel: string })[]>;
  readonly hooks: (channel: string) => Promise<readonly HookInfo[]>;
  /** Whether this bot can be reached from outside at all. */
  readonly isReachable: boolean;
}

export interface BotWriter {
  /** Only if the policy is still at this version; each change is audited with who changed what. */
  readonly savePolicy: (channel: string, policy: Policy, expectedVersion: number) => Promise<boolean>;
  /** An admin says that the rights of a channel hold as it was shown; false when it is different by now. */
  readonly confirmChannel: (channel: string, shown: ChannelPosture) => Promise<boolean>;
  readonly freeze: (freeze: Omit<Freeze, 'id' | 'since'>) => Promise<string>;
  readonly unfreeze: (id: string) => Promise<boolean>;
  /** No further step of it begins. Throws a Refusal when this person may not. */
  readonly stopRequest: (id: string) => Promise<void>;
  /** Its channel and who asked are those of the request. */
  readonly rememberTicket: (ticket: Omit<KnownTicket, 'channel' | 'by' | 'at'>) => Promise<void>;
  readonly setSshKeyOwner: (fingerprint: string, user: string) => Promise<void>;
  readonly alerts: AlertWriter;
}

export interface AlertWriter {
  /** Only if it is still at this version. */
  readonly subscribe: (channel: string, subscription: Subscription, expectedVersion: number) => Promise<boolean>;
  /** Puts somebody on an open alert; false when it is not open any more. */
  readonly handOver: (alerts: readonly string[], to: string) => Promise<boolean>;
  /** The address holds the token: it is given out here and never again. */
  readonly addHook: (hook: {
    readonly channel: string;
    readonly kind: HookKind;
    readonly name: string;
  }) => Promise<{ readonly id: string; readonly url: string }>;
  readonly revokeHook: (id: string) => Promise<boolean>;
}

export interface UploadedFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}
