import { type Target, targetKey } from '../account/account.ts';
import type { Risk } from '../policy/policy.ts';
import type { Json } from '../text/json.ts';
import { type Button, type DiffLine, joined, type Text, text } from '../view/view.ts';

/**
 * Everything that deciders see and everything that `execute` gets. Deciders approve the facts, which are hashed and
 * read again before the work starts. A fact must not contain a read time or a load.
 */
export interface Plan<Step> {
  /** `Restart web-1` */
  readonly title: string;
  /** The words of the deciding button where the title is too long for one; else those of the command. */
  readonly act?: string;
  /** One line for each target: name · id · address · plan · place · state. */
  readonly subject: readonly Text[];
  readonly targets: readonly Target[];
  /**
   * Further targets that the text names. They need no right to change them, but only people who may read them see the
   * request.
   */
  readonly names?: readonly Target[];
  /** The sentence that people approve. */
  readonly effect: string;
  /**
   * The one line that matters for the decision. The card shows it instead of the subject, effect and details, which are
   * under Details.
   */
  readonly glance?: Text;
  /**
   * The blast radius and other details, as label and text; an unreadable value is shown as "unknown", never omitted.
   */
  readonly details: readonly (readonly [label: string, value: Text])[];
  readonly diff?: readonly DiffLine[];
  /** The whole difference, if the card has only its sums: a file in the thread of the card. */
  readonly file?: string;
  /** Text that is sent unchanged; the card shows all of it. */
  readonly message?: string;
  /** Facts by label, so that a change between approval and run can be shown as `power on → off`. */
  readonly facts: Readonly<Record<string, Json>>;
  /** One step is one write. */
  readonly steps: readonly PlannedStep<Step>[];
  /** Maximum number of concurrent steps; 1 unless the requester asked for more. */
  readonly parallel?: number;
  /** Set if nothing must be changed: this sentence is the response, and no request is made. */
  readonly nothingToDo?: string;
  /** Buttons below `nothingToDo`. */
  readonly instead?: readonly Button[];
  /**
   * Warns of effects on others while the request runs. `isAvoidable`: running one step at a time, which the card
   * offers, avoids them.
   */
  readonly warning?: { readonly text: string; readonly isAvoidable: boolean };
  /** Higher than the command's own risk, with the reason. */
  readonly raised?: { readonly risk: Risk; readonly why: Text };
  /** Channels whose grants would cover more targets: their approvers decide. */
  readonly widens?: readonly { readonly channel: string; readonly grants: readonly Text[] }[];
  /** The reason in the requester's words. */
  readonly reason?: string;
  /** How the line was read, where it was typed in other words. */
  readonly took?: string;
  /** The effect comes long after the write, so the end does not say how long the write took. */
  readonly isLater?: true;
  /** True if people can withdraw the change until it takes effect: it needs no countdown. */
  readonly isRevocable?: true;
  /** The name that an approver types if the rule requires it. */
  readonly typedName?: string;
}

/** A plan as a command returns it; see `wholePlan` for the missing parts. */
export type PlanDraft<Step> = Omit<Plan<Step>, 'subject' | 'targets' | 'details' | 'steps'> &
  Partial<Pick<Plan<Step>, 'subject' | 'targets' | 'details'>> & {
    readonly steps: readonly (Omit<PlannedStep<Step>, 'label'> & Partial<Pick<PlannedStep<Step>, 'label'>>)[];
  };

/** Without other targets, a plan has those of its steps; a single step needs no label. */
export function wholePlan<Step>(draft: PlanDraft<Step>): Plan<Step> {
  const targets = new Map(draft.steps.map(({ target }) => [targetKey(target), target]));
  const steps = draft.steps.map((step) => ({ label: '', ...step }));
  return { subject: [], details: [], targets: [...targets.values()], ...draft, steps };
}

export interface PlannedStep<Step> {
  readonly target: Target;
  /** `web-1`, `www A 192.0.2.10`: the step's line on a card with several steps. */
  readonly label: string;
  readonly data: Step;
}

/** The provider's response. Stored and shown: no secret goes into text or data. */
export interface Receipt {
  /** `job 812` */
  readonly text: string;
  readonly data: Json;
  readonly secret?: Secret;
}

/** A value that one person may see once. Only its sealed form leaves `execute`. */
export interface Secret {
  readonly title: string;
  readonly value: string;
}

/** The thing to poll after the provider has accepted a step, as data to store. */
export type Follow =
  | { readonly kind: 'job'; readonly orderId: string; readonly jobId: number; readonly action: string }
  /** There is no job to poll: `verify` is repeated until it confirms the change. */
  | { readonly kind: 'until'; readonly action: string; readonly timeoutMs: number };

export interface Verdict {
  readonly is: 'so' | 'not' | 'unsure';
  /** `the power is on`; empty if it says no more than the end of the request. */
  readonly text: string;
  /** Reading again would give the same result. */
  readonly isFinal?: true;
  /** The target is offline, as in the middle of such a change; stored as evidence that the change began. */
  readonly isOffline?: true;
}

/** Observations by any process since the request was sent. */
export interface Evidence {
  readonly wasOffline: boolean;
}

/** The end text of an operation and its consequences. */
export interface Ending {
  /** `web-1 restarted` — the engine adds how long it took and how it was verified. */
  readonly text: string;
  /** A command line that undoes it, offered as a button; that command says when it is too late. */
  readonly undo?: string;
  /**
   * By order id: true if the provider will remove the order later, which the thread then reports; false if a
   * cancellation was withdrawn.
   */
  readonly leaving?: Readonly<Record<string, boolean>>;
  /** The DNS answers that the request changed, which the engine then follows at the zones' name servers. */
  readonly published?: readonly PublishedAnswer[];
}

/** The answer for a host and a type in a zone, which a request changed. */
export interface PublishedAnswer {
  readonly domain: string;
  /** Relative to the domain. */
  readonly host: string;
  readonly type: string;
  readonly change: 'added' | 'changed' | 'removed' | 'ttl';
}

/** `a grant of #web would reach more`; undefined if the plan changes the reach of no other channel. */
export function sayElsewhere({ widens = [] }: Pick<Plan<unknown>, 'widens'>, here: string): Text | undefined {
  const others = widens.filter(({ channel }) => channel !== here);
  if (others.length === 0) return undefined;
  const channels = others.map(({ channel }) => ({ channel }));
  return text('a grant of ', joined(channels, ' and of '), ' would reach more');
}
