import { z } from 'zod';
import { type Target, targetKey, targetSchema } from '../account/account.ts';
import { capabilities, risks } from '../policy/policy.ts';
import type { Json } from '../text/json.ts';
import { type Button, type DiffLine, fieldsWith, joined, type Text, text } from '../view/view.ts';

/** The store has parsed this JSON already: validating it again took 14 µs for each of the eight reads of a row. */
const json = z.custom<Json>((value) => value !== undefined);
const textSchema = z.custom<Text>((value) => typeof value === 'string' || Array.isArray(value));

/** A plan as shown. Its texts were written by the bot and are not validated; steps have separate rows. */
export const shownPlanSchema = z.object({
  /** `Restart web-1` */
  title: z.string(),
  /** The words of the deciding button where the title is too long for one; else those of the command. */
  act: z.string().exactOptional(),
  /** One line for each target: name · id · address · plan · place · state. */
  subject: z.array(textSchema).readonly(),
  targets: z.array(targetSchema).readonly(),
  /** Further targets that the text names. Nobody needs a right to change them; only their readers see the request. */
  names: z.array(targetSchema).readonly().exactOptional(),
  /** The sentence that people approve. */
  effect: z.string(),
  /** The one line that matters for the decision. The card has the subject, effect and details under Details instead. */
  glance: textSchema.exactOptional(),
  /** The blast radius and other details, as label and text; an unreadable value is "unknown", never omitted. */
  details: z.array(z.tuple([z.string(), textSchema]).readonly()).readonly(),
  diff: z.custom<readonly DiffLine[]>((value) => Array.isArray(value)).exactOptional(),
  /** Text that is sent unchanged; the card shows all of it. */
  message: z.string().exactOptional(),
  /** Facts by label, so that a change between approval and run can be shown as `power on → off`. */
  facts: z.record(z.string(), json).readonly(),
  /** Maximum number of concurrent steps; 1 unless the requester asked for more. */
  parallel: z.number().exactOptional(),
  /** Warns of effects on others meanwhile. `isAvoidable`: one step at a time, which the card offers, avoids them. */
  warning: z.object({ text: z.string(), isAvoidable: z.boolean() }).exactOptional(),
  /** The hour at which it is taken back. */
  until: z.number().exactOptional(),
  /** Why it is asked a second time, and the hour that was lost. */
  again: z.object({ why: z.string(), lostAt: z.number().nullable() }).exactOptional(),
  /** Higher than the command's own risk, with the reason. */
  raised: z.object({ risk: z.enum(risks), why: textSchema }).exactOptional(),
  /** Channels whose grants would cover more targets: their approvers decide. */
  widens: z
    .array(z.object({ channel: z.string(), grants: z.array(textSchema).readonly() }))
    .readonly()
    // An older version wrote another format.
    .catch([])
    .exactOptional(),
  reason: z.string().exactOptional(),
  /** How the line was read, where it was typed in other words. */
  took: z.string().exactOptional(),
  /** The effect comes long after the write, so the end does not say how long the write took. */
  isLater: z.literal(true).exactOptional(),
  /** True if people can withdraw the change until it takes effect: it needs no countdown. */
  isRevocable: z.literal(true).exactOptional(),
  /** The name that an approver types if the rule requires it. */
  typedName: z.string().exactOptional(),
  /** The rights and the risk of each part of a plan of several lines. */
  parts: z
    .array(
      z.object({
        command: z.string(),
        capability: z.enum([...capabilities, 'none']),
        risk: z.enum(risks),
        targets: z.array(targetSchema).readonly(),
        /** The labels that the command gave its steps. */
        labels: z.array(z.string()).readonly(),
      }),
    )
    .readonly()
    .exactOptional(),
  /** The version that made the plan: another version may word the same facts differently. */
  madeBy: z.string().exactOptional(),
  /** True for several writes: texts then name a step by its own label. */
  isSeveral: z.boolean().exactOptional(),
  /** True for more writes than a card has lines: each turn reads the next ones only. */
  isMany: z.literal(true).exactOptional(),
  /** The targets that were protected at the request. */
  protections: z
    .array(z.object({ key: z.string(), name: z.string(), why: z.string(), by: z.string().exactOptional() }))
    .exactOptional(),
});
export type ShownPlan = Readonly<z.infer<typeof shownPlanSchema>>;

