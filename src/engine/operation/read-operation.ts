import { z } from 'zod';
import { accountTarget } from '../../core/account/account.ts';
import type { Asking } from '../../core/command/command.ts';
import type { RawArgs } from '../../core/grammar/command-shape.ts';
import { glassSchema } from '../../core/plan/broken-glass.ts';
import { type ShownPlan, shownPlanSchema } from '../../core/plan/plan.ts';
import { whenSchema } from '../../core/plan/when.ts';
import { approvalSchema, ruleSchema } from '../../core/policy/policy.ts';
import { comebackSchema } from '../../core/probe/comeback.ts';
import type { Json } from '../../core/text/json.ts';
import { Refusal } from '../../core/view/errors.ts';
import type { OperationRow } from '../../store/records/operation-row.ts';
import type { StepRow } from '../../store/records/steps.ts';
import type { AnyAction } from '../context/dependencies.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { tokenSchema } from '../context/request.ts';
import { outsideSchema } from './outside.ts';

/** Parses the JSON columns of an operation, which the store does not interpret. */

const rawArgsSchema: z.ZodType<RawArgs> = z.record(z.string(), z.array(z.string()));
// Made once: each request is read many times, and making a schema takes as long as parsing a row.
const storedTokenSchema = tokenSchema.nullable();
const storedGlassSchema = glassSchema.nullable();
const storedOutsideSchema = outsideSchema.nullable().catch(null);
const storedReceiptSchema = z
  .object({ text: z.string(), data: z.custom<Json>((value) => value !== undefined) })
  .nullable();
const storedComebackSchema = comebackSchema.nullable();
const outcomeSchema = z
  .object({
    by: z.string().nullable().catch(null),
    wasLost: z.boolean().catch(false),
    isSentBack: z.boolean().catch(false),
  })
  .nullable();
/** A protection adds one approver to the most that a policy may name. */
const protectedRuleSchema = approvalSchema.extend({ approve: z.int().min(1) });

const shownRuleSchema = z.object({ rule: z.union([ruleSchema, protectedRuleSchema]), isSolo: z.boolean() });

export type Operation = Readonly<ReturnType<typeof readOperation>>;

/** Also reads a row that this version cannot parse, as far as its end, locks and list entry need. Guesses no target. */
export function readOperationLeniently(row: OperationRow): Operation {
  try {
    return readOperation(row);
  } catch {
    const title = titleSchema.safeParse(row.plan).data?.title ?? `${row.command} (unreadable)`;
    // The whole account as target hides the row elsewhere, except from people who may read everything.
    const plan: ShownPlan = { title, subject: [], targets: [accountTarget], effect: '', details: [], facts: {} };
    const unread = { args: {}, when: { kind: 'now' }, outside: null, glass: null, endedBy: null, token: null } as const;
    const { begins: _, ...rest } = row;
    return { ...rest, ...unread, plan, rule: 'confirm', isSolo: false, wasLost: false, isSentBack: false };
  }
}

const titleSchema = z.object({ title: z.string() });

export function readOperation(row: OperationRow) {
  const { outcome, begins, ...rest } = row;
  const { by: endedBy = null, wasLost = false, isSentBack = false } = outcomeSchema.parse(outcome) ?? {};
  const { rule, isSolo } = shownRuleSchema.parse(row.rule);
  return {
    ...rest,
    rule,
    isSolo,
    args: rawArgsSchema.parse(row.args),
    plan: shownPlanSchema.parse(row.plan),
    when: whenSchema.parse(begins),
    /** Null for a request of a person. */
    token: storedTokenSchema.parse(row.token),
    /** Null unless somebody broke the glass. */
    glass: storedGlassSchema.parse(row.glass),
    /** The person who withdrew or declined the request; null for any other end. */
    endedBy,
    /** True once the thread reported that the provider's response to a step was lost. */
    wasLost,
    /** Null if no name server is asked about it. */
    outside: storedOutsideSchema.parse(row.outside),
    /** True if an approver asked for changes, which ended the request. */
    isSentBack,
  };
}

export function askingOf({ requester, channel, thread }: Pick<Operation, 'requester' | 'channel' | 'thread'>): Asking {
  return { actor: requester, channel, thread: thread ?? undefined };
}

/** Names the work in sentences about one step of an operation. */
export function doingOf(operation: Pick<Operation, 'plan'>, step: Pick<StepRow, 'label'>): string {
  return operation.plan.isSeveral ? step.label : operation.plan.title;
}

/** The step as its command reads it: in a plan of several lines, the command of its line. */
export function closedStep(command: AnyAction, { data, command: own }: Pick<StepRow, 'command' | 'data'>) {
  return command.step(data, own ?? undefined);
}

export type OperationStep = Readonly<ReturnType<typeof readStep>>;

export function readStepLeniently(row: StepRow): OperationStep {
  const receipt = storedReceiptSchema.safeParse(row.receipt).data ?? null;
  return { ...row, receipt, comeback: storedComebackSchema.safeParse(row.comeback).data ?? null };
}

export function readStep(row: StepRow) {
  const { receipt, comeback } = row;
  return { ...row, receipt: storedReceiptSchema.parse(receipt), comeback: storedComebackSchema.parse(comeback) };
}

type Reading = Pick<EngineContext, 'store'>;

/** Finds a request and reads it leniently; undefined if there is none. */
export async function findOperation({ store }: Reading, id: string): Promise<Operation | undefined> {
  const row = await store.operations.find(id);
  return row && readOperationLeniently(row);
}

/** The request of a button, in any state. */
export async function requestOf({ store }: Reading, id: string): Promise<Operation> {
  const row = await store.operations.find(id);
  if (row === undefined) throw new Refusal('closed', 'This request is no longer available.');
  return readOperation(row);
}

/** The request as it is now, after a write. */
export async function readNow({ store }: EngineContext, operation: Operation): Promise<Operation> {
  const row = await store.operations.find(operation.id);
  return row ? readOperation(row) : operation;
}
