import { type Target, targetKey } from '../../core/account/account.ts';
import { aside } from '../../core/async/aside.ts';
import { isEnd, isTrouble } from '../../core/plan/operation.ts';
import type { Plan } from '../../core/plan/plan.ts';
import { sayRan } from '../../core/plan/say-when.ts';
import type { WeeklyWhen } from '../../core/plan/when.ts';
import { higherRisk, type Risk, risks } from '../../core/policy/policy.ts';
import { type Json, toJson } from '../../core/text/json.ts';
import { count, sayDuration } from '../../core/text/words.ts';
import { nextOf } from '../../core/time/weekly.ts';
import { ProviderError, Refusal, type RefusalReason } from '../../core/view/errors.ts';
import { notice } from '../../core/view/view.ts';
import type { AuditedChange } from '../../store/audit/audit-lines.ts';
import { countingVotes } from '../access/count-votes.ts';
import { riskOf } from '../access/decide-plan.ts';
import { protectionsOn, sayProtected } from '../access/protections.ts';
import { actionAt, type EngineContext } from '../context/engine-context.ts';
import { operationId } from '../context/request.ts';
import { freshMs, laterMs, mostFailedRuns } from '../context/time-limits.ts';
import { proposeFor, redrawIfNew } from '../operation/create.ts';
import { end } from '../operation/end.ts';
import { ends, reasons, whyNotRun } from '../operation/ends.ts';
import { recordEntry } from '../operation/entry-of.ts';
import { planAgain } from '../operation/plan-again.ts';
import { findOperation, type Operation } from '../operation/read-operation.ts';
import { notifyThread } from '../operation/thread.ts';

/**
 * The turns of a standing approval. Each turn waits for the next hour or creates the run of that hour, which sends the
 * calls. The approval ends after its last run, when its time is over, or when a check fails.
 */

/** How long it waits for the end of a run; the end wakes it earlier. */
const whileRunningMs = 10 * 60_000;

/** A standing approval covers requests that are at most disruptive, and never a protected target. */
export async function mustBeRepeatable(
  context: EngineContext,
  { title, targets }: Pick<Plan<unknown>, 'title' | 'targets'>,
  risk: Risk,
): Promise<void> {
  const hint = 'Ask for one hour, like at="sun 03:00".';
  const only = `${title} is ${risk}, and a standing approval is at most for what is disruptive.`;
  if (higherRisk(risk, 'disruptive') !== 'disruptive') throw new Refusal('impossible', only, { hint });
  const protections = await protectionsOn(context, targets);
  const why = `${sayProtected(protections)}. Nothing runs on a pinned target under a standing approval.`;
  if (protections.length > 0) throw new Refusal('pinned', why, { hint });
}

export async function becomeStanding(context: EngineContext, operation: Operation): Promise<'next'> {
  const { weekly, until, mostRuns } = weeklyOf(operation);
  const startsAt = nextOf(weekly, context.now());
  await recordEntry(context, operation, 'standing', operation.plan.title, {
    data: { until, mostRuns },
    change: (on) =>
      context.store.operations.move(operation.id, 'approved', 'standing', { startsAt, delayWhy: null }, on),
  });
  return 'next';
}

/** `dueTime`: by the clock that all replicas share, with the countdown of the rule. */
export async function keepStanding(context: EngineContext, operation: Operation, dueTime: () => number) {
  const when = weeklyOf(operation);
  const { ran, mostRuns, until } = when;
  const startsAt = operation.startsAt ?? 0;
  const last = ran.slice(-mostFailedRuns).map((hour) => findOperation(context, runId(operation.id, hour)));
  const runs = (await Promise.all(last)).filter((run) => run !== undefined);
  const why = whyStop(runs);
  if (why !== undefined) return stopFor(context, operation, why);
  const isRunning = runs.some(({ state }) => !isEnd(state));
  const isOver = ran.length >= mostRuns || startsAt > until;
  if (isOver && !isRunning) {
    await end(context, operation, 'standing', 'expired', { endText: ends.standing.over(sayRan(when)) });
    return 'next';
  }
  if (!isOver && startsAt <= dueTime()) return atHour(context, operation, startsAt, isRunning);
  await redrawIfNew(context, operation);
  return isOver ? whileRunningMs : startsAt - dueTime();
}

/**
 * Plans the request anew and creates the run of an hour, a request that is checked like any other, if it is about the
 * same targets and of the same risk as approved.
 */
