import { accountTarget, type Target } from '../account/account.ts';
import { destroys, type RawArgs } from '../grammar/command-shape.ts';
import { raisedBySize } from '../plan/raised-by-size.ts';
import type { Reading } from '../targets/targets.ts';
import type { Json } from '../text/json.ts';
import { atField } from '../view/errors.ts';
import type { ArgMap, ValuesOf } from './args.ts';
import type {
  AccountWide,
  Action,
  ActionDefinition,
  Command,
  Common,
  DoneStep,
  Prepared,
  Query,
  QueryDefinition,
  ReadContext,
} from './command.ts';

/** True for the results of defineQuery and defineAction among a module's exports. */
export function isCommand<R, P>(value: unknown): value is Command<R, P> {
  return typeof value === 'object' && value !== null && closed.has(value);
}

const closed = new WeakSet<object>();

function close<C extends object>(command: C): C {
  closed.add(command);
  return command;
}

/** Hides the types of a definition, so that one list holds all commands without a cast. */
export function closeQuery<A extends ArgMap, R>(definition: QueryDefinition<A, R>): Query<R> {
  const { run, isAccountWide, ...common } = definition;
  return close<Query<R>>({
    ...common,
    ...closedParts(definition),
    kind: 'query',
    risk: 'safe',
    prepare: (raw, reading) => {
      const { values, ...prepared } = readArgs(definition, raw, { ...reading, follows: true });
      return { ...prepared, run: (context) => run(values, context, prepared.canonical) };
    },
  });
}

export function closeAction<A extends ArgMap, S extends Json, R, P>(definition: ActionDefinition<A, S, R, P>) {
  const { plan, preview, recheckTarget, execute, follow, verify, reconcile, ...more } = definition;
  const { comesBack, done, foresee, step, isAccountWide, ...common } = more;
  return close<Action<R, P>>({
    ...common,
    ...closedParts(definition),
    kind: 'action',
    hasPreview: preview !== undefined,
    isFollowed: follow !== undefined,
    prepare: (raw, reading) => {
      const { values, ...prepared } = readArgs(definition, raw, reading, !destroys(definition));
      return {
        ...prepared,
        ...(preview === undefined ? {} : { preview: (context: ReadContext<R>) => preview(values, context) }),
        plan: async (context) => raisedBySize(await plan(values, context), definition.risk, nounOf(definition.args)),
      };
    },
    step: (json) => {
      const data = step.parse(json);
      return {
        recheckTarget: async (context) => (recheckTarget ? recheckTarget(data, context) : data),
        comesBack: () => comesBack?.(data),
        foresee: () => foresee?.(data),
        execute: (context) => execute(data, context),
        follow: (receipt) => follow?.(data, receipt),
        verify: (context, receipt, seen) => verify(data, context, receipt, seen),
        reconcile: (context) =>
          reconcile ? reconcile(data, context) : verify(data, context, undefined, { wasOffline: false }),
      };
    },
    done: ([first, ...others], operation) => {
      const opened = (item: DoneStep<Json>) => ({ ...item, data: step.parse(item.data) });
      return done([opened(first), ...others.map(opened)], operation);
    },
  });
}

function closedParts({ args, pages = [Object.keys(args)] }: Pick<Common<ArgMap>, 'args' | 'pages'>) {
  return { pages, needsAccount: Object.values(args).some((arg) => arg.needsAccount) };
}

/** The noun for the command's orders: servers, or orders of any kind. */
function nounOf(args: ArgMap): 'server' | 'order' {
  return Object.values(args).some(({ source }) => /orders$|^taggable$/.test(source ?? '')) ? 'order' : 'server';
}

function readArgs<A extends ArgMap>(
  { args, isAccountWide }: { readonly args: A } & AccountWide<A>,
  raw: RawArgs,
  typed: Reading,
  isNoted = true,
): Prepared & { values: ValuesOf<A> } {
  const notes: string[] = [];
  const reading = isNoted ? { ...typed, addNote: (note: string) => notes.push(note) } : typed;
  const values: Record<string, unknown> = {};
  const canonical: Record<string, readonly string[]> = {};
  const targets: Target[] = [];
  for (const [name, arg] of Object.entries(args)) {
    const value = atField(name, () => arg.read(raw[name] ?? [], reading), true);
    values[name] = value;
    targets.push(...arg.targets(value));
    const shown = raw[name] === undefined ? [] : arg.show(value);
    if (shown.length > 0) canonical[name] = shown;
  }
  // The loop above set every key of A to the value that its argument read.
  const all = values as ValuesOf<A>;
  if (isAccountWide?.(all)) targets.push(accountTarget);
  return { values: all, canonical, targets, notes };
}
