import { endStates, isEnd, type OperationState, openStates } from '../../core/plan/operation.ts';
import { sayRan } from '../../core/plan/say-when.ts';
import { lettersIn } from '../../core/text/words.ts';
import { badValue, Refusal } from '../../core/view/errors.ts';
import type { Vote } from '../../core/view/intent.ts';
import { countingVotes } from '../access/count-votes.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { ownWords } from '../context/typed-line.ts';
import { announceEnd } from '../operation/announce-end.ts';
import { redraw, show } from '../operation/create.ts';
import { end } from '../operation/end.ts';
import { ends } from '../operation/ends.ts';
import { recordEntry } from '../operation/entry-of.ts';
import { type Operation, readNow, requestOf } from '../operation/read-operation.ts';
import { addVote, mayVote, mayWithdraw } from '../operation/votes.ts';
import { moveHour, runNow } from '../time/move.ts';
import { type Ballot, closedWords, mustBeInTime, mustBePressedNow, mustNameIt, refuseVote, whyNot } from './ballot.ts';
import { breakGlass, closeGlass } from './break-glass.ts';
import { closeNotices, reopenNotices } from './notices.ts';
import { decide } from './propose-again.ts';
import { maySee } from './review.ts';

/** Clicks interrupted by a crash are resumed within ten minutes (intake.ts); earlier ends have been announced. */
const retakenWithinMs = 15 * 60_000;

/**
 * Handles a click on a card. The opaque id finds the request; the loser of a race gets the present state. Throws a
 * Refusal, which only the person who clicked sees.
 */
export async function castVote(context: EngineContext, ballot: Ballot): Promise<void> {
  const operation = await requestOf(context, ballot.operation);
  const { cast, states } = casts[ballot.vote];
  if (states.includes(operation.state)) return cast(context, operation, ballot);
  // A click resumed after a crash: the decision is stored, but its card may be old and no turn may have been woken.
  const endedForMs = operation.endedAt === null ? 0 : context.now() - operation.endedAt;
  if (operation.endedAt !== null && endedForMs < retakenWithinMs) await announceEnd(context, operation);
  else await redraw(context, operation.id);
  context.wake(operation.id);
  if (ballot.isAgain && (await isCast(context, operation, ballot))) return;
  throw new Refusal('closed', closedWords(operation));
}

/** True if the click has already had its effect. */
async function isCast(context: EngineContext, { id, state, glass }: Operation, { user, vote }: Ballot) {
  if (vote === 'glass') return glass?.by === user;
  if (vote === 'decline') return state === 'declined';
  if (vote === 'withdraw') return state === 'withdrawn';
  if (vote === 'stop' || vote === 'continue' || vote === 'now' || vote === 'move' || vote === 'change') return true;
  return countingVotes(await context.store.votes.list(id)).some(({ userId }) => userId === user);
}

type Cast = (context: EngineContext, operation: Operation, ballot: Ballot) => Promise<void>;

/** The states of a request with an hour that has not come. */
const ahead: readonly OperationState[] = ['scheduled', 'standing'];

/** The states in which each vote counts. */
const casts: Readonly<Record<Vote, { readonly cast: Cast; readonly states: readonly OperationState[] }>> = {
  confirm: { cast: approve, states: ['waiting'] },
  approve: { cast: approve, states: ['waiting'] },
  decline: { cast: decline, states: ['waiting'] },
  change: { cast: decline, states: ['waiting'] },
  withdraw: { cast: withdraw, states: ['waiting', ...ahead] },
  stop: { cast: stop, states: openStates },
  continue: { cast: continueOperation, states: openStates },
  now: { cast: toHour(runNow), states: ['scheduled'] },
  move: { cast: toHour(moveHour), states: ['scheduled'] },
  glass: { cast: breakGlass, states: ['waiting'] },
  found: { cast: closeGlass, states: [...openStates, ...endStates] },
};

/** Another hour for a scheduled request, which its approvers are asked for again. */
function toHour(move: typeof runNow): Cast {
  return async (context, operation, ballot) => {
    const { user } = ballot;
    const why = user === operation.requester ? undefined : await whyNot(context, { operation, user, to: 'move' });
    if (why !== undefined) throw new Refusal('not_yours', why);
    mustBePressedNow(ballot);
    const asksAgain = await move(context, operation, ballot);
    if (asksAgain !== undefined) await reopenNotices(context, asksAgain);
  };
}

/** Stops the operation: no further step begins; a step under way is followed to its end. */
export async function stop(context: EngineContext, operation: Operation, ballot: Ballot): Promise<void> {
  const { user } = ballot;
  const { store } = context;
  const waits = `${operation.plan.title} waits for a decision and is not running.`;
  const hint = 'Decline or withdraw it on its card.';
  if (operation.state === 'waiting') throw new Refusal('impossible', waits, { hint });
  if (ahead.includes(operation.state)) return callOff(context, operation, ballot);
  const why = await whyNotStop(context, operation, user);
  if (why !== undefined) throw new Refusal('not_yours', why);
  await recordEntry(context, operation, 'stop', `stopped: ${operation.plan.title}`, {
    actor: user,
    change: (on) => store.operations.stop(operation.id, user, on),
  });
  await show(context, operation.id);
}

/**
 * The requester, admins, deciders, and people who may request the same here may stop an operation; while it counts
 * down, everybody who may read it here. Returns the reason if `user` may not.
 */
