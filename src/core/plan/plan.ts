import type { Target } from '../account/account.ts';
import type { Risk } from '../policy/policy.ts';
import type { Json } from '../text/json.ts';
import type { Button, DiffLine, Text } from '../view/view.ts';

/**
 * Everything that is shown to the people who decide, and everything that execute gets. They approve the facts, which
 * are hashed and read again before the work starts. A fact must not hold a time of reading or a load.
 */
export interface Plan<Step> {
  /** `Restart web-1` */
  readonly title: string;
  /** One line per thing it is about: name · id · address · plan · place · state. */
  readonly subject: readonly Text[];
  readonly targets: readonly Target[];
  /** Named in its words beside the targets. No right to change them is needed, but only people who may read them see it. */
  readonly names?: readonly Target[];
  /** The sentence a person approves. */
  readonly effect: string;
  /** The one line that matters for the decision. The card shows it instead of the subject, effect and details, which are under Details. */
  readonly glance?: Text;
  /** The blast radius and what else to know, as label and text; what could not be read is "unknown", never left out. */
  readonly details: readonly (readonly [label: string, value: Text])[];
  readonly diff?: readonly DiffLine[];
  /** Text that is sent exactly as it is here: the card shows all of it. */
  readonly message?: string;
  /** By label, so that a change between approval and run can be told as `power on → off`. */
  readonly facts: Readonly<Record<string, Json>>;
  /** One step is one write. */
  readonly steps: readonly PlannedStep<Step>[];
  /** How many steps may run side by side; 1 unless the person asked for more. */
  readonly parallel?: number;
  /** Set when nothing has to be changed: this sentence is the answer, and no approval is requested. */
  readonly nothingToDo?: string;
  /** Buttons beside that sentence. */
  readonly instead?: readonly Button[];
  /** Says what happens to others while it runs. `isAvoidable`: not when its steps run one at a time, which the card offers. */
  readonly warning?: { readonly text: string; readonly isAvoidable: boolean };
  /** Higher than the command's own risk, with the reason. */
  readonly raised?: { readonly risk: Risk; readonly why: Text };
  /** Channels in which a grant would come to reach more: their approvers decide. */
  readonly widens?: readonly { readonly channel: string; readonly grants: readonly Text[] }[];
  /** Why it is asked for, in the words of the person who asks. */
  readonly reason?: string;
  /** It takes effect long after it is done: how long the writing took is not said. */
  readonly isLater?: true;
  /** The name an approver types when the rule asks for it. */
  readonly typedName?: string;
}

export interface PlannedStep<Step> {
  readonly target: Target;
  /** `web-1`, `www A 192.0.2.10`: what the card lists when there are several. */
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

/** A value that one person may see once. It leaves execute only sealed. */
export interface Secret {
  readonly title: string;
  readonly value: string;
}

/** The thing to watch after the provider has accepted, as data: it outlives the process. */
export type Follow =
  | { readonly kind: 'job'; readonly orderId: string; readonly jobId: number; readonly action: string }
  /** No job to ask for: verify is asked again until it is so. */
  | { readonly kind: 'until'; readonly action: string; readonly timeoutMs: number };

export interface Verdict {
  readonly is: 'so' | 'not' | 'unsure';
  /** `power status: on` */
  readonly text: string;
  /** Reading again would give the same result: there is nothing to wait for. */
  readonly isFinal?: true;
  /**
   * Its target is offline at the moment, as in the middle of such a change: stored as evidence that the change began.
   */
  readonly isAway?: true;
}

/** Observations since the request was sent, whichever process made them. */
export interface Evidence {
  readonly wasAway: boolean;
}

/** The end of an operation in words. */
export interface Ending {
  /** `web-1 restarted` — the engine adds how long it took and how it was verified. */
  readonly text: string;
  /** A command line that undoes it, offered as a button; that command says when it is too late. */
  readonly undo?: string;
  /** By order id: true if the provider will remove the order later, which the thread then reports; false if a cancellation was withdrawn. */
  readonly leaving?: Readonly<Record<string, boolean>>;
}
