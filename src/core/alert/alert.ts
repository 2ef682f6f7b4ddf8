import type { Target } from '../account/account.ts';
import type { Capability } from '../policy/policy.ts';
import { type Severity, severities, signs } from '../view/signs.ts';
import type { Text, ViewPart } from '../view/view.ts';

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

/** `closed` is an end without good news, `accepted` an end by a person's decision. */
export type AlertState = 'open' | 'acknowledged' | 'snoozed' | 'resolved' | 'closed' | 'accepted';

/** ✅ is for good news only. */
export function endSign(state: AlertState): string {
  return state === 'resolved' ? signs.done : signs.neutral;
}

export interface Alert {
  readonly id: string;
  readonly channel: string;
  /** A rule's name, or `hook:` and the hook's id. */
  readonly rule: string;
  /** Monitoring's key of the group of alerts that share a message. */
  readonly groupKey: string | null;
  readonly cause: string;
  readonly state: AlertState;
  readonly severity: Severity;
  readonly level: number;
  /** The worst level that was announced. */
  readonly peak: number;
  readonly finding: Finding;
  /** The start, as monitoring wrote it. */
  readonly startsAt: string | null;
  /** The last end, as monitoring wrote it: a report with the same end is a repetition. */
  readonly endsAt: string | null;
  /** The message that shows the alert: the id of the first alert on it. */
  readonly message: string | null;
  readonly toldAt: number | null;
  readonly byUser: string | null;
  readonly until: number | null;
  /** The time since which `byUser` works on the alert. */
  readonly sinceAt: number | null;
  /** The person who handed the alert over to `byUser`. */
  readonly handedBy: string | null;
  /** The time since which the cause is gone, for an alert that flapped lately and is not resolved yet. */
  readonly calmSince: number | null;
  readonly resolvedAt: number | null;
  readonly endText: string | null;
  readonly flaps: number;
  readonly openedAt: number;
  readonly escalatedAt: number | null;
  readonly remindedAt: number | null;
  readonly seenAt: number;
  readonly version: number;
  /** The version that the message shows. */
  readonly drawn: number;
}

export function graver(a: Pick<Alert, 'severity'>, b: Pick<Alert, 'severity'>): number {
  return severities.indexOf(b.severity) - severities.indexOf(a.severity);
}

/** Sorts by severity, then by the least time left, then by age. */
export function mostUrgentFirst(a: Alert, b: Alert): number {
  const left = ({ finding }: Alert) => finding.left ?? Number.MAX_SAFE_INTEGER;
  return graver(a, b) || left(a) - left(b) || a.openedAt - b.openedAt;
}

/**
 * The final sentence of an alert. A string is good news and gets ✅. `over`: nothing is left to warn of, such as for a
 * deleted order, which is not good news.
 */
export type AlertEnd = string | { readonly over: string };

/** Kinds of values that rules observe in the account and compare with usual values. */
export type ObservedKind = 'power' | 'zone' | 'traffic' | 'api' | 'cancel';

export const hookKinds = ['alertmanager', 'grafana', 'kuma', 'healthchecks', 'json'] as const;
/** The hooks that take posts. */
export const postedKinds = [...hookKinds, 'ticket'] as const;
/** `ticket`: the provider's webhook. `token`: a machine asks. `events`: posted to an address of others. */
export type HookKind = (typeof postedKinds)[number] | 'token' | 'events';

/** An address to which monitoring may post, or a token of a machine: its secret is not stored. */
export interface HookInfo {
  readonly id: string;
  readonly kind: HookKind;
  readonly name: string;
  readonly channel: string;
  readonly createdBy: string;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  /** 1 for a token that may ask for changes. */
  readonly mayWrite: number;
  /** The address to which the bot posts events. */
  readonly address: string | null;
  /** The work of the machine with the token. */
  readonly purpose: string | null;
  readonly usedAt: number | null;
}
