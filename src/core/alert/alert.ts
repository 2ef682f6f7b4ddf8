import { type Account, mayReadAll, type ReaderAt, type Target } from '../account/account.ts';
import type { Capability } from '../policy/policy.ts';
import type { Json } from '../text/json.ts';
import type { Severity } from '../view/severity.ts';
import type { Text, ViewPart } from '../view/view.ts';
import type { AlertState } from './alert-state.ts';
import type { Thresholds } from './thresholds.ts';

/**
 * An alert rule is a literal: its reads, their interval, the conditions to fire and to clear, and the offered action.
 * Reads cost calls and run once for all channels; `find` is pure and runs for each channel.
 */

/** A line as a button. `$alert` in the line stands for the alert's id. */
export interface Offer {
  readonly label: string;
  readonly line: string;
}

/** A condition that a rule found. While it lasts, the same cause is the same alert. */
export interface Finding {
  /** Stable and unique within the rule: an order id, a domain. */
  readonly cause: string;
  readonly target: Target;
  /** `Balance covers 6 days` */
  readonly title: string;
  /** Beside the title: `nobody here turned it off`. */
  readonly aside?: string;
  readonly lines: readonly Text[];
  readonly severity: Severity;
  /** The index of the passed threshold. If it rises, the alert escalates and notifies the channel again. */
  readonly level: number;
  readonly offers: readonly Offer[];
  /** Details for `alerts show`, such as a diff. */
  readonly details?: readonly ViewPart[];
  /** Sorts findings of equal severity in a message, smallest first: the days left, for example. */
  readonly left?: number;
  /** The labels that differ from other alerts of the group: `instance=web-1:9100`. */
  readonly which?: string;
  /** The address of the alert in the monitoring system. */
  readonly source?: string;
  /** The title of a message of several alerts, if the monitoring system groups alerts. */
  readonly group?: string;
  /** Offer no ticket: it could not be sent, or one exists. */
  readonly isNotForSupport?: true;
  /** Nothing is wrong, so no one has to be on it. */
  readonly isNews?: true;
  /** The channel that the card of the request has informed already: no alert begins there. */
  readonly heardIn?: string;
  /** Continue an open alert, but begin none. */
  readonly onlyContinues?: true;
  /** The rule that reports it, too: where a channel subscribes to that, this is no alert. */
  readonly reportedBy?: string;
  /** A further offer after a request of this command for the target did not end as done. */
  readonly afterFailed?: Offer & { readonly command: string; readonly capability: Capability };
  /** The button that accepts the present value as right. */
  readonly rightAs?: RightAs;
}

/** The button with which a person accepts a value as the usual one: `Off is right`. */
export interface RightAs {
  readonly label: string;
  /** The words of the alert's end and of the audit; by default the label. */
  readonly ended?: string;
  /** True if the button belongs beside the offers, not in the menu. */
  readonly isInOpen?: true;
  /** The right needed on the target, the same as for a request that sets this value. */
  readonly capability: Capability;
  readonly kind: ObservedKind;
  readonly key: string;
  /** The hash of the shown value: the click accepts no later one. */
  readonly seen: string;
}

/**
 * The final sentence of an alert. A string is good news and gets ✅. `over`: nothing is left to warn of, such as for a
 * deleted order, which is not good news.
 */
export type AlertEnd = string | { readonly over: string };

interface Common {
  readonly name: string;
  /** `Balance runs low` */
  readonly title: string;
  /** The heading of a message of several alerts; `name` if all are about one target. */
  readonly many: (n: number, name?: string) => string;
  /** True for a rule about the whole account, which cannot be narrowed to targets. */
  readonly isAboutAccount?: boolean;
  readonly reads: string;
  readonly everyMs: number;
  /** The time within which each target is read, for a rule that reads a part of its targets in each run. */
  readonly withinMs?: number;
  readonly fires: string;
  readonly clears: string;
  readonly offers: string;
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
  /**
   * The end of an alert whose cause was not found. Undefined if the facts do not prove the end: the alert stays open.
   */
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

/**
 * An alert reveals its rule's reads, so the reader needs the rule's capability. An alert without a rule came from a
 * webhook.
 */
export function maySeeAlert(
  { rule: name, finding: { target } }: { readonly rule: string; readonly finding: Pick<Finding, 'target'> },
  rules: readonly Pick<Common, 'name' | 'capability'>[],
  reader: ReaderAt & { readonly may: (capability: Capability, target: Target) => boolean },
): boolean {
  const rule = rules.find((candidate) => candidate.name === name);
  return rule === undefined ? mayReadAll([target], reader) : reader.may(rule.capability, target);
}

/** Hides the type of a definition's facts, so that one list holds all rules without a cast. */
export function closeAlert<F, R>(definition: AlertDefinition<F, R>): AlertRule<R> {
  const { read, find, calm, ...common } = definition;
  return {
    ...common,
    read: async (context) => {
      const facts = await read(context);
      if (facts === undefined) return undefined;
      return {
        find: (at) => find(facts, at, context.now),
        calm: (open) => calm(open.cause, facts, open, context.now),
      };
    },
  };
}

/** Kinds of values that rules observe in the account and compare with usual values. */
export const observedKinds = ['power', 'zone', 'traffic', 'api', 'cancel'] as const;
export type ObservedKind = (typeof observedKinds)[number];

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
  /**
   * Compares the values with the usual ones, stores them, and returns all of the kind that differ without a step of
   * this bot.
   */
  readonly drift: (
    kind: ObservedKind,
    seen: readonly AlertObservation[],
    how: DriftOptions,
  ) => Promise<readonly Drift[]>;
  /** New servers that the provider reported since that time. */
  readonly newServers: (since: number) => Promise<readonly NewServer[]>;
  /** Steps of this bot that were under way since that time and did not end as done: their effect is unknown. */
  readonly unfinished: (since: number) => Promise<readonly UnfinishedStep[]>;
  /** Jobs started by this bot that are under way or ended since that time. */
  readonly jobs: (since: number) => Promise<readonly JobSeen[]>;
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
  /**
   * The expected value after a step of this bot on the target. After a settled step, it becomes the usual value. If
   * absent, no step explains a change.
   */
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

/** An alert as commands see it. */
export interface AlertSummary {
  readonly id: string;
  readonly rule: string;
  readonly state: AlertState;
  readonly severity: Severity;
  readonly finding: Finding;
  readonly openedAt: number;
  readonly resolvedAt: number | null;
  readonly by: string | null;
  readonly until: number | null;
}

/** A rule without its code, for commands that describe it. */
export type AlertRuleInfo = Omit<AlertRule<never>, 'look' | 'sample' | 'many'>;

export const hookKinds = ['alertmanager', 'grafana', 'kuma', 'healthchecks', 'json'] as const;
/** `ticket` is the provider's webhook, which a command registers. */
export type HookKind = (typeof hookKinds)[number] | 'ticket';

/** An address to which monitoring may post. The token is not stored. */
export interface HookInfo {
  readonly id: string;
  readonly kind: HookKind;
  readonly name: string;
  readonly channel: string;
  readonly createdBy: string;
  readonly createdAt: number;
  readonly usedAt: number | null;
}
