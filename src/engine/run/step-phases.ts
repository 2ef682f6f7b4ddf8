import type { Step } from '../../core/command.ts';
import { ProviderError } from '../../core/errors.ts';
import type { Follow, Verdict } from '../../core/plan.ts';
import type { Provider, Reader } from '../../provider/client.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { endSentence } from '../operation/error-view.ts';
import { doingOf, type Operation, type OperationStep, readOperation, readStep } from '../operation/record.ts';
import { nextLook, nextRead, nextVerify } from './polling-schedule.ts';

/** What is looked at in each phase of a step that the provider has. */

export interface LoadedStep {
  readonly operation: Operation;
  readonly step: OperationStep;
  readonly closed: Step<Reader, Provider>;
}

export async function load(context: EngineContext, id: string, n: number): Promise<LoadedStep | undefined> {
  const row = await context.store.operations.find(id);
  const step = (await context.store.steps.list(id)).map(readStep).find((known) => known.n === n);
  const command = context.commands.find((known) => known.path === row?.command);
  if (row === undefined || step === undefined || command?.kind !== 'action') return undefined;
  return { operation: readOperation(row), step, closed: command.step(step.data) };
}

interface Moment {
  readonly looks: number;
  readonly elapsedMs: number;
  readonly sinceLookMs: number;
  readonly random: () => number;
}

/** Ms until the next look, `next` for the next phase at once, `over` when there is nothing more to look at. */
type Look = (context: EngineContext, found: LoadedStep, moment: Moment) => Promise<number | 'next' | 'over'>;

export const phases: Readonly<Record<string, Look>> = {
  accepted: async (context, found, moment) => {
    const { step, closed } = found;
    const follow = closed.follow(step.receipt ?? { text: '', data: null });
    if (follow?.kind === 'job') return lookAtJob(context, found, follow, moment);
    if (follow === undefined) return toVerifying(context, found);
    const verdict = await verify(context, found.operation, step, closed);
    if (verdict.is === 'not' && verdict.isFinal) {
      await context.store.steps.move(found.operation.id, step.n, 'accepted', 'failed', {
        note: `${doingOf(found.operation, step)}: ${endSentence(verdict.text)}`,
      });
      return 'over';
    }
    const next = nextLook(moment.elapsedMs, moment.looks - 1, [], moment.random());
    if (verdict.is === 'so' || next === undefined || moment.elapsedMs > follow.timeoutMs)
      return toVerifying(context, found);
    return next;
  },
  verifying: async (context, { operation, step, closed }, { looks }) => {
    const verdict = await verify(context, operation, step, closed);
    const next = nextVerify(looks);
    if (verdict.is !== 'so' && !verdict.isFinal && next !== undefined) return next;
    await context.store.steps.move(operation.id, step.n, 'verifying', verdict.is === 'so' ? 'done' : 'unverified', {
      note: verdict.text,
    });
    return 'over';
  },
  reading: async (context, { operation, step, closed }, { looks }) => {
    const verdict = await reconcile(context, operation, closed);
    const next = nextRead(looks);
    if (verdict.is !== 'so' && !verdict.isFinal && next !== undefined) return next;
    const end = { so: 'done', not: 'failed', unsure: 'unknown' } as const;
    const note =
      verdict.is === 'not'
        ? `${doingOf(operation, step)}: the answer was lost, and reading shows that it was not taken: ${endSentence(verdict.text)} Ask again if you still want it.`
        : verdict.text;
    await context.store.steps.move(operation.id, step.n, 'reading', end[verdict.is], { note });
    return 'over';
  },
};

async function toVerifying(context: EngineContext, { operation, step }: LoadedStep): Promise<'next'> {
  await context.store.steps.move(operation.id, step.n, 'accepted', 'verifying');
  return 'next';
}

async function lookAtJob(
  context: EngineContext,
  found: LoadedStep,
  follow: Extract<Follow, { kind: 'job' }>,
  moment: Moment,
): Promise<number | 'next' | 'over'> {
  const { operation, step } = found;
  const { store, reader, log, meter } = context;
  const usual = await store.durations.recent(follow.action, 50);
  try {
    const job = await reader.vps.logDetails({ order_id: follow.orderId, log_id: follow.jobId });
    // Both have been announced and neither has been seen for sure: `done` with completed late, `error` never completed.
    if (job.job_state === 'error') {
      const said = job.note === '' ? '' : ` The provider says: ${endSentence(job.note)}`;
      await store.steps.move(operation.id, step.n, 'accepted', 'failed', {
        note: `${doingOf(operation, step)}: job ${follow.jobId} ended in error.${said} See /host status ${follow.orderId} for how it stands.`,
      });
      return 'over';
    }
    if (job.job_state === 'done' || job.completed) {
      meter.watched(moment.sinceLookMs);
      await store.durations.add(follow.action, moment.elapsedMs);
      return toVerifying(context, found);
    }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    // A provider that is down for a while is waited for: the job goes on without us.
    log.debug({ operation: operation.id, kind: error.kind }, 'watching: the provider did not say');
  }
  const next = nextLook(moment.elapsedMs, moment.looks - 1, usual, moment.random());
  return next ?? toVerifying(context, found);
}

async function verify(
  context: EngineContext,
  operation: Operation,
  step: OperationStep,
  closed: LoadedStep['closed'],
): Promise<Verdict> {
  return reading(context, operation, (readContext) => closed.verify(readContext, step.receipt ?? undefined));
}

async function reconcile(context: EngineContext, operation: Operation, closed: LoadedStep['closed']): Promise<Verdict> {
  return reading(context, operation, (readContext) => closed.reconcile(readContext));
}

async function reading(
  context: EngineContext,
  operation: Operation,
  read: (readContext: Awaited<ReturnType<EngineContext['readContext']>>) => Promise<Verdict>,
): Promise<Verdict> {
  const asking = { actor: operation.requester, channel: operation.channel, thread: operation.thread ?? undefined };
  try {
    return await read(
      await context.readContext(asking, await context.accessOf(operation.requester, operation.channel)),
    );
  } catch (error) {
    if (error instanceof ProviderError)
      return {
        is: 'unsure',
        text: `reading it back: ${error.words === '' ? 'the provider did not answer' : error.words}`,
      };
    throw error;
  }
}