async function atHour(context: EngineContext, standing: Operation, startsAt: number, isRunning: boolean) {
  const when = weeklyOf(standing);
  const { words, timeZone, graceMs, ifFrozen, mostRuns, ran, weekly } = when;
  if (context.now() - startsAt > graceMs) return miss(context, standing, startsAt);
  if (isRunning) return waitForNextRun(context, standing, startsAt, 'the previous run has not ended');
  const command = actionAt(context, standing);
  if (command === undefined) return stopFor(context, standing, reasons.noCommand(standing.command));
  const access = await context.accessOf(standing.requester, standing.channel, freshMs);
  let plan: Plan<Json>;
  try {
    ({ plan } = await planAgain(context, standing, command, access));
  } catch (error) {
    // Without an answer of Slack, nobody knows which targets the requester may name.
    if (error instanceof Refusal && !access.isUnsure) return stopFor(context, standing, error.message);
    if (error instanceof Refusal || error instanceof ProviderError) return laterMs;
    throw error;
  }
  if (!hasSameTargets(standing.plan.targets, plan.targets)) return stopFor(context, standing, reasons.otherTargets);
  const risk = riskOf(command, plan);
  const approved = risks.find((candidate) => candidate === standing.risk) ?? 'safe';
  if (higherRisk(risk, approved) !== approved) return stopFor(context, standing, `it is ${risk} now.`);
  if (plan.nothingToDo !== undefined)
    return waitForNextRun(context, standing, startsAt, plan.nothingToDo.replace(/[.]$/, ''));
  const by = countingVotes(await context.store.votes.list(standing.id)).map(({ userId }) => userId);
  const run = { of: standing.id, n: ran.length + 1, mostRuns, by };
  const hour = { words, timeZone, graceMs, ifFrozen };
  const next = { startsAt: nextOf(weekly, startsAt), begins: toJson({ ...when, ran: [...ran, startsAt] }) };
  const { expiresAt } = standing;
  const proposed = await proposeFor(context, standing, {
    id: runId(standing.id, startsAt),
    askedAt: startsAt,
    command,
    canonical: standing.args,
    plan,
    rule: standing.rule,
    isSolo: standing.isSolo,
    policyVersion: Number(standing.policyVersion),
    hour: { startsAt, when: { kind: 'run', ...hour, ...run } },
    decidedAt: standing.decidedAt ?? standing.createdAt,
    counted: {
      id: standing.id,
      change: (on) => context.store.operations.reschedule(standing, { expiresAt, ...next }, 'standing', on),
    },
  }).catch((error: unknown) => {
    // Somebody stopped it, or another process began the run.
    if (error instanceof Refusal && error.reason === 'closed') return undefined;
    throw error;
  });
  if (proposed !== undefined) aside(context.alerts.attempted(proposed), context.log, 'showing a run on alerts');
  return 'next';
}

/** All hours that have passed count as missed at once. */
async function miss(context: EngineContext, operation: Operation, first: number): Promise<'next'> {
  const { weekly, until, graceMs } = weeklyOf(operation);
  let hours = 1;
  let next = nextOf(weekly, first);
  for (; context.now() - next > graceMs && next <= until; next = nextOf(weekly, next)) hours += 1;
  const late = `could not begin within ${sayDuration(graceMs)} after its hour`;
  const why = `${hours === 1 ? 'it' : `${count(hours, 'run')}`} ${late}, and a missed run is not made up for`;
  return waitForNextRun(context, operation, first, why, next);
}

/** Waits for the hour after this one. `skipped`: why this one has no run, for the thread and the audit. */
async function waitForNextRun(
  context: EngineContext,
  operation: Operation,
  hour: number,
  skipped: string,
  next?: number,
): Promise<'next'> {
  const { id, plan, expiresAt } = operation;
  const when = weeklyOf(operation);
  const to = { expiresAt, startsAt: next ?? nextOf(when.weekly, hour), begins: toJson(when) };
  const change: AuditedChange = (on) => context.store.operations.reschedule(operation, to, 'standing', on);
  const view = notice('warning', ['No run ', { date: hour, style: 'full' }, `: ${skipped}.`]);
  await notifyThread(context, operation, `skipped:${id}:${hour}`, view);
  await recordEntry(context, operation, 'skipped', `${plan.title}: ${skipped}`, { data: { hour }, change });
  return 'next';
}

async function stopFor(context: EngineContext, operation: Operation, why: string): Promise<'next'> {
  const endText = ends.standing.stopped(why, sayRan(weeklyOf(operation)));
  await end(context, operation, 'standing', 'stopped', { endText });
  return 'next';
}

/** Refusals that hold for the next run as well. */
const lasting: readonly (string | null)[] = [
  'no_policy',
  'not_granted',
  'not_admin',
  'posture',
  'not_yours',
  'pinned',
  'not_found',
  'ambiguous',
  'impossible',
] satisfies RefusalReason[];

/** Why no further run may begin. `runs`: the last ones, in their order. */
function whyStop(runs: readonly Operation[]): string | undefined {
  const last = runs.at(-1);
  if (last?.state === 'refused' && lasting.includes(last.endReason)) return whyNotRun(last.endText ?? '');
  const isFailing = runs.length === mostFailedRuns && runs.every(({ state }) => isTrouble(state));
  return isFailing ? `${count(mostFailedRuns, 'run')} failed in a row` : undefined;
}

function weeklyOf({ id, when }: Operation): WeeklyWhen {
  if (when.kind !== 'weekly') throw new Error(`operation ${id} is no standing approval`);
  return when;
}

/** The same for every process and after every crash, so that an hour has one run. */
function runId(standing: string, hour: number): string {
  return operationId(`run:${standing}:${hour}`);
}

/** A different order under the same name is a different target, and so is one more, or one with another name. */
function hasSameTargets(approved: readonly Target[], now: readonly Target[]): boolean {
  const [before, after] = [approved, now].map((targets) =>
    [...new Set(targets.map((target) => `${targetKey(target)} ${target.name}`))].sort().join('\n'),
  );
  return before === after;
}
