import { isGlassBroken } from '../../core/plan/glass.ts';
import { isEnd } from '../../core/plan/operation.ts';
import type { VoteRow } from '../../store/records/votes.ts';
import { isDecided, voterOf } from '../access/count-votes.ts';
import { mayBreak } from '../access/glass.ts';
import { sayNames } from '../access/say-names.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { freshMs } from '../context/time-limits.ts';
import { recordEntry } from './entry-of.ts';
import { type Operation, readOperation } from './record.ts';
import { mayVote } from './vote-rules.ts';

/**
 * Returns the votes after checking each again: the voter may have left the group or the team or lost the right since.
 * Only a certain no voids a vote; if Slack does not answer, the vote is omitted and `isUnsure` is true.
 */
export async function votesOfNow(
  context: EngineContext,
  asked: Operation,
): Promise<{ readonly votes: readonly VoteRow[]; readonly isEnough: boolean; readonly isUnsure: boolean }> {
  const operation = await votedOn(context, asked);
  if (operation === undefined) return { votes: [], isEnough: false, isUnsure: false };
  const votes: VoteRow[] = [];
  let isUnsure = false;
  for (const vote of await context.store.votes.list(operation.id)) {
    if (vote.isVoid) {
      votes.push(vote);
      continue;
    }
    const access = await voterOf(context, operation, vote.userId, freshMs);
    const answer = mayVote(operation, access);
    if (answer.ok) votes.push(vote);
    else if (access.isUnsure) isUnsure = true;
    else votes.push(await makeVoid(context, operation, vote, await sayNames(context.directory, answer.because)));
  }
  if (isGlassBroken(operation)) return glassOfNow(context, operation, votes);
  return { votes, isEnough: isDecided(operation.rule, votes), isUnsure };
}

/** The request on which the votes were cast: the standing approval of a run. Undefined if that one has ended. */
async function votedOn({ store }: Pick<EngineContext, 'store'>, operation: Operation): Promise<Operation | undefined> {
  const run = operation.timing?.run;
  if (run === undefined) return operation;
  const row = await store.operations.find(run.of);
  return row === undefined || isEnd(row.state) ? undefined : readOperation(row);
}

/** The broken glass stands in for the votes, while the person who broke it still may. */
async function glassOfNow(context: EngineContext, operation: Operation, votes: readonly VoteRow[]) {
  const { id, glass } = operation;
  const may = glass === null ? undefined : await mayBreak(context, operation, glass.by, freshMs);
  if (glass === null || may === undefined || may.ok) return { votes, isEnough: true, isUnsure: false };
  if (may.isUnsure) return { votes, isEnough: false, isUnsure: true };
  const why = await sayNames(context.directory, may.because);
  await recordEntry(context, operation, 'vote_void', why, {
    actor: glass.by,
    data: { vote: glass.at },
    change: (on) => context.store.glass.note(id, glass, { ...glass, isVoid: why }, on),
  });
  const vote = { operationId: id, userId: glass.by, vote: 'approve', comment: null, at: glass.at } as const;
  return { votes: [...votes, { ...vote, isVoid: true, why }], isEnough: false, isUnsure: false };
}

async function makeVoid(context: EngineContext, operation: Operation, vote: VoteRow, why: string): Promise<VoteRow> {
  await recordEntry(context, operation, 'vote_void', why, {
    actor: vote.userId,
    data: { vote: vote.at },
    change: (on) => context.store.votes.void(operation.id, vote.userId, why, on),
  });
  return { ...vote, isVoid: true, why };
}
