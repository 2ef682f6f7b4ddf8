import { isGlassBroken } from '../../core/plan/broken-glass.ts';
import { isEnd } from '../../core/plan/operation.ts';
import { mayApprove } from '../../core/policy/evaluate.ts';
import { denials } from '../../core/policy/refusal-words.ts';
import type { VoteRow } from '../../store/records/votes.ts';
import { countingVotes, isDecided, voterOf } from '../access/count-votes.ts';
import { mayBreak } from '../access/glass-parts.ts';
import { sayNames } from '../access/say-names.ts';
import { decideOn, weightsOf } from '../access/weights.ts';
import type { Access } from '../context/access-port.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { freshMs } from '../context/time-limits.ts';
import { needsName } from './card.ts';
import { recordEntry } from './entry-of.ts';
import { type Operation, readOperation } from './read-operation.ts';

/** The votes on a request. Only this file writes them. */

export function mayWithdraw({ requester }: Operation, user: string, admins: readonly string[]): boolean {
  return user === requester || admins.includes(user);
}

/**
 * Approvers named by the rule and admins may approve; only the requester may confirm. Everybody who may
 * ask for the same here may confirm the request of a machine.
 */
export async function mayVote(context: Reading, operation: Operation, user: string, maxAgeMs?: number) {
  const { rule, requester, isSolo } = operation;
  const access = await voterOf(context, operation, user, maxAgeMs);
  const answer = mayApprove(rule, access.actor, requester, isSolo);
  if (answer.ok || operation.token === null || typeof rule === 'object') return { access, ...answer };
  if (mayAsk(context, operation, access)) return { access, ok: true } as const;
  return { access, ...answer, because: denials.mayNotAsk };
}

/** Whether the person may request the same here. */
export function mayAsk({ commands }: Pick<EngineContext, 'commands'>, operation: Operation, access: Access): boolean {
  const command = commands.find(({ path }) => path === operation.command);
  return command !== undefined && decideOn(access, weightsOf(command, operation.plan)).allowed;
}

type Reading = Pick<EngineContext, 'accessOf' | 'commands'>;

/**
 * Returns the votes after checking each again: the voter may have left the group or the team or lost the right since.
 * Only a certain no voids a vote; if Slack does not answer, the vote is omitted and `isUnsure` is true.
 */
export async function votesOfNow(context: EngineContext, asked: Operation) {
  const operation = await votedOn(context, asked);
  if (operation === undefined) return { votes: [], isEnough: false, isUnsure: false };
  const votes: VoteRow[] = [];
  let isUnsure = false;
  const cast = operation.rule === 'none' ? [] : await context.store.votes.list(operation.id);
  for (const vote of cast) {
    if (vote.isVoid) {
      votes.push(vote);
      continue;
    }
    const answer = await mayVote(context, operation, vote.userId, freshMs);
    if (answer.ok) votes.push(vote);
    else if (answer.access.isUnsure) isUnsure = true;
    else votes.push(await makeVoid(context, operation, vote, await sayNames(context.directory, answer.because)));
  }
  if (isGlassBroken(operation)) return glassOfNow(context, operation, votes);
  return { votes, isEnough: isDecided(operation.rule, votes), isUnsure };
}

/** The request on which the votes were cast: the standing approval of a run. Undefined if that one has ended. */
async function votedOn({ store }: EngineContext, operation: Operation): Promise<Operation | undefined> {
  const { when } = operation;
  if (when.kind !== 'run') return operation;
  const row = await store.operations.find(when.of);
  return row === undefined || isEnd(row.state) ? undefined : readOperation(row);
}

/** The broken glass replaces the votes, while the person who broke it still may. */
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
  const vote = { operationId: id, userId: glass.by, vote: 'approve', at: glass.at } as const;
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

/** False if the person's vote is counted already. `recordVotes` adds the audit entry. */
export function addVote({ store }: EngineContext, { id }: Operation, vote: Pick<VoteRow, 'at' | 'userId' | 'vote'>) {
  return store.votes.cast({ ...vote, operationId: id });
}

/** Records each vote once, and all of them: the process that stored an earlier one may have been killed before that. */
export async function recordVotes(context: EngineContext, operation: Operation, votes: readonly VoteRow[]) {
  for (const { userId, vote, at } of votes) {
    const done = `${vote === 'confirm' ? 'confirmed' : 'approved'}: ${operation.plan.title}`;
    const data = { solo: operation.isSolo && userId === operation.requester, at };
    await recordEntry(context, operation, 'vote', done, { actor: userId, data, unlessThere: 'same' });
  }
}

/** Copies the approvals that still count to the same request under a stricter rule, and returns their number. */
export async function keepVotes(context: EngineContext, from: Operation, to: Operation): Promise<number> {
  // The approvers of the first request did not type the name.
  if (needsName(to.rule) && !needsName(from.rule)) return 0;
  let kept = 0;
  for (const { userId, vote, at } of countingVotes(await context.store.votes.list(from.id))) {
    if (vote !== 'approve' || !(await mayVote(context, to, userId, freshMs)).ok) continue;
    await addVote(context, to, { userId, vote, at });
    kept += 1;
  }
  return kept;
}

/** Makes all approvals void, since they were given for something else. */
export async function voidVotes(context: EngineContext, { id }: Operation, why: string): Promise<void> {
  const { votes } = context.store;
  for (const { userId } of countingVotes(await votes.list(id))) await votes.void(id, userId, why);
}
