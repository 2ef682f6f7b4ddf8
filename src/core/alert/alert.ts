import { type Account, mayReadAll, type ReaderAt, type Target } from '../account/account.ts';
import type { Capability } from '../policy/policy.ts';
import type { Json } from '../text/json.ts';
import type { Severity } from '../view/severity.ts';
import type { Text, ViewPart } from '../view/view.ts';
import type { AlertState } from './alert-state.ts';
import type { Thresholds } from './thresholds.ts';

/**
 * An alert rule is a literal: what it reads, how often, what makes it fire and clear, and which one action it offers.
 * Reading costs calls and is done once for all channels; finding is pure and is done for each channel.
 */

/** A line that a person could type, as a button. `$alert` in it stands for the alert's id. */
export interface Offer {
  readonly label: string;
  readonly line: string;
}

/** A condition that a rule found. The same cause is the same alert for as long as it lasts. */
export interface Finding {
  /** Stable and unique within the rule: an order id, a domain. */
  readonly cause: string;
  readonly target: Target;
  /** `Balance covers 6 days` */
  readonly title: string;
  readonly lines: readonly Text[];
  readonly severity: Severity;
  /** The index of the threshold that is passed. When it rises the alert escalates: the channel is notified again. */
  readonly level: number;
  readonly offers: readonly Offer[];
  /** Details that `alerts show` adds: a diff, for example. */
  readonly details?: readonly ViewPart[];
  /** Among those of a digest that are as grave the smallest stands first: the days that are left, for example. */
  readonly left?: number;
  /** The labels that other alerts of its group do not share: `instance=web-1:9100`. */
  readonly which?: string;
  /** The address at which monitoring shows it. */
  readonly source?: string;
  /** The title of a digest, when monitoring groups alerts. */
  readonly group?: string;
  /** No ticket is offered: it could not be sent, or there is one already. */
  readonly isNotForSupport?: true;
  /** Nothing is wrong: nobody has to be on it. */
  readonly isNews?: true;
  /** The channel that has read it already, on the card of the request: no alert begins there. */
  readonly heardIn?: string;
  /** It continues an open alert and begins none: another rule is about it. */
  readonly onlyContinues?: true;
  /** Offered beside the others once a request of this command about it did not end as done. */
  readonly afterFailed?: Offer & { readonly command: string; readonly capability: Capability };
  /** The button with which a person says that this is right from now on. */
  readonly rightAs?: RightAs;
}

/** A person's word that a value is the usual one: `Off is right`. */
export interface RightAs {
  readonly label: string;
  /** The right that it needs on the target, as a request that sets this value would. */
  readonly capability: Capability;
  readonly kind: ObservedKind;
  readonly key: string;
  /** The hash of the value: the word is about what was shown, and about nothing that came later. */
  readonly seen: string;
}

/**
 * The sentence with which an alert ends. A string is good news and gets ✅. `over`: there is nothing left to warn of,
 * which is no good news, such as an order that is gone.
 */
export type AlertEnd = string | { readonly over: string };

interface Common {
  readonly name: string;
  /** `Balance runs low` */
  readonly title: string;
  /** The heading of a digest. */
  readonly many: (n: number) => string;
  /** The rule is about the account as a whole: it cannot be narrowed to some targets. */
  readonly isAboutAccount?: boolean;
  /** The rule looks again when a request of such a command has ended, and not only in `everyMs`: `ssh-key `. */
  readonly looksAfter?: string;
  readonly reads: string;
  readonly everyMs: number;
  /** The rule reads a part of its targets in each look: each of them within so long. */
  readonly withinMs?: number;
  readonly fires: string;
  readonly clears: string;
  readonly offers: string;
  /** The capability a person needs here to subscribe to it, to be on it and to hand it over. */
  readonly capability: Capability;
  readonly thresholds?: Thresholds;
  /** The example that `alerts test` posts. */
  readonly sample: (now: number) => Finding;
}

export interface AlertDefinition<F, R> extends Common {
  /** Undefined: it could not be read, so everything stays as it is. A ProviderError means the same. */
  readonly look: (context: SweepContext<R>) => Promise<F | undefined>;
  readonly find: (facts: F, at: readonly number[], now: number) => readonly Finding[];
  /**
   * How the alert of a cause that was not found ends. Undefined: what was read does not say that it is over, so the
   * alert stays open.
   */
  readonly calm: (cause: string, facts: F, open: Finding, now: number) => AlertEnd | undefined;
}

export interface AlertRule<R> extends Common {
  readonly look: (context: SweepContext<R>) => Promise<Sight | undefined>;
}

/** The result of one look, for every channel that asks. */
export interface Sight {
  readonly find: (at: readonly number[]) => readonly Finding[];
  readonly calm: (open: Finding) => AlertEnd | undefined;
}

