import { join } from 'node:path';
import { parse, type TypecheckedStage, typecheck } from '@informalsystems/quint/dist/src/cliCommands.js';
import { toExpr } from '@informalsystems/quint/dist/src/cliHelpers.js';
import { expressionToString } from '@informalsystems/quint/dist/src/ir/IRprinting.js';
import type { QuintEx } from '@informalsystems/quint/dist/src/ir/quintIr.js';
import { newRng } from '@informalsystems/quint/dist/src/rng.js';
import { type Builder, buildExpr, type EvalFunction } from '@informalsystems/quint/dist/src/runtime/impl/builder.js';
import { Evaluator } from '@informalsystems/quint/dist/src/runtime/impl/evaluator.js';
import type { RuntimeValue } from '@informalsystems/quint/dist/src/runtime/impl/runtimeValue.js';
import { newTraceRecorder } from '@informalsystems/quint/dist/src/runtime/trace.js';

/** Evaluates proof/spec/request.qnt one action at a time, with Quint's own parser, type checker and evaluator. */

export type PageState = RuntimeValue;

export interface Page {
  /** All actions of `step`, with each of their arguments: `approve("lead")`. */
  readonly actions: readonly string[];
  readonly start: PageState;
  /** The allowed actions in a state, with the states that follow. */
  readonly following: (state: PageState) => { readonly action: string; readonly state: PageState }[];
  /** The state after an action; undefined if the action is not allowed. */
  readonly after: (state: PageState, action: string) => PageState | undefined;
  readonly keepsPromises: (state: PageState) => boolean;
}

/** The states of the request and of its write. */
export function rowsOf(state: PageState): { readonly state: string; readonly write: string } {
  const rows = state.toOrderedMap().get('rows')?.toOrderedMap();
  return { state: rows?.get('state')?.toStr() ?? '', write: rows?.get('write')?.toStr() ?? '' };
}

/** The index of the first action that the specification does not allow; undefined if it allows all. */
export function refusedAt(page: Page, actions: readonly string[]): number | undefined {
  let state = page.start;
  for (const [place, action] of actions.entries()) {
    const next = page.after(state, action);
    if (next === undefined) return place;
    state = next;
  }
  return undefined;
}

export const pagePath = join(import.meta.dirname, 'request.qnt');

/** Opens a specification. Throws Quint's message if it does not parse or type-check. */
export async function openPage(text: string): Promise<Page> {
  const stage = await check(text);
  const random = newRng(1n);
  const evaluator = new Evaluator(stage.table, newTraceRecorder(0, random), random);
  const storage = evaluator.ctx.varStorage;
  // `builder` is private in Quint's types. Without it the evaluator would build each expression anew at each
  // evaluation.
  const { builder } = evaluator as unknown as { readonly builder: Builder };
  const build = (source: string) => buildExpr(builder, orThrow(toExpr(stage, source), source));
  const holds = (expression: EvalFunction) => {
    const result = expression(evaluator.ctx);
    if (result.isLeft()) throw new Error(result.value.message);
    return result.value.toBool();
  };
  const shifted = () => {
    storage.shiftVars();
    return storage.asRecord();
  };

  const actions = new Map(callsOf(stage).map((call) => [call, build(call)]));
  const promises = build('promises');
  if (!holds(build('init'))) throw new Error('init is not possible');
  const start = shifted();
  return {
    actions: [...actions.keys()],
    start,
    following: (state) => {
      storage.fromRecord(state);
      const steps: { readonly action: string; readonly state: PageState }[] = [];
      for (const [action, expression] of actions) {
        if (!holds(expression)) continue;
        steps.push({ action, state: shifted() });
        storage.fromRecord(state);
      }
      return steps;
    },
    after: (state, action) => {
      const expression = actions.get(action);
      if (expression === undefined) throw new Error(`the page has no ${action}`);
      storage.fromRecord(state);
      return holds(expression) ? shifted() : undefined;
    },
    keepsPromises: (state) => {
      storage.fromRecord(state);
      return holds(promises);
    },
  };
}

async function check(text: string): Promise<TypecheckedStage> {
  const args = { main: 'request' };
  const loaded = {
    stage: 'loading' as const,
    args,
    path: pagePath,
    sourceCode: new Map([[pagePath, text]]),
    warnings: [],
  };
  return orThrow(await typecheck(orThrow(await parse(loaded), 'parsing')), 'type checking');
}

interface Either<T> {
  readonly isLeft: () => boolean;
  readonly value: unknown;
  readonly unwrap: () => T;
}

function orThrow<T>(result: Either<T>, what: string): T {
  if (result.isLeft())
    throw new Error(
      `${what}: ${JSON.stringify(result.value, (key, value) => (key === 'stage' ? value.errors : typeof value === 'bigint' ? String(value) : value))}`,
    );
  return result.unwrap();
}

/** The calls of actions in `step`, for each possible value of their arguments. */
function callsOf({ modules }: TypecheckedStage): string[] {
  const declarations = modules.find(({ name }) => name === 'request')?.declarations ?? [];
  const definitions = declarations.filter((declaration) => declaration.kind === 'def');
  const actions = new Set(definitions.filter(({ qualifier }) => qualifier === 'action').map(({ name }) => name));
  const picks = new Map<string, readonly string[]>();
  const elementsOf = (set: QuintEx): readonly string[] => {
    if (set.kind === 'app' && set.opcode === 'Set') return set.args.map(expressionToString);
    const named = definitions.find(({ name }) => set.kind === 'name' && name === set.name);
    if (named === undefined) throw new Error(`${expressionToString(set)} is no set that is written out`);
    return elementsOf(named.expr);
  };
  const read = (body: QuintEx): string[] => {
    if (body.kind === 'let') {
      const { name, expr } = body.opdef;
      if (expr.kind !== 'app' || expr.opcode !== 'oneOf' || expr.args[0] === undefined)
        throw new Error(`${name} is not picked from a set`);
      picks.set(name, elementsOf(expr.args[0]));
      return read(body.expr);
    }
    if (body.kind === 'app' && body.opcode === 'actionAny') return body.args.flatMap(read);
    if (body.kind === 'name' && actions.has(body.name)) return [body.name];
    if (body.kind === 'app' && actions.has(body.opcode)) {
      const rows = body.args.map(expressionToString).reduce<string[][]>(
        (before, argument) => {
          const values = picks.get(argument);
          if (values === undefined) throw new Error(`step: nothing is picked for ${argument}`);
          return before.flatMap((row) => values.map((value) => [...row, value]));
        },
        [[]],
      );
      return rows.map((row) => `${body.opcode}(${row.join(', ')})`);
    }
    throw new Error(`step: ${expressionToString(body)} is neither an action nor a choice of actions`);
  };
  const step = definitions.find(({ name }) => name === 'step');
  if (step === undefined) throw new Error('the page has no step');
  return read(step.expr);
}
