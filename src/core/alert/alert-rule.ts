import { type Account, mayReadAll, type Order, type ReaderAt, type Target } from '../account/account.ts';
import type { Capability } from '../policy/policy.ts';
import type { Probed } from '../probe/services.ts';
import type { Json } from '../text/json.ts';
import { minute } from '../text/words.ts';
import type { AlertEnd, Finding, ObservedKind } from './alert.ts';

/**
 * An alert rule is a literal: its interval, the conditions to fire and to clear, and the offered action.
 * Reads cost calls and run once for all channels; `find` is pure and runs for each channel.
 */

interface Common {
  readonly name: string;
  /** `Balance runs low` */
  readonly title: string;
  /** The heading of a message of several alerts; `name` if all are about one target. */
  readonly many: (n: number, name?: string) => string;
  /** True for a rule about the whole account, which cannot be narrowed to targets. */
  readonly isAboutAccount?: boolean;
  /** True for a rule about the order, its payment and its end, which no mute of the server holds back. */
  readonly isAboutOrder?: true;
  /** True for a rule that `all` leaves out: a channel has to name it. */
  readonly isOptional?: true;
  readonly everyMs: number;
  /** The time within which each target is read, for a rule that reads a part of its targets in each run. */
  readonly withinMs?: number;
  readonly fires: string;
  readonly clears: string;
  /** The capability needed to subscribe to the rule, to be on its alerts, and to hand them over. */
  readonly capability: Capability;
  readonly thresholds?: Thresholds;
  /** The example that `alerts test` posts. */
  readonly sample: (now: number) => Finding;
}

export interface AlertDefinition<F, R> extends Common {
  /** Undefined if the read failed, which changes no alert. A ProviderError means the same. */
  readonly read: (context: SweepContext<R>) => Promise<F | undefined>;
  readonly find: (facts: F, at: readonly number[], now: number) => readonly Finding[];
  /** The end of an alert whose cause was not found; undefined if the facts prove no end: the alert stays open. */
  readonly calm: (cause: string, facts: F, open: Finding, now: number) => AlertEnd | undefined;
}

export interface AlertRule<R> extends Common {
  readonly read: (context: SweepContext<R>) => Promise<Sight | undefined>;
}

/** The result of one run, for all subscribed channels. */
export interface Sight {
  readonly find: (at: readonly number[]) => readonly Finding[];
  readonly calm: (open: Finding) => AlertEnd | undefined;
}

/** An alert reveals its rule's reads, so the reader needs that capability. Without a rule, it came from a webhook. */
export function maySeeAlert(
  { rule: name, finding: { target } }: { readonly rule: string; readonly finding: Pick<Finding, 'target'> },
  rules: readonly Pick<Common, 'name' | 'capability'>[],
  reader: ReaderAt & { readonly may: (capability: Capability, target: Target) => boolean },
): boolean {
  const rule = rules.find((candidate) => candidate.name === name);
  return rule === undefined ? mayReadAll([target], reader) : reader.may(rule.capability, target);
}

/** The report of the creation webhook without its credentials, which only the requester may see. */
export interface NewServer {
  readonly id: string;
  readonly name: string;
  readonly address: string;
  readonly plan: string;
  readonly by: string;
}

