import { randomBytes, randomUUID } from 'node:crypto';
import type { Comeback } from '../../core/probe/comeback.ts';
import { type Json, toJson } from '../../core/text/json.ts';
import type { AnyAction } from '../context/dependencies.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { keepSecret } from '../context/seal-secrets.ts';
import { recordEntry } from '../operation/entry-of.ts';
import { askingOf, closedStep, doingOf, type Operation, type OperationStep } from '../operation/read-operation.ts';
import type { AnswerKeeper } from './answer-keeper.ts';
import { createFence } from './fence.ts';
import { markLost } from './lost-answer.ts';
import { type Allowance, isAllowed, type NotAllowed, notAllowedBy } from './may-begin.ts';
import { probeBefore } from './probe-before.ts';
import { type Sent, send } from './step-logic.ts';

/** Whether the step was sent, and why not: `never` skips this step and all later ones, `later` retries. */
export type Beginning = { readonly kind: 'begun' } | NotAllowed;

const begun: Beginning = { kind: 'begun' };

/** The lifetime of a check. Reads and the wait for a write slot take seconds; a sleeping machine or a queue, hours. */
const checkedForMs = 60_000;
/** Most writes begin within this time. Later, rights, votes and freezes are checked again, in three statements. */
const momentMs = 500;

/** The only place that writes to the provider: `pending → running` succeeds once; the response is stored at once. */
export async function sendStep(
  context: EngineContext,
  operation: Operation,
  step: OperationStep,
  { command, answers, checkedAt }: { command: AnyAction; answers: AnswerKeeper; checkedAt: number },
): Promise<Beginning> {
  const { accountReader, log, now } = context;
  const asking = askingOf(operation);
  let data: Json;
  let comeback: Comeback | null;
  const access = await context.accessOf(operation.requester, operation.channel);
  try {
    const target = closedStep(command, step);
    const read = await context.readContext(asking, access);
    [data, comeback] = await Promise.all([
      target.recheckTarget(read),
      probeBefore(context, target, read, access.policy),
    ]);
  } catch (error) {
    return notAllowedBy(error, 'Checking it again');
  }
  const words = step.label === '' ? operation.plan.title : `${operation.plan.title}: ${step.label}`;
  const started = { data: { policyVersion: access.policy?.version ?? 0 }, unlessThere: ['started'] } as const;
  const call = { data: { step: step.n, target: step.target }, unlessThere: 'same' } as const;
  // Entries of the same moment share a commit.
  await Promise.all([
    recordEntry(context, operation, 'started', operation.plan.title, started),
    recordEntry(context, operation, 'call', words, call),
  ]);
  // The slot comes before the state `running`: a process that ends while it waits for the slot leaves a step that was
  // not sent.
  const release = await context.takeWriteSlot();
  const closed = closedStep(command, { ...step, data });
  const attempt = randomUUID();
  let sent: Sent;
  try {
    const fence = createFence(now);
    const permission = await isStillAllowed(context, operation, step, { command, checkedAt });
    if (permission.kind !== 'yes') return permission;
    if (!(await begin(context, operation, step, answers, { attempt, data, comeback: toJson(comeback) }))) return begun;
    sent = await send(closed, fence.around(context.writeContext(asking, operation.id)), {
      doing: doingOf(operation, step),
      wasSent: fence.wasSent,
      incident: (error, doing) => {
        const incident = randomBytes(4).toString('hex');
        log.error({ err: error, operation: operation.id, incident }, `${doing}: unexpected error in the bot`);
        return incident;
      },
    });
  } finally {
    release();
  }
  accountReader.invalidate();
  if (sent.kind === 'lost') {
    const fields = { operation: operation.id, step: step.n, answer: sent.why };
    await answers.keep(fields, () => markLost(context, operation, step, sent.why));
    return begun;
  }
  await keepAnswer(context, operation, step, answers, { sent, closed, attempt });
  return begun;
}

type Settled = Exclude<Sent, { kind: 'lost' }>;

/** Stores how the write went, and any secret of the response once. */
async function keepAnswer(
  context: EngineContext,
  operation: Operation,
  step: OperationStep,
  answers: AnswerKeeper,
  { sent, closed, attempt }: { sent: Settled; closed: ReturnType<AnyAction['step']>; attempt: string },
): Promise<void> {
  const { store, log } = context;
  const { to, patch } = stepAfter(closed, sent);
  const moveFrom = (from: 'running' | 'reading') => store.steps.move(operation.id, step.n, from, to, patch, attempt);
  let isSealed = false;
  const answer = sent.kind === 'failed' ? sent.note : sent.receipt.text;
  const fields = { operation: operation.id, step: step.n, answer };
  await answers.keep(fields, async () => {
    if (sent.kind === 'accepted' && sent.secret !== undefined && !isSealed) {
      await keepSecret(context, operation, step, sent.secret);
      isSealed = true;
    }
    if (await moveFrom('running')) return;
    // Another process marked the step as lost meanwhile; the next turn corrects the card.
    if (await moveFrom('reading')) return context.wake(operation.id);
    log.error(fields, `${doingOf(operation, step)}: the response arrived after the step had ended without it`);
  });
}

/** The state of the step after the response: failed, to be verified, or accepted with a job to poll. */
function stepAfter(closed: ReturnType<AnyAction['step']>, sent: Settled) {
  if (sent.kind === 'failed') return { to: 'failed', patch: { note: sent.note } } as const;
  const { text, data } = sent.receipt;
  const follow = closed.follow(sent.receipt);
  const job = follow?.kind === 'job' ? { orderId: follow.orderId, jobId: follow.jobId, action: follow.action } : null;
  const patch = { receipt: { text, data }, job, note: null };
  return { to: follow === undefined ? 'verifying' : 'accepted', patch } as const;
}

/** Checks again once the write has its slot: people may have frozen or changed something during the wait. */
async function isStillAllowed(
  context: EngineContext,
  operation: Operation,
  step: OperationStep,
  { command, checkedAt }: { readonly command: AnyAction; readonly checkedAt: number },
): Promise<Allowance> {
  const agoMs = context.elapsed() - checkedAt;
  if (agoMs > checkedForMs) {
    return { kind: 'later', why: 'It took more than a minute to begin, so everything is checked again.' };
  }
  return agoMs > momentMs ? isAllowed(context, operation, command, [step]) : { kind: 'yes' };
}

/**
 * Moves the step to `running`. If the database does not answer, the bot sends nothing, but the row may already be
 * `running`. The bot then moves the step to `failed`: no response can come, and people would wait minutes for one.
 */
async function begin(
  context: EngineContext,
  operation: Operation,
  step: OperationStep,
  answers: AnswerKeeper,
  noted: { readonly attempt: string; readonly data: Json; readonly comeback: Json },
): Promise<boolean> {
  const { steps } = context.store;
  try {
    return await steps.begin(operation.id, step.n, { ...noted, owner: context.owner });
  } catch (error) {
    const note = `${doingOf(operation, step)}: not sent, because the database did not answer. Nothing was changed.`;
    await answers.keep({ operation: operation.id, step: step.n, answer: note }, async () => {
      await steps.move(operation.id, step.n, ['running', 'reading'], 'failed', { note }, noted.attempt);
    });
    throw error;
  }
}
