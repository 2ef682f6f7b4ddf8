import { z } from 'zod';
import type { Order, Target } from '../account/account.ts';
import type { CommandShape } from '../grammar/command-shape.ts';
import type { Answer } from '../plan/answers.ts';
import type { OperationState, StepState } from '../plan/operation.ts';
import type { KnownPeople } from '../policy/approvers.ts';
import type { Membership } from '../policy/membership.ts';
import type { Policy, Risk, Rule } from '../policy/policy.ts';
import type { ProtectionOf } from '../policy/protection.ts';
import type { Prober } from '../probe/services.ts';
import type { Text, View } from '../view/view.ts';
import type { AlertReader, AlertWriter } from './alert-port.ts';
import type { ArgMap } from './args.ts';
import type { ZoneHistory } from './zone-history.ts';

/** The interface of commands to the bot itself. The engine implements it; commands never see a store. */

export interface OperationSummary {
  readonly id: string;
  readonly title: string;
  /** The risk at the decision. */
  readonly risk: Risk;
  readonly state: OperationState;
  /** The required decision. */
  readonly rule: Rule;
  readonly requester: string;
  /** The token through which a machine asked; null for a request of a person. */
  readonly token: { readonly name: string } | null;
  readonly channel: string;
  readonly targets: readonly Target[];
  readonly names: readonly Target[];
  readonly createdAt: number;
  /** The hour of its begin; the time of the request if it has none. */
  readonly startsAt: number;
  /** The freeze whose end it awaits; null if it awaits none. */
  readonly waitsForThaw: string | null;
  /** True if it waits for the end of a freeze at its hour. */
  readonly isPatient: boolean;
  /** In a list by hour, why it will not run: `frozen until 14:44: release`; null if nothing known now prevents it. */
  readonly stoppedBy: Text | null;
  /** True for a run of a standing approval: its hour cannot be moved. */
  readonly isRun: boolean;
  readonly endedAt: number | null;
  readonly endText: string | null;
  /** The line that undoes the request. */
  readonly undo: string | null;
  /** Why an approved request waits; null if it does not wait. */
  readonly waitsFor: string | null;
  /** True if no further step begins. */
  readonly isStopped: boolean;
  readonly steps: readonly {
    readonly label: string;
    readonly state: StepState;
    readonly data: unknown;
    readonly receipt: unknown;
    readonly job: { readonly orderId: string; readonly jobId: number } | null;
  }[];
}

/** A ticket opened through this bot; the API returns no tickets. */
export const ticketSchema = z.object({
  id: z.string(),
  url: z.string(),
  subject: z.string(),
  order: z.string().nullable(),
  /** The request or alert that the ticket is about. */
  about: z.string().nullable(),
  channel: z.string(),
  by: z.string(),
  at: z.number(),
});
export type KnownTicket = Readonly<z.infer<typeof ticketSchema>>;

export interface OperationFilter {
  readonly requester?: string;
  readonly channel?: string;
  readonly commands?: readonly string[];
  readonly states?: readonly OperationState[];
  readonly open?: boolean;
  /** Only those that ended after this time. */
  readonly endedSince?: number;
  readonly limit: number;
  /** The last row of the previous page. */
  readonly before?: { readonly createdAt: number; readonly id: string };
}

/** Requests of these channels or of this requester. */
export interface HourFilter {
  readonly channels: readonly string[];
  readonly requester: string;
  readonly limit: number;
}

