import type { z } from 'zod';
import { type Account, accountTarget, type Target } from '../account/account.ts';
import type { Need, RawArgs } from '../grammar/shapes.ts';
import type { Ending, Evidence, Follow, Plan, Receipt, Verdict } from '../plan/plan.ts';
import { raisedBySize } from '../plan/raised-by-size.ts';
import type { Capability, Risk } from '../policy/policy.ts';
import type { Reading } from '../targets/targets.ts';
import type { Json } from '../text/json.ts';
import { Refusal } from '../view/errors.ts';
import type { Text, View } from '../view/view.ts';
import type { ArgMap, ValuesOf } from './args.ts';
import type { BotReader, BotWriter, UploadedFile } from './bot.ts';
import type { OwnSettings } from './own-settings.ts';

/**
 * A command is one literal; grammar, usage, help, modal, search, its row in docs/commands.md and its audit name follow
 * from it. `R` is the provider's reading side, `P` all of it: a plan that writes does not compile.
 */

interface Common<A extends ArgMap> {
  /** `dns list` */
  readonly path: string;
  readonly summary: string;
  /** Of its form: at most 24 characters, which is all that Slack shows. */
  readonly title: string;
  /** Two lines that work, for the help. */
  readonly examples: readonly [string, string];
  readonly args: A;
  /** `none`: every member may ask it of the bot. */
  readonly capability: Capability | 'none';
  /** Describes the channel it is typed in, or changes it: in a direct message there is none, and none is guessed. */
  readonly isAboutChannel?: true;
  /** The names of the arguments on each page of the modal, when one page would be too long or a field depends on another. */
  readonly pages?: readonly (readonly string[])[];
  /** Whether a page is left out, by what was filled in so far. */
  readonly skips?: (page: number, given: RawArgs) => boolean;
  /** Groups of optional arguments of which one has to be given. Without it the form opens. */
  readonly needs?: readonly Need[];
  /** Other names that people use, for "did you mean". */
  readonly alsoCalled?: readonly string[];
  /** Words that people put around its names, and that change nothing. */
  readonly alsoSays?: readonly string[];
  /** The area under which help and menu list it. It follows from the folder; see commands/all.ts. */
  readonly area?: string;
}

export interface Asking {
  /** Slack ids. */
  readonly actor: string;
  readonly channel: string;
  readonly thread: string | undefined;
}

export interface ReadContext<R> extends Asking {
  readonly reader: R;
  /** The account's names, at most 30 s old. */
  readonly account: () => Promise<Account>;
  /** The account's currency, which costs and prices come without. Undefined while it is unknown. */
  readonly currency: () => Promise<string | undefined>;
  readonly bot: BotReader;
  readonly now: number;
  /** Whether this person may be shown or offered the target here. */
  readonly may: (capability: Capability, target: Target) => boolean;
  /** The person's time zone, `Europe/Amsterdam`: for pictures; text carries dates that Slack shows locally. */
  readonly timeZone: string;
  /** Reads a file uploaded with the form. A plan is made twice, and reads it each time. */
  readonly file: (id: string) => Promise<UploadedFile>;
}

/** The context of an answer. */
export interface AnswerContext<R> extends ReadContext<R> {
  readonly own: OwnSettings;
}

export interface WriteContext<P> extends Asking {
  readonly provider: P;
  readonly bot: BotWriter;
  readonly operation: string;
  readonly now: number;
  readonly file: (id: string) => Promise<UploadedFile>;
  /** Makes an address where the provider reports a created server, if this bot can be reached from outside. */
  readonly creationWebhook: (() => Promise<{ url: string; secret: string }>) | undefined;
}

interface AccountWide<A extends ArgMap> {
  /** It shows or uses what belongs to the account as a whole, so that only a grant on `all` reaches it. */
  readonly isAccountWide?: (args: ValuesOf<A>) => boolean;
}

/**
 * The readers of an answer. `channel`: the person who asked, or the channel, by how it was asked. `money`: only that
 * person, who may share it. `person`: only that person.
 */
type Visibility = 'channel' | 'money' | 'person';

export interface QueryDefinition<A extends ArgMap, R> extends Common<A>, AccountWide<A> {
  readonly visibility: Visibility;
  /** The dialog that opens instead of the answer, where Slack can open one: not for a mention. */
  readonly dialog?: 'notifications';
  readonly run: (args: ValuesOf<A>, context: AnswerContext<R>) => Promise<View>;
}