/** The context of a rule's run. Its reads are shared with the other rules of the sweep and with commands. */
export interface SweepContext<R> {
  readonly reader: R;
  readonly now: number;
  /** The present account, from the commands' cache. */
  readonly account: () => Promise<Account>;
  /** The account, up to some minutes old: for names, not for states. */
  readonly names: () => Promise<Account>;
  /** Shares a read among all rules of one sweep. */
  readonly once: <T>(what: string, read: () => Promise<T>) => Promise<T>;
  /** True if a channel subscribed to this rule for the target. Other targets need no read. */
  readonly isWatched: (target: Target) => boolean;
  /** Picks the keys to read in this sweep, longest unread first: a few in each sweep, all within `withinMs`. */
  readonly pickDue: (kind: ObservedKind, keys: readonly string[], withinMs: number) => Promise<readonly string[]>;
  /** Compares the values with the usual ones, stores them, and returns those that differ without a step of the bot. */
  readonly drift: (
    kind: ObservedKind,
    seen: readonly AlertObservation[],
    how: DriftOptions,
  ) => Promise<readonly Drift[]>;
  /** Tries once from outside whether these servers answer as before. */
  readonly probeServers: (orders: readonly Order[]) => Promise<readonly ServerAnswers[]>;
  /** New servers that the provider reported since that time. */
  readonly newServers: (since: number) => Promise<readonly NewServer[]>;
  /** Steps of this bot that were under way since that time and did not end as done: their effect is unknown. */
  readonly unfinished: (since: number) => Promise<readonly UnfinishedStep[]>;
  /** Jobs started by this bot that are under way or ended since that time. */
  readonly jobs: (since: number) => Promise<readonly JobSeen[]>;
}

/** A server that answered from outside at some time. */
export interface ServerAnswers {
  readonly order: Order;
  /** The services that answered when all were tried. */
  readonly services: readonly Probed[];
  /** Since when nothing answers; null if something does. */
  readonly silentSince: number | null;
  /** Nothing answered twice in a row. */
  readonly isSilent: boolean;
}

export interface AlertObservation {
  readonly key: string;
  readonly value: Json;
  readonly target: Target;
}

/** A step of this bot on the target of an observation. */
export interface OurStep {
  readonly command: string;
  readonly data: Json;
  /**
   * Done long enough ago that the present read shows its effect. Any other step is under way or was just done, and may
   * not have taken effect. A step that did not end as done explains no change.
   */
  readonly isSettled: boolean;
}

export interface DriftOptions {
  /** The expected value after a step of this bot, usual once that is settled. If absent, no step explains a change. */
  readonly ours?: (usual: Json, step: OurStep, seen: AlertObservation) => Json;
  /** The usual value at the first observation; by default, the observed value. */
  readonly firstUsual?: Json;
}

export interface Drift {
  readonly key: string;
  readonly usual: Json;
  readonly value: Json;
  /** The time at which the bot first saw the change, which may have happened up to one sweep earlier. */
  readonly since: number;
}

export interface UnfinishedStep {
  /** The key of its target. */
  readonly target: string;
  readonly startedAt: number;
  readonly endedAt: number | null;
}

export interface JobSeen {
  readonly orderId: string;
  readonly jobId: number;
  readonly action: string;
  readonly label: string;
  readonly operation: string;
  /** The channel with the card of the request. */
  readonly channel: string;
  readonly acceptedAt: number;
  readonly end: 'done' | 'failed' | 'unknown' | undefined;
  readonly note: string;
}

/** A rule without its reads, for commands that describe it. */
export type AlertRuleInfo = Omit<Common, 'many'>;

export interface Thresholds {
  readonly unit: 'days' | 'percent' | 'minutes';
  /** From the mildest to the worst. */
  readonly usual: readonly number[];
  /** True if lower values are worse, as with days left. */
  readonly isFalling: boolean;
  readonly min: number;
  readonly max: number;
  /** Maximum number of thresholds; 1 for a rule that does not escalate. */
  readonly most: number;
}

export function thresholdsFor(rule: Pick<Common, 'thresholds'>, settings?: { readonly at: readonly number[] }) {
  return settings !== undefined && settings.at.length > 0 ? settings.at : (rule.thresholds?.usual ?? []);
}

/** The longest time from an event to its alert: the rule's interval for each target, plus the minute between sweeps. */
export function noticeMs({ everyMs, withinMs = 0 }: { readonly everyMs: number; readonly withinMs?: number }): number {
  const readMs = Math.max(everyMs, withinMs);
  return readMs <= minute ? minute : readMs + minute;
}
