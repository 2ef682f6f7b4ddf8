import { type Target, targetKey } from '../../core/account/account.ts';
import { ProviderError, Refusal } from '../../core/view/errors.ts';
import { frozenBy, sayFrozenBriefly } from '../access/frozen.ts';
import { protectedSince, sayProtected } from '../access/protections.ts';
import { personName, sayNames } from '../access/say-names.ts';
import { decideOn, weightOfStep } from '../access/weights.ts';
import type { AnyAction } from '../context/dependencies.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { sayProviderError } from '../context/error-view.ts';
import { beginWithinMs, freshMs } from '../context/time-limits.ts';
import { acquireLocks } from '../operation/acquire-locks.ts';
import { heldBecause } from '../operation/ends.ts';
import type { Operation, OperationStep } from '../operation/read-operation.ts';
import { votesOfNow } from '../operation/votes.ts';

/** Whether a step may begin now; checked before every step. */
export type Permission =
  | { readonly kind: 'yes' }
  /** Skip this step and all later ones. */
  | { readonly kind: 'never'; readonly why: string }
  /** A lookup failed, which decides nothing: check again later. */
  | { readonly kind: 'later'; readonly why: string }
  /** The bot was offline or paused, or the request was delayed too long: a person has to click "Continue". */
  | { readonly kind: 'held'; readonly why: string };

/** The decision of people and rules, which never hold a request: only time or a pause does. */
export type Allowance = Exclude<Permission, { kind: 'held' }>;

/** The reason of a refusal, or of a wait. */
export type NotAllowed = Exclude<Allowance, { kind: 'yes' }>;

/** Maps an error of a check: a changed target is never written to; a failed lookup is retried. */
export function notAllowedBy(error: unknown, checking: string): NotAllowed {
  if (error instanceof Refusal) return { kind: 'never', why: error.message };
  if (!(error instanceof ProviderError)) throw error;
  const mayRecover = error.kind === 'unavailable' || error.kind === 'throttled';
  return { kind: mayRecover ? 'later' : 'never', why: sayProviderError(checking, error) };
}

/** Checks that no one stopped the operation, that the bot is not paused, and was not offline since the decision. */
export async function mayStartNow(
  context: EngineContext,
  operation: Operation,
  steps: readonly OperationStep[],
): Promise<Permission> {
  const { store, now, settings } = context;
  if (operation.stopBy !== null) {
    return { kind: 'never', why: `${await personName(context, operation.stopBy)} stopped it` };
  }
  const isOwn = operation.plan.targets.every((target) => target.kind === 'channel');
  if (settings.isPaused && !isOwn) {
    return { kind: 'held', why: heldBecause.paused };
  }
  const byPeople = Math.max(operation.decidedAt ?? operation.createdAt, operation.continuedAt ?? 0);
  // The countdown ended by the clock of the database, which may be ahead.
  const readyAt = Math.min(operation.readyAt ?? 0, now());
  // The hour that people decided on counts as the decision.
  const startsAt = Math.min(operation.startsAt ?? 0, now());
  const decidedAt = Math.max(byPeople, startsAt, readyAt);
  const isAtHour = steps.length === 0 && operation.when.kind !== 'now' && startsAt > byPeople;
  const withinMs = isAtHour ? operation.when.graceMs : beginWithinMs;
  const absentMs = (await store.presence.absentMs()) ?? 0;
  const decidedAgoMs = now() - decidedAt;
  // A person who has just decided expects an immediate start. A decision lies in the future if the clock was set back.
  const offlineMs = decidedAgoMs < 0 ? absentMs : Math.min(absentMs, decidedAgoMs);
  if (offlineMs > withinMs) return { kind: 'held', why: heldBecause.offline(absentMs) };
  const movedAt = Math.max(decidedAt, ...steps.map((step) => step.endedAt ?? 0));
  if (now() - movedAt <= withinMs) return { kind: 'yes' };
  const delay = operation.delayWhy === null ? '' : ` ${operation.delayWhy}`;
  const why = isAtHour ? heldBecause.missedHour(withinMs, delay) : heldBecause.stalled(now() - movedAt, delay);
  return { kind: 'held', why };
}

/** The targets of these steps; all targets of the operation if the steps name none of them. */
function targetsOf({ plan }: Operation, steps: readonly OperationStep[]): readonly Target[] {
  const keys = new Set(steps.map((step) => step.target));
  const named = plan.targets.filter((target) => keys.has(targetKey(target)));
  return named.length === 0 ? plan.targets : named;
}

/** Checks that people and rules still allow these steps. */
export async function isAllowed(
  context: EngineContext,
  operation: Operation,
  command: AnyAction,
  starting: readonly OperationStep[],
): Promise<Allowance> {
  const { requester, channel, plan } = operation;
  const targets = targetsOf(operation, starting);
  const access = await context.accessOf(requester, channel, freshMs);
  const decisions = starting.map((step) => decideOn(access, weightOfStep(command, plan, step)));
  const decision = decisions.find(({ allowed }) => !allowed);
  if (decision?.allowed === false) {
    if (access.isUnsure) return slackUnavailable;
    return { kind: 'never', why: await sayNames(context.directory, decision.because) };
  }
  const { votes, isEnough, isUnsure } = await votesOfNow(context, operation);
  if (!isEnough) {
    if (isUnsure) return slackUnavailable;
    const why = votes.find((vote) => vote.isVoid)?.why;
    return { kind: 'never', why: `an approval no longer counts${why ? `: ${why}` : ''}` };
  }
  const targetsSince = await protectedSince(context, operation, targets);
  if (targetsSince.length > 0)
    return { kind: 'never', why: `${sayProtected(targetsSince)}. It was pinned after the approval` };
  const frozen = await frozenBy(context, channel, targets);
  return frozen === undefined ? { kind: 'yes' } : { kind: 'never', why: sayFrozenBriefly(frozen) };
}

export const slackUnavailable: NotAllowed = { kind: 'later', why: 'Slack could not be asked who may decide this.' };

export interface Next {
  readonly command: AnyAction;
  readonly steps: readonly OperationStep[];
  readonly starting: readonly OperationStep[];
}

/** All checks for the next steps except each step's own target, which send-step.ts reads. */
export async function mayBegin(context: EngineContext, operation: Operation, { command, steps, starting }: Next) {
  const time = await mayStartNow(context, operation, steps);
  if (time.kind !== 'yes') return time;
  const allowed = await isAllowed(context, operation, command, starting);
  if (allowed.kind !== 'yes') return allowed;
  // The hold released the locks.
  const holder = operation.continuedAt === null ? undefined : await acquireLocks(context, operation);
  return holder === undefined ? allowed : ({ kind: 'never', why: holder } as const);
}