/**
 * Everything that deciders see and everything that `execute` gets. Deciders approve the facts, which are hashed and
 * read again before the work starts. A fact must not contain a read time or a load.
 */
export interface Plan<Step> extends Omit<ShownPlan, 'madeBy' | 'isSeveral' | 'isMany' | 'protections'> {
  /** The whole difference, if the card has only its sums: a file in the thread of the card. */
  readonly file?: string;
  /** One step is one write. */
  readonly steps: readonly PlannedStep<Step>[];
  /** Set if nothing must be changed: this sentence is the response, and no request is made. */
  readonly nothingToDo?: string | undefined;
  /** Buttons below `nothingToDo`. */
  readonly instead?: readonly Button[];
}

/** A plan as a command returns it; see `wholePlan` for the missing parts. */
export type PlanDraft<Step> = Omit<Plan<Step>, 'subject' | 'targets' | 'details' | 'steps'> &
  Partial<Pick<Plan<Step>, 'subject' | 'targets'>> & {
    /** A detail without a value is left out. */
    readonly details?: Parameters<typeof fieldsWith>[0];
    readonly steps: readonly (Omit<PlannedStep<Step>, 'label'> & Partial<Pick<PlannedStep<Step>, 'label'>>)[];
  };

/** Without other targets, a plan has those of its steps; a single step needs no label. */
export function wholePlan<Step>(draft: PlanDraft<Step>): Plan<Step> {
  const targets = new Map(draft.steps.map(({ target }) => [targetKey(target), target]));
  const steps = draft.steps.map((step) => ({ label: '', ...step }));
  return { subject: [], targets: [...targets.values()], ...draft, details: fieldsWith(draft.details ?? []), steps };
}

export interface PlannedStep<Step> {
  readonly target: Target;
  /** `web-1`, `www A 192.0.2.10`: the step's line on a card with several steps. */
  readonly label: string;
  readonly data: Step;
  /** In a plan of several lines: the command of its line, and the number of the part, from 0. */
  readonly command?: string;
  readonly part?: number;
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

export interface Ending {
  /** `web-1 restarted` — the engine adds how long it took and how it was verified. */
  readonly text: string;
  /** A command line that undoes it, offered as a button; that command says when it is too late. */
  readonly undo?: string;
  /** The label of that button if it takes back a part only. */
  readonly undoLabel?: string;
  /** By order id: true if the provider removes it later, as the thread then reports; false if it is kept after all. */
  readonly leaving?: Readonly<Record<string, boolean>>;
  /** The DNS answers that the request changed, which the engine then follows at the zones' name servers. */
  readonly published?: readonly PublishedAnswer[];
}

/** The answer for a host and a type in a zone, which a request changed. */
export const publishedSchema = z.object({
  domain: z.string(),
  /** Relative to the domain. */
  host: z.string(),
  type: z.string(),
  change: z.enum(['added', 'changed', 'removed', 'ttl']),
});
export type PublishedAnswer = Readonly<z.infer<typeof publishedSchema>>;

/** `a grant of #web would reach more`; undefined if the plan changes the reach of no other channel. */
export function sayElsewhere({ widens = [] }: Pick<Plan<unknown>, 'widens'>, here: string): Text | undefined {
  const others = widens.filter(({ channel }) => channel !== here);
  if (others.length === 0) return undefined;
  const channels = others.map(({ channel }) => ({ channel }));
  return text('a grant of ', joined(channels, ' and of '), ' would reach more');
}
