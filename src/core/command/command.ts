import type { z } from 'zod';
import type { Account, Target } from '../account/account.ts';
import type { CommandShape, RawArgs } from '../grammar/command-shape.ts';
import type { Ending, Evidence, Follow, Plan, PlanDraft, Receipt, Verdict } from '../plan/plan.ts';
import type { Capability, Risk } from '../policy/policy.ts';
import type { Comeback } from '../probe/comeback.ts';
import type { Reading } from '../targets/targets.ts';
import type { Json } from '../text/json.ts';
import type { FormOption } from '../view/form.ts';
import type { Text, View } from '../view/view.ts';
import type { ArgMap, ValuesOf } from './args.ts';
import type { BotReader, BotWriter, UploadedFile } from './bot-port.ts';
import type { Foreseen } from './foreseen.ts';
import type { OwnSettings } from './own-settings.ts';

/**
 * A command is one literal; grammar, usage, help, modal, search, its row in docs/commands.md and its audit name follow
 * from it. `R` is the provider's reading side, `P` all of it: a plan that writes does not compile.
 */

export interface Common<A extends ArgMap>
  extends Pick<CommandShape, 'words' | 'needs' | 'alone' | 'otherwise' | 'alsoSays'> {
  /** `dns list` */
  readonly path: string;
  readonly summary: string;
  /** The title of its form: at most 24 characters, Slack's limit. */
  readonly title: string;
  /** Two working lines, for the help. */
  readonly examples: readonly [string, string];
  readonly args: A;
  /** `none`: every member may use the command. */
  readonly capability: Capability | 'none';
  /** The command acts on the channel of the request, so the bot refuses it in a direct message. */
  readonly isAboutChannel?: true;
  /** The names of the arguments on each page of the modal, if one page is too long or a field depends on another. */
  readonly pages?: Pages;
  /** Whether a page is skipped, given the values so far. */
  readonly skips?: (page: number, raw: RawArgs) => boolean;
  /** A button of another answer leads to it. It can be typed, and no list of commands has it. */
  readonly isBehind?: true;
  /** The area under which help and menu list it. It follows from the folder; see commands/load-commands.ts. */
  readonly area?: string;
}

export interface Asking {
  /** Slack ids. */
  readonly actor: string;
  readonly channel: string;
  readonly thread: string | undefined;
}

export interface ReadContext<R = unknown> extends Asking {
  readonly reader: R;
  /** The account's names, at most 30 s old. */
  readonly account: () => Promise<Account>;
  /** The account's currency, which the provider's prices lack; undefined while unknown. */
  readonly currency: () => Promise<string | undefined>;
  readonly bot: BotReader;
  readonly now: number;
  /** Whether the target may be shown or offered to this person here. */
  readonly may: (capability: Capability, target: Target) => boolean;
  /** The person's time zone, `Europe/Amsterdam`, for pictures, if known; in text, Slack shows dates locally. */
  readonly timeZone: string | undefined;
  /** Reads a file uploaded with the form. Planning runs twice and reads it each time. */
  readonly file: (id: string) => Promise<UploadedFile>;
}

/** The context of a read command. */
export interface AnswerContext<R = unknown> extends ReadContext<R> {
  readonly own: OwnSettings;
}

export interface WriteContext<P = unknown> extends Asking {
  readonly provider: P;
  readonly bot: BotWriter;
  readonly operation: string;
  readonly now: number;
  readonly file: (id: string) => Promise<UploadedFile>;
  /** Creates the address for the provider's report of a new server, if the bot has a public address. */
  readonly creationWebhook: (() => Promise<{ url: string; secret: string }>) | undefined;
}

export interface AccountWide<A extends ArgMap> {
  /** True if the command shows or uses something of the whole account, so that only a grant on `all` covers it. */
  readonly isAccountWide?: (args: ValuesOf<A>) => boolean;
}

/**
 * The readers of a response. `channel`: the requester or the channel, depending on the request. `money`: the requester,
 * with a button to share. `person`: the requester, without that button.
 */
type Visibility = 'channel' | 'money' | 'person';

export interface QueryDefinition<A extends ArgMap, R> extends Common<A>, AccountWide<A> {
  readonly visibility: Visibility;
  /** The dialog that opens instead of a response, if Slack can open one: not for a mention. */
  readonly dialog?: 'notifications';
  /** `canonical` are the arguments in words, for a line that repeats the command. */
  readonly run: (args: ValuesOf<A>, context: AnswerContext<R>, canonical: RawArgs) => Promise<View>;
}