export async function whyNotStop(context: EngineContext, operation: Operation, user: string) {
  if (user === operation.requester || context.settings.admins.includes(user)) return undefined;
  // While it counts down, and until its first step begins.
  const isBeforeIt = operation.readyAt !== null && operation.startedAt === null;
  if (isBeforeIt && (await maySee(context, user, operation)) === true) return undefined;
  return whyNot(context, { operation, user, to: 'stop' });
}

async function continueOperation(context: EngineContext, operation: Operation, ballot: Ballot): Promise<void> {
  const { title } = operation.plan;
  if (operation.heldAt === null) {
    if (ballot.isAgain) return;
    throw new Refusal('closed', `${title} is not waiting for anybody; it continues.`);
  }
  if (context.settings.isPaused)
    throw new Refusal('impossible', 'The bot is paused (HOSTLER_PAUSED): nothing begins until it is started without.');
  await mustBeAllowed(context, operation, ballot);
  mustBePressedNow(ballot);
  mustNameIt(operation, ballot);
  await recordEntry(context, operation, 'continued', `continued: ${title}`, {
    actor: ballot.user,
    data: { since: operation.heldAt },
    change: (on) => context.store.operations.release(operation.id, ballot.at, on),
  });
  await show(context, operation.id);
}

async function approve(context: EngineContext, operation: Operation, ballot: Ballot): Promise<void> {
  const { store } = context;
  await mustBeAllowed(context, operation, ballot);
  mustBePressedNow(ballot);
  mustNameIt(operation, ballot);
  await mustBeInTime(context, operation);
  const { user: userId, at } = ballot;
  const vote = ballot.vote === 'confirm' ? 'confirm' : 'approve';
  const isFirst = await addVote(context, operation, { userId, vote, at });
  if (!isFirst && !ballot.isAgain) {
    context.wake(operation.id);
    throw new Refusal('closed', 'Your vote on this is counted already.');
  }
  // The machine may sleep between the check of the time and the storing of the vote.
  await mustBeInTime(context, operation);
  const isDone = await decide(context, operation, await store.votes.list(operation.id));
  await redraw(context, operation.id);
  if (!isDone) await closeNotices(context, operation, ballot.user);
  context.wake(operation.id);
}

/** Also asks for changes, which ends the request at once: one that should be different must not be approved meanwhile. */
async function decline(context: EngineContext, operation: Operation, ballot: Ballot): Promise<void> {
  await mustBeAllowed(context, operation, ballot);
  const isSentBack = ballot.vote === 'change';
  if (isSentBack) await mustBeInTime(context, operation);
  // Also where Slack opened no form for the line that the vote needs.
  const asks = isSentBack ? 'Write what should be different.' : 'Write why not.';
  if (lettersIn(ballot.words ?? '') === 0) throw badValue(asks, 'Its requester reads it.', 'words');
  const words = ownWords(context, ballot.words ?? '', 'words');
  const { name } = await context.directory.person(ballot.user);
  const ending = isSentBack
    ? ({ endText: ends.sentBack(name, words), isSentBack } as const)
    : { endText: ends.declined(name, words) };
  await close(context, operation, ballot, 'declined', ending);
}

async function withdraw(context: EngineContext, operation: Operation, ballot: Ballot): Promise<void> {
  if (operation.state !== 'waiting') return callOff(context, operation, ballot);
  if (!mayWithdraw(operation, ballot.user, context.settings.admins))
    throw new Refusal('not_yours', 'Only the person who asked can withdraw this.');
  const isOwn = ballot.user === operation.requester;
  const name = isOwn ? undefined : (await context.directory.person(ballot.user)).name;
  await close(context, operation, ballot, 'withdrawn', { endText: ends.withdrawn(name) });
}

/** Ends a scheduled request before its hour, or a standing approval. Checks the right to stop it. */
async function callOff(context: EngineContext, operation: Operation, ballot: Ballot): Promise<void> {
  const why = await whyNotStop(context, operation, ballot.user);
  if (why !== undefined) throw new Refusal('not_yours', why);
  const { name } = await context.directory.person(ballot.user);
  const { when } = operation;
  const endText = when.kind === 'weekly' ? ends.standing.stoppedBy(name, sayRan(when)) : ends.calledOff(name);
  await close(context, operation, ballot, 'withdrawn', { endText });
}

async function close(
  context: EngineContext,
  operation: Operation,
  ballot: Ballot,
  to: 'declined' | 'withdrawn',
  ending: Parameters<typeof end>[4],
): Promise<void> {
  const from = ahead.includes(operation.state) ? operation.state : 'waiting';
  const isEndedHere = await end(context, operation, from, to, ending, ballot.user);
  const now = await readNow(context, operation);
  // Announced here, not in a turn, so that the person sees the end at once; after a crash, this click is resumed.
  if (isEnd(now.state)) await announceEnd(context, now);
  else await redraw(context, operation.id);
  context.wake(operation.id);
  if (!isEndedHere) throw new Refusal('closed', closedWords(now));
}

export async function mustBeAllowed(
  context: EngineContext,
  operation: Operation,
  { user, vote }: Pick<Ballot, 'user' | 'vote'>,
): Promise<void> {
  const answer = await mayVote(context, operation, user);
  const { actor, isUnsure } = answer.access;
  // Requesters may always decline their own requests.
  if (answer.ok || (vote === 'decline' && user === operation.requester && actor.membership === 'member')) return;
  await refuseVote(context, operation, { user, vote }, { because: answer.because, isUnsure });
}