export interface AuditFilter {
  readonly actor?: string;
  readonly channel?: string;
  readonly operationId?: string;
  readonly kind?: string;
  /** Entries of operations that have a step on one of these targets, or a step with this label. */
  readonly about?: { readonly keys: readonly string[]; readonly label: string };
  /** From this time on, and before `until`. */
  readonly from?: number;
  readonly until?: number;
  /** Leaves out entries about reads. */
  readonly isWithoutReads?: boolean;
  /** The `seq` of the last row of the previous page. */
  readonly before?: number;
  readonly limit: number;
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

/** Blocks actions, or, as a mute, holds back alerts. */
export interface Freeze {
  readonly id: string;
  /** `all`, `channel:C…` or `tag:web`; of a mute also `order:34-12345` or `domain:example.com`. */
  readonly scope: string;
  readonly reason: string;
  readonly byUser: string;
  readonly since: number;
  /** Null: the freeze lasts until someone ends it. */
  readonly until: number | null;
  /** The channel whose alerts a mute holds back; null for a freeze. */
  readonly mutedIn: string | null;
}

/** A command as help lists it. */
export interface ListedCommand extends CommandShape {
  readonly summary: string;
  readonly examples: readonly [string, string];
  readonly risk: Risk;
  readonly area?: string;
  readonly isBehind?: true;
  readonly args: ArgMap;
  /** Whether this person may use it here at all. */
  readonly isAllowed: boolean;
}

/** Whether a channel is open to people outside the workspace or to everyone in it. */
export const postureSchema = z.object({
  isShared: z.boolean(),
  isPrivate: z.boolean(),
  /** The sorted ids of the connected teams. */
  teams: z.array(z.string()).readonly().default([]),
});
export type ChannelPosture = Readonly<z.infer<typeof postureSchema>>;

/** A plan that a channel keeps under a name. Its lines may have placeholders such as `{server}`. */
export interface SavedPlan {
  readonly name: string;
  readonly lines: readonly string[];
  readonly by: string;
  readonly at: number;
}

/** A person or group typed by hand instead of chosen from Slack's list. */
export interface MentionedId {
  readonly id: string;
  readonly kind: 'person' | 'group';
}

export interface BotReader {
  readonly version: string;
  /** True while the bot reads and watches but begins nothing. */
  readonly isPaused: boolean;
  readonly commands: () => readonly ListedCommand[];
  /** Names the grant and the rule that decide on this line, or the missing one. Runs nothing. */
  readonly explain: (line: string, about?: string) => Promise<View>;
  /** Names the people and groups whom a grant here allows a capability or a command. Runs nothing. */
  readonly whoCan: (line: string) => Promise<View>;
  readonly policy: (channel: string) => Promise<Policy | undefined>;
  /** The people named by these grants and rules, as far as Slack answers. */
  readonly peopleOf: (policy: Pick<Policy, 'grants' | 'rules'>) => Promise<KnownPeople>;
  /** Reads from Slack whether the channel is shared or private now. */
  readonly posture: (channel: string) => Promise<ChannelPosture>;
  /** The policies of all channels; names, tags and projects mean the same in each. */
  readonly policies: () => Promise<ReadonlyMap<string, Policy>>;
  readonly isAdmin: boolean;
  /** Finds people and user groups by a word such as `@ops` that Slack did not resolve. */
  readonly named: (handle: string) => Promise<readonly MentionedId[]>;
  /** A person's membership in the workspace; `unknown` if Slack does not answer. */
  readonly membership: (user: string) => Promise<Membership>;
  /** Whether a person is in the request's channel; undefined if Slack does not answer. */
  readonly isHere: (user: string) => Promise<boolean | undefined>;
  readonly operation: (id: string) => Promise<OperationSummary | undefined>;
  /** The people who decided each request, and how: by a vote, a broken glass, a standing approval, or by ending it. */
  readonly decisions: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /** Why this person may not stop the request; undefined if they may. */
  readonly whyNotStop: (id: string) => Promise<string | undefined>;
  readonly operations: (filter: OperationFilter) => Promise<readonly OperationSummary[]>;
  /** Requests with an hour that have not begun, in one of the channels or by the requester, the next hour first. */
  readonly byHour: (filter: HourFilter) => Promise<readonly OperationSummary[]>;
  /** Requests in all channels that wait for this person, oldest first. */
  readonly waitingForMe: () => Promise<readonly OperationSummary[]>;
  /** How the requests of a channel that need an approval were answered in the last 30 days. */
  readonly answers: (
    channel: string,
  ) => Promise<readonly (Answer & Pick<OperationSummary, 'names' | 'requester' | 'targets'>)[]>;
  /** Links to the cards of the first twenty requests, as far as known. */
  readonly cardLinks: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  readonly audit: (filter: AuditFilter) => Promise<readonly AuditLine[]>;
  /** The name that Slack shows for a person or a user group, with an @; a general term if Slack does not answer. */
  readonly nameOf: (id: string) => Promise<string>;
  readonly freezes: () => Promise<readonly Freeze[]>;
  /** The mutes of this channel. */
  readonly mutes: () => Promise<readonly Freeze[]>;
  /** Finds the protection of a target, which people or a policy set. */
  readonly protections: () => Promise<ProtectionOf>;
  /** The keys of the targets that people protected. */
  readonly protectedKeys: () => Promise<ReadonlySet<string>>;
  /** The servers among these that are off on purpose, as far as the alert rule of the power knows. */
  readonly offAsUsual: (orders: readonly Pick<Order, 'id'>[]) => Promise<ReadonlySet<string>>;
  /** Removes text that looks like a secret, and the secrets of the configuration. */
  readonly strikeSecrets: (text: string) => string;
  readonly openedTickets: () => Promise<readonly KnownTicket[]>;
  /** The hook of this bot with exactly this address. */
  readonly hookAt: (url: string) => Promise<{ readonly id: string; readonly channel: string } | undefined>;
  /** The saved plans of the request's channel, by name. */
  readonly savedPlans: () => Promise<readonly SavedPlan[]>;
  /** Refuses a person who may not ask for one of these lines here. */
  readonly mayEditPlan: (lines: readonly string[]) => Promise<void>;
  readonly alerts: AlertReader;
  readonly zones: ZoneHistory;
  readonly prober: Prober;
  /** Asks the name servers of a domain for all records of a host, in sentences. */
  readonly checkName: (domain: string, host: string) => Promise<string>;
}

export interface BotWriter {
  /** Saves only if the stored policy has `expectedVersion`. Each change is audited. */
  readonly savePolicy: (channel: string, policy: Policy, expectedVersion: number) => Promise<boolean>;
  /** Confirms a channel's rights for the shown posture; false if the posture has changed. */
  readonly confirmChannel: (channel: string, shown: ChannelPosture) => Promise<boolean>;
  /** Begins a freeze or a mute: `what` of the audit, such as `tag:web frozen`. Without a reason it has that of the request. */
  readonly freeze: (
    freeze: Omit<Freeze, 'id' | 'since' | 'reason' | 'byUser'> & { reason?: string },
    what: string,
  ) => Promise<string>;
  readonly unfreeze: (freeze: Pick<Freeze, 'id' | 'mutedIn'>, words: string) => Promise<boolean>;
  readonly protect: (protection: Readonly<Record<'target' | 'name' | 'why' | 'by', string>>) => Promise<void>;
  /** Removes the protection that was set at this time. */
  readonly unprotect: (protection: Record<'target' | 'name', string> & { readonly since: number }) => Promise<void>;
  /** Stops the request before its next step. Throws a Refusal if this person may not. */
  readonly stopRequest: (id: string) => Promise<void>;
  /** Saves the plan if its lines are still `before`; null stands for no plan. Refuses otherwise. */
  readonly savePlan: (
    channel: string,
    plan: { readonly name: string } & Readonly<Record<'lines' | 'before', readonly string[] | null>>,
  ) => Promise<void>;
  /** Stores a ticket with the channel and the requester of the present request. */
  readonly addOpenedTicket: (ticket: Omit<KnownTicket, 'channel' | 'by' | 'at'>) => Promise<void>;
  readonly alerts: AlertWriter;
}

export interface UploadedFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}