export interface ActionDefinition<A extends ArgMap, S extends Json, R, P> extends Common<A>, AccountWide<A> {
  readonly risk: Risk;
  /** The shape of one step's data, which is stored between showing and running. */
  readonly step: z.ZodType<S>;
  /** Fills in the form from its button or line, such as the request that a ticket is about. */
  readonly fillIn?: (raw: RawArgs, context: ReadContext<R>) => Promise<RawArgs>;
  /** Summarizes earlier choices on later pages of the form, such as the price. */
  readonly soFar?: (raw: RawArgs, context: ReadContext<R>) => Promise<readonly Text[]>;
  /** Shows the effect in the form before the request is made. */
  readonly preview?: (args: ValuesOf<A>, context: ReadContext<R>) => Promise<readonly Text[]>;
  readonly plan: (args: ValuesOf<A>, context: ReadContext<R>) => Promise<PlanDraft<S>>;
  /**
   * Reads the target again right before a step's write. Returns the step to send, with values known only now. Throws a
   * Refusal if something changed since it was shown; then nothing is sent.
   */
  readonly recheckTarget?: (step: S, context: ReadContext<R>) => Promise<S>;
  /** One write. `execute` gets the step and not the arguments, so it can do only what was shown. */
  readonly execute: (step: S, context: WriteContext<P>) => Promise<Receipt>;
  readonly follow?: (step: S, receipt: Receipt) => Follow | undefined;
  /** Reads whether the change took effect. A state that already existed before the write is no evidence: `unsure`. */
  readonly verify: (step: S, context: ReadContext<R>, receipt: Receipt | undefined, seen: Evidence) => Promise<Verdict>;
  /** Reads whether a write with a lost response was applied. Defaults to `verify`. */
  readonly reconcile?: (step: S, context: ReadContext<R>) => Promise<Verdict>;
  /**
   * The server that has to answer from outside as before once the change is verified; `any` if another system runs on it
   * then. Undefined for a step after which it need not.
   */
  readonly comesBack?: (step: S) => ComesBack | undefined;
  /** The state after the step, so that a later line of a plan can be planned on it. Without it no later line has its target. */
  readonly foresee?: (step: S) => Foreseen | undefined;
  /** The command that takes it back, with the same targets: `stop web-3 until monday` starts it on Monday. */
  readonly reverse?: string;
  /** The id of the operation that this command undoes, if any. */
  readonly undoes?: (args: RawArgs) => string | undefined;
  /** The end text, made from the done steps; the operation's id is for the line that undoes it. */
  readonly done: (steps: DoneSteps<S>, operation: { readonly id: string }) => Ending;
}

/** At least one: a request that has done nothing ends in other words. */
export type DoneSteps<S> = readonly [DoneStep<S>, ...DoneStep<S>[]];

export interface DoneStep<S> {
  /** In a plan of several lines, the command of its line and the number of the part, from 0. */
  readonly command?: string;
  readonly part?: number;
  readonly label: string;
  readonly data: S;
  readonly receipt: Receipt | undefined;
  readonly verdict: Verdict | undefined;
}

export interface Prepared {
  readonly targets: readonly Target[];
  /** The arguments in words that stay valid after a rename. */
  readonly canonical: RawArgs;
  /** Sentences about words that were read differently than typed. */
  readonly notes: readonly string[];
}

/** A part of a plan: one of its lines, or several that one line of its command can say. */
export interface LinePart<R, P> extends Pick<Prepared, 'targets'> {
  /** The first of its lines, from 1. */
  readonly line: number;
  readonly command: Action<R, P>;
  readonly raw: RawArgs;
}

export type Pages = readonly (readonly string[])[];

interface Closed extends Common<ArgMap> {
  readonly pages: Pages;
  readonly needsAccount: boolean;
}

export interface Query<R> extends Closed, Pick<QueryDefinition<ArgMap, R>, 'dialog' | 'visibility'> {
  readonly kind: 'query';
  readonly risk: 'safe';
  /** Pure. Throws a Refusal with the wrong field. */
  readonly prepare: (
    raw: RawArgs,
    reading: Reading,
  ) => Prepared & { run: (context: AnswerContext<R>) => Promise<View> };
}

export interface Action<R, P>
  extends Closed,
    Pick<ActionDefinition<ArgMap, Json, R, P>, 'done' | 'fillIn' | 'reverse' | 'risk' | 'soFar' | 'undoes'> {
  readonly kind: 'action';
  readonly hasPreview: boolean;
  /** True if the provider works on the target after accepting the request: two such requests collide. */
  readonly isFollowed: boolean;
  readonly prepare: (
    raw: RawArgs,
    reading: Reading,
  ) => Prepared & {
    plan: (context: ReadContext<R>) => Promise<Plan<Json>>;
    /** Of a plan of several lines. */
    parts?: readonly LinePart<R, P>[];
    preview?: (context: ReadContext<R>) => Promise<readonly Text[]>;
  };
  /** `command`: that of its line in a plan of several lines. */
  readonly step: (data: Json, command?: string) => Step<R, P>;
  /** The arguments are lines of other commands, which have the rights and the risks. */
  readonly isOfLines?: true;
  /** Reads one line of a plan. With a placeholder it has no targets yet. */
  readonly readLine?: (line: string, at: number, reading: Reading, hasPlaceholder: boolean) => LinePart<R, P>;
  /** Fields of its form that follow from the values so far: the placeholders of a saved plan. */
  readonly moreArgs?: (raw: RawArgs) => ArgMap;
}

export interface ComesBack {
  /** The order's id. */
  readonly id: string;
  readonly needs: Comeback['needs'];
}

export interface Step<R, P> {
  readonly foresee: () => Foreseen | undefined;
  readonly comesBack: () => ComesBack | undefined;
  /** Returns the step's data to send. */
  readonly recheckTarget: (context: ReadContext<R>) => Promise<Json>;
  readonly execute: (context: WriteContext<P>) => Promise<Receipt>;
  readonly follow: (receipt: Receipt) => Follow | undefined;
  readonly verify: (context: ReadContext<R>, receipt: Receipt | undefined, seen: Evidence) => Promise<Verdict>;
  readonly reconcile: (context: ReadContext<R>) => Promise<Verdict>;
}

export type Command<R, P> = Query<R> | Action<R, P>;

/** A search-as-you-type source that only the provider can list. */
export type OptionSource<R> = (query: {
  readonly text: string;
  readonly reader: R;
  readonly account: Account;
  /** The account's currency, for prices; undefined while unknown. */
  readonly currency: () => Promise<string | undefined>;
  /** The value of the argument that the field depends on. */
  readonly chosen: Readonly<Record<string, readonly string[]>>;
}) => Promise<readonly FormOption[]>;