export interface ActionDefinition<A extends ArgMap, S extends Json, R, P> extends Common<A>, AccountWide<A> {
  readonly risk: Risk;
  /** The shape of one step's data, which is stored between showing and running. */
  readonly step: z.ZodType<S>;
  /** Fills in the form by what its button or line says already, such as which request a ticket is about. */
  readonly fillIn?: (given: RawArgs, context: ReadContext<R>) => Promise<RawArgs>;
  /** Says on the later pages of the form what is chosen so far, such as what it costs. */
  readonly soFar?: (given: RawArgs, context: ReadContext<R>) => Promise<readonly Text[]>;
  /** Shows the effect in the form, before it is submitted. */
  readonly preview?: (args: ValuesOf<A>, context: ReadContext<R>) => Promise<readonly Text[]>;
  readonly plan: (args: ValuesOf<A>, context: ReadContext<R>) => Promise<Plan<S>>;
  /**
   * Runs right before the write of each step: reads its target once more. Returns the step as it will be sent, with
   * values that are known only now; throws a Refusal when something changed since it was shown, and then nothing is
   * sent.
   */
  readonly lookAgain?: (step: S, context: ReadContext<R>) => Promise<S>;
  /** One write. It gets the step and not the arguments: it can only do what was shown. */
  readonly execute: (step: S, context: WriteContext<P>) => Promise<Receipt>;
  readonly follow?: (step: S, receipt: Receipt) => Follow | undefined;
  /**
   * Reads whether the change took effect. A state that was the same before the write is no evidence: then it is
   * `unsure`.
   */
  readonly verify: (step: S, context: ReadContext<R>, receipt: Receipt | undefined, seen: Evidence) => Promise<Verdict>;
  /** Finds out by reading what happened after a lost answer. Default: verify. */
  readonly reconcile?: (step: S, context: ReadContext<R>) => Promise<Verdict>;
  /** The id of the operation that it takes back, when it is one that does. */
  readonly undoes?: (args: RawArgs) => string | undefined;
  /** The end in words, made from the steps that were done; the operation's id is for the line that undoes it. */
  readonly done: (steps: readonly DoneStep<S>[], operation: { readonly id: string }) => Ending;
}

export interface DoneStep<S> {
  readonly label: string;
  readonly data: S;
  readonly receipt: Receipt | undefined;
  readonly verdict: Verdict | undefined;
}

interface Prepared {
  readonly targets: readonly Target[];
  /** The arguments in words that stay true after a rename. */
  readonly canonical: RawArgs;
  /** Sentences about words that were read otherwise than they were typed. */
  readonly notes: readonly string[];
}

export interface Query<R> extends Common<ArgMap> {
  readonly kind: 'query';
  readonly visibility: Visibility;
  readonly dialog?: 'notifications';
  readonly risk: 'safe';
  readonly needsAccount: boolean;
  /** Pure. Throws a Refusal with the field that is wrong. */
  readonly prepare: (
    raw: RawArgs,
    reading: Reading,
  ) => Prepared & { run: (context: AnswerContext<R>) => Promise<View> };
}

export interface Action<R, P> extends Common<ArgMap> {
  readonly kind: 'action';
  readonly risk: Risk;
  readonly needsAccount: boolean;
  readonly hasPreview: boolean;
  /** The provider works on its target for a while after it has accepted: two such requests for one target collide. */
  readonly isFollowed: boolean;
  readonly prepare: (
    raw: RawArgs,
    reading: Reading,
  ) => Prepared & {
    plan: (context: ReadContext<R>) => Promise<Plan<Json>>;
    preview?: (context: ReadContext<R>) => Promise<readonly Text[]>;
  };
  readonly soFar?: (given: RawArgs, context: ReadContext<R>) => Promise<readonly Text[]>;
  readonly step: (data: Json) => Step<R, P>;
  readonly fillIn?: (given: RawArgs, context: ReadContext<R>) => Promise<RawArgs>;
  readonly undoes?: (args: RawArgs) => string | undefined;
  readonly done: (steps: readonly DoneStep<Json>[], operation: { readonly id: string }) => Ending;
}