/** An alert tells what its rule reads, so it is for people with the right to that. One without a rule came from a webhook. */
export function maySeeAlert(
  { rule: name, finding: { target } }: { readonly rule: string; readonly finding: Pick<Finding, 'target'> },
  rules: readonly Pick<Common, 'name' | 'capability'>[],
  reader: ReaderAt & { readonly may: (capability: Capability, target: Target) => boolean },
): boolean {
  const rule = rules.find((known) => known.name === name);
  return rule === undefined ? mayReadAll([target], reader) : reader.may(rule.capability, target);
}

/** Hides the type of a definition's facts, so that all rules fit into one list without a cast. */
export function closeAlert<F, R>(definition: AlertDefinition<F, R>): AlertRule<R> {
  const { look, find, calm, ...common } = definition;
  return {
    ...common,
    look: async (context) => {
      const facts = await look(context);
      if (facts === undefined) return undefined;
      return {
        find: (at) => find(facts, at, context.now),
        calm: (open) => calm(open.cause, facts, open, context.now),
      };
    },
  };
}

/** Kinds of what rules observe in the account, to compare it with what is usual. */
export const observedKinds = ['power', 'zone', 'traffic', 'api', 'cancel'] as const;
export type ObservedKind = (typeof observedKinds)[number];

/** The report of the creation webhook, without credentials: those are kept for the person who ordered the server. */
export interface NewServer {
  readonly id: string;
  readonly name: string;
  readonly address: string;
  readonly plan: string;
  readonly by: string;
}

/** The context of a look. Everything read through it is shared with the other rules of the sweep and with commands. */
export interface SweepContext<R> {
  readonly reader: R;
  readonly now: number;
  /** The account as it is now, from the commands' cache. */
  readonly account: () => Promise<Account>;
  /** The same, but up to some minutes old: for names, not for states. */
  readonly names: () => Promise<Account>;
  /** The same read for all rules of one sweep. */
  readonly once: <T>(what: string, read: () => Promise<T>) => Promise<T>;
  /** True when some channel subscribed to this rule for the target: nothing else need be read. */
  readonly isWatched: (target: Target) => boolean;
  /** Of these, the ones to read in this sweep, the longest unread first: all within `withinMs`, never more than a few. */
  readonly pickDue: (kind: ObservedKind, keys: readonly string[], withinMs: number) => Promise<readonly string[]>;
  /** Compares with what was usual, remembers it, and gives all of the kind that differ now without our doing. */
  readonly drift: (
    kind: ObservedKind,
    seen: readonly AlertObservation[],
    how: DriftOptions,
  ) => Promise<readonly Drift[]>;
  /** New servers that the provider has reported since. */
  readonly newServers: (since: number) => Promise<readonly NewServer[]>;
  /** People of the workspace; undefined while Slack does not give them. */
  readonly roster: () => Promise<Roster | undefined>;
  /** Whether somebody is deactivated in Slack; undefined while Slack does not say. */
  readonly isDeactivated: (user: string) => Promise<boolean | undefined>;
  /** Slack ids of the people whose SSH keys they are, by fingerprint; only what was recorded here. */
  readonly sshKeyOwners: () => Promise<ReadonlyMap<string, string>>;
  /** Jobs that this bot started: those under way, and those that ended since. */
  readonly jobs: (since: number) => Promise<readonly JobSeen[]>;
}

/** People and the names they go by, in lower case: their handle, the name they show, their full name. */
export interface Roster {
  readonly people: readonly {
    readonly id: string;
    readonly names: readonly string[];
    readonly isDeactivated: boolean;
  }[];
  /** False for a workspace of which only the first people were read: a name may be somebody else's as well. */
  readonly isComplete: boolean;
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
   * Done long enough ago that the present read shows it. Any other step is under way, or was done a moment ago: it may
   * have taken effect, or not yet. A step that did not end as done explains nothing.
   */
  readonly isSettled: boolean;
}

export interface DriftOptions {
  /**
   * The value to expect after a step of ours on the target. Only that of a settled step is usual from then on. Without
   * it no step of ours explains a change.
   */
  readonly ours?: (usual: Json, step: OurStep, seen: AlertObservation) => Json;
  /** The usual value when something is seen for the first time; without it, the value seen then. */
  readonly firstUsual?: Json;
}

export interface Drift {
  readonly key: string;
  readonly usual: Json;
  readonly value: Json;
  /** The time at which the bot first saw it; it may have happened up to one sweep earlier. */
  readonly since: number;
}

export interface JobSeen {
  readonly orderId: string;
  readonly jobId: number;
  readonly action: string;
  readonly label: string;
  readonly operation: string;
  /** The channel with the card of the request. */
  readonly channel: string;
  /** The name of the person who asked, with an @. */
  readonly by: string;
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
/** `ticket` is set at the provider by a command and posted to by it alone. */
export type HookKind = (typeof hookKinds)[number] | 'ticket';

/** An address that monitoring may post to; its token is known to nobody any more. */
export interface HookInfo {
  readonly id: string;
  readonly kind: HookKind;
  readonly name: string;
  readonly channel: string;
  readonly createdBy: string;
  readonly createdAt: number;
  readonly usedAt: number | null;
}
