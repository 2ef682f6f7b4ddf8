import type { OperationFilter } from '../../core/command/bot-port.ts';
import { shownPlanSchema } from '../../core/plan/plan.ts';
import { isPatient } from '../../core/plan/when.ts';
import { type Text, text } from '../../core/view/view.ts';
import { countingVotes, isDecided } from '../access/count-votes.ts';
import { frozenAt, sayUntil } from '../access/frozen.ts';
import { protectedSince } from '../access/protections.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { type Operation, readOperationLeniently } from './read-operation.ts';
import { mayVote } from './votes.ts';

/** Maximum number of requests read for one view of Home. */
export const mostRead = 100;

export async function newest(
  context: Pick<EngineContext, 'store'>,
  filter: Omit<OperationFilter, 'limit'>,
  limit = mostRead,
): Promise<Operation[]> {
  return (await context.store.operations.list({ ...filter, limit })).map(readOperationLeniently);
}

/** Requests with an hour that have not begun, the next hour first. */
export async function byHour(
  context: Pick<EngineContext, 'store'>,
  filter: Parameters<EngineContext['store']['operations']['byHour']>[0],
): Promise<Operation[]> {
  return (await context.store.operations.byHour(filter)).map(readOperationLeniently);
}

/** Why a request will not run at its hour, as far as known now: `frozen until 14:44: release`, `pinned: customer data`. */
export async function stoppedAtHour(context: EngineContext, operation: Operation): Promise<Text | null> {
  const { plan, when, channel, startsAt } = operation;
  const [pinned] = await protectedSince(context, operation, plan.targets);
  if (pinned !== undefined) return `pinned: ${pinned.why}`;
  if (startsAt === null || isPatient(when)) return null;
  const frozen = await frozenAt(context, channel, plan.targets, Math.max(startsAt, context.now()));
  return frozen === undefined ? null : text('frozen ', sayUntil(frozen), `: ${frozen.reason}`);
}

/** How the requests of a channel were answered. One that this version cannot read is left out: who may see it is unknown. */
export async function answersIn({ store }: EngineContext, channel: string) {
  return (await store.responseTimes.listIn(channel)).flatMap(({ plan, ...answer }) => {
    const { data } = shownPlanSchema.safeParse(plan);
    return data === undefined ? [] : [{ ...answer, targets: data.targets, names: data.names ?? [] }];
  });
}

/** The requests that wait for this person's decision, oldest first. */
export async function requestsNeeding(context: EngineContext, user: string): Promise<Operation[]> {
  return waitingFor(context, user, (await newest(context, { states: ['waiting'] })).toReversed());
}

export async function waitingFor(
  context: Pick<EngineContext, 'accessOf' | 'commands' | 'store'>,
  user: string,
  undecided: readonly Operation[],
): Promise<Operation[]> {
  const waiting: Operation[] = [];
  for (const operation of undecided) {
    if (!(await mayVote(context, operation, user)).ok) continue;
    const votes = await context.store.votes.list(operation.id);
    const hasVoted = countingVotes(votes).some((vote) => vote.userId === user);
    if (!hasVoted && !isDecided(operation.rule, votes)) waiting.push(operation);
  }
  return waiting;
}