export interface Step<R, P> {
  /** The step's data as it is to be sent. */
  readonly lookAgain: (context: ReadContext<R>) => Promise<Json>;
  readonly execute: (context: WriteContext<P>) => Promise<Receipt>;
  readonly follow: (receipt: Receipt) => Follow | undefined;
  readonly verify: (context: ReadContext<R>, receipt: Receipt | undefined, seen: Evidence) => Promise<Verdict>;
  readonly reconcile: (context: ReadContext<R>) => Promise<Verdict>;
}

export type Command<R, P> = Query<R> | Action<R, P>;

/** Among the exports of a module: what defineQuery and defineAction made. */
export function isCommand<R, P>(value: unknown): value is Command<R, P> {
  return typeof value === 'object' && value !== null && closed.has(value);
}

const closed = new WeakSet<object>();

function close<C extends object>(command: C): C {
  closed.add(command);
  return command;
}

/** Hides the types of a definition, so that all commands fit into one list without a cast. */
export function closeQuery<A extends ArgMap, R>(definition: QueryDefinition<A, R>): Query<R> {
  const { run, isAccountWide, ...common } = definition;
  return close<Query<R>>({
    ...common,
    kind: 'query',
    risk: 'safe',
    needsAccount: Object.values(definition.args).some((arg) => arg.needsAccount),
    prepare: (raw, reading) => {
      const notes: string[] = [];
      const { values, ...prepared } = readArgs(definition, raw, { ...reading, tell: (note) => notes.push(note) });
      return { ...prepared, notes, run: (context) => run(values, context) };
    },
  });
}

export function closeAction<A extends ArgMap, S extends Json, R, P>(
  definition: ActionDefinition<A, S, R, P>,
): Action<R, P> {
  const { plan, preview, lookAgain, execute, follow, verify, reconcile, done, step, isAccountWide, ...common } =
    definition;
  return close<Action<R, P>>({
    ...common,
    kind: 'action',
    hasPreview: preview !== undefined,
    isFollowed: follow !== undefined,
    needsAccount: Object.values(definition.args).some((arg) => arg.needsAccount),
    prepare: (raw, reading) => {
      const { values, ...prepared } = readArgs(definition, raw, reading);
      return {
        ...prepared,
        notes: [],
        ...(preview === undefined ? {} : { preview: (context: ReadContext<R>) => preview(values, context) }),
        plan: async (context) => raisedBySize(await plan(values, context), definition.risk, nounOf(definition.args)),
      };
    },
    step: (json) => {
      const data = step.parse(json);
      return {
        lookAgain: async (context) => (lookAgain ? lookAgain(data, context) : data),
        execute: (context) => execute(data, context),
        follow: (receipt) => follow?.(data, receipt),
        verify: (context, receipt, seen) => verify(data, context, receipt, seen),
        reconcile: (context) =>
          reconcile ? reconcile(data, context) : verify(data, context, undefined, { wasAway: false }),
      };
    },
    done: (steps, operation) =>
      done(
        steps.map((item) => ({ ...item, data: step.parse(item.data) })),
        operation,
      ),
  });
}

/** Names its orders: servers, or orders of any kind. */
function nounOf(args: ArgMap): 'server' | 'order' {
  return Object.values(args).some(({ source }) => source === 'orders') ? 'order' : 'server';
}

function readArgs<A extends ArgMap>(
  { args, isAccountWide }: { readonly args: A } & AccountWide<A>,
  raw: RawArgs,
  reading: Reading,
): Omit<Prepared, 'notes'> & { values: ValuesOf<A> } {
  const values: Record<string, unknown> = {};
  const canonical: Record<string, readonly string[]> = {};
  const targets: Target[] = [];
  for (const [name, arg] of Object.entries(args)) {
    const value = naming(name, () => arg.read(raw[name] ?? [], reading));
    values[name] = value;
    targets.push(...arg.targets(value));
    const shown = raw[name] === undefined ? [] : arg.show(value);
    if (shown.length > 0) canonical[name] = shown;
  }
  // The loop above gave every key of A the value its own argument read.
  const all = values as ValuesOf<A>;
  if (isAccountWide?.(all)) targets.push(accountTarget);
  return { values: all, canonical, targets };
}

/** A refusal from an argument learns which one it was, so that a form can show it there. */
function naming<T>(field: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof Refusal && error.field === undefined) error.field = field;
    throw error;
  }
}
