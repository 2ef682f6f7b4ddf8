import { type Target, targetKey } from '../../core/account/account.ts';
import { aside } from '../../core/async/aside.ts';
import type { Plan } from '../../core/plan/plan.ts';
import { higherRisk, risks } from '../../core/policy/policy.ts';
import { defined } from '../../core/text/defined.ts';
import type { Json } from '../../core/text/json.ts';
import { ProviderError, Refusal } from '../../core/view/errors.ts';
import type { AnyAction } from '../context/dependencies.ts';
import { actionAt, type EngineContext } from '../context/engine-context.ts';
import { operationId } from '../context/operation-id.ts';
import { freshMs } from '../context/time-limits.ts';
import { propose, riskOf } from '../operation/create.ts';
import { reasons } from '../operation/ends.ts';
import type { Operation } from '../operation/record.ts';
import { planAgain } from './plan-again.ts';

/** One run under a standing approval: a request, decided by that approval, which is checked like any other. */

type Begun =
  | { readonly kind: 'begun' }
  | { readonly kind: 'later' }
  | { readonly kind: 'skip' | 'stop'; readonly why: string };

interface Run {
  readonly id: string;
  readonly hour: number;
  /** The people whose votes count for it. */
  readonly by: readonly string[];
}

/** The same for every process and after every crash, so that an hour has one run. */
export function runId(standing: string, hour: number): string {
  return operationId(`run:${standing}:${hour}`);
}

/** Plans the request anew and creates the run, if it is about the same targets and of the same risk as approved. */
export async function beginRun(context: EngineContext, standing: Operation, run: Run): Promise<Begun> {
  const command = actionAt(context, standing);
  const { timing } = standing;
  if (command === undefined || timing?.every === undefined)
    return { kind: 'stop', why: reasons.noCommand(standing.command) };
  const planned = await planRun(context, standing, command);
  if ('kind' in planned) return planned;
  const { plan } = planned;
  if (!hasSameTargets(standing.plan.targets, plan.targets)) return { kind: 'stop', why: reasons.otherTargets };
  const risk = riskOf(command, plan);
  const approved = risks.find((candidate) => candidate === standing.risk) ?? 'safe';
  if (higherRisk(risk, approved) !== approved) return { kind: 'stop', why: `it is ${risk} now.` };
  if (plan.nothingToDo !== undefined) return { kind: 'skip', why: plan.nothingToDo.replace(/[.]$/, '') };
  const { every, ...hour } = timing;
  const { mostRuns, ran } = every;
  const proposed = await propose(context, {
    id: run.id,
    askedAt: run.hour,
    command,
    canonical: standing.args,
    plan: { ...plan, ...defined({ reason: standing.plan.reason }) },
    requester: standing.requester,
    channel: standing.channel,
    thread: standing.thread ?? undefined,
    rule: standing.rule,
    isSolo: standing.isSolo,
    policyVersion: Number(standing.policyVersion),
    hour: {
      startsAt: run.hour,
      timing: { ...hour, run: { of: standing.id, n: ran.length + 1, mostRuns, by: [...run.by] } },
    },
    decidedAt: standing.decidedAt ?? standing.createdAt,
  });
  aside(context.alerts.attempted(proposed), context.log, 'showing a run on alerts');
  return { kind: 'begun' };
}

async function planRun(
  context: EngineContext,
  standing: Operation,
  command: AnyAction,
): Promise<{ readonly plan: Plan<Json> } | Begun> {
  const access = await context.accessOf(standing.requester, standing.channel, freshMs);
  try {
    return await planAgain(context, standing, command, access);
  } catch (error) {
    // Without an answer of Slack, nobody knows which targets the requester may name.
    if (error instanceof Refusal) return access.isUnsure ? { kind: 'later' } : { kind: 'stop', why: error.message };
    if (error instanceof ProviderError) return { kind: 'later' };
    throw error;
  }
}

/** A different order under the same name is a different target, and so is one more, or one with another name. */
function hasSameTargets(approved: readonly Target[], now: readonly Target[]): boolean {
  const [before, after] = [approved, now].map((targets) =>
    [...new Set(targets.map((target) => `${targetKey(target)} ${target.name}`))].sort().join('\n'),
  );
  return before === after;
}
