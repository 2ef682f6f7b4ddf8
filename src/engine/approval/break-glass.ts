import type { Glass } from '../../core/plan/broken-glass.ts';
import { isEnd } from '../../core/plan/operation.ts';
import { leastGlassWords } from '../../core/policy/may-break-glass.ts';
import { lettersIn } from '../../core/text/words.ts';
import { impossible, Refusal } from '../../core/view/errors.ts';
import { mustNotBeFrozen } from '../access/frozen.ts';
import { mayBreak, whyNoGlass } from '../access/glass-parts.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { ownWords } from '../context/typed-line.ts';
import { redraw, show } from '../operation/create.ts';
import { findOperation, type Operation, readNow } from '../operation/read-operation.ts';
import { mayVote } from '../operation/votes.ts';
import { announceClosed, reminderAfter, remindOfGlass } from './announce-glass.ts';
import { type Ballot, mustBeInTime, mustBePressedNow, mustNameIt, refuseVote } from './ballot.ts';
import { decide } from './propose-again.ts';

/** Runs a waiting request at once, without approvals and countdown; rights, freezes, pins, locks and checks hold. */
export async function breakGlass(context: EngineContext, operation: Operation, ballot: Ballot): Promise<void> {
  const { id, channel, plan } = operation;
  const { user, at } = ballot;
  await mustBeAllowedToBreak(context, operation, user);
  mustBePressedNow(ballot);
  mustNameIt(operation, ballot);
  const why = glassWords(context, ballot.reason, 'Say why in at least ten letters or digits.');
  await mustBeInTime(context, operation);
  const broken = await context.store.glass.break({ id, channel, from: operation.glass }, { by: user, at, why });
  if (broken.how === 'barred') throw await barred(context, broken.by);
  const now = await readNow(context, operation);
  const isOwn = now.glass?.by === user && now.glass.at === at;
  if (broken.how === 'changed' && !isOwn) throw new Refusal('closed', `${plan.title} was decided meanwhile.`);
  if (now.state === 'waiting') await decide(context, now, await context.store.votes.list(id));
  await show(context, id);
}

export async function mustBeAllowedToBreak(context: EngineContext, operation: Operation, user: string): Promise<void> {
  const whyNot = whyNoGlass(operation);
  if (whyNot !== undefined)
    throw new Refusal('impossible', `The glass cannot be broken for ${operation.plan.title}: ${whyNot}.`);
  await mustHaveNoOpenGlass(context, operation);
  await mustNotBeFrozen(context, operation.channel, operation.plan.targets);
  const may = await mayBreak(context, operation, user);
  if (!may.ok) await refuseVote(context, operation, { user, vote: 'glass' }, may);
}

/** Refuses while the glass of another request in the channel is open. */
export async function mustHaveNoOpenGlass(context: EngineContext, { id, channel }: Pick<Operation, 'channel' | 'id'>) {
  const open = await context.store.glass.openIn(channel);
  if (open !== undefined && open !== id) throw await barred(context, open);
}

async function barred(context: EngineContext, by: string): Promise<Refusal> {
  const title = (await findOperation(context, by))?.plan.title ?? 'another request';
  return new Refusal('impossible', `The glass is broken in this channel for ${title}, so no other one can be.`, {
    hint: 'Somebody else closes that one first, on its card.',
  });
}

function glassWords(context: EngineContext, typed: string | undefined, refusal: string): string {
  const words = ownWords(context, typed ?? '', 'reason');
  if (lettersIn(words) < leastGlassWords) throw new Refusal('bad_value', refusal, { field: 'reason' });
  return words;
}

/** Closes the broken glass with what somebody else found. */
export async function closeGlass(context: EngineContext, operation: Operation, ballot: Ballot): Promise<void> {
  const { id, glass } = operation;
  const { user, at } = ballot;
  if (ballot.isAgain === true && glass?.closed?.by === user) return announceClosed(context, operation, glass);
  const open = await mustBeAllowedToClose(context, operation, user);
  const finding = glassWords(context, ballot.reason, 'Say what you found in at least ten letters or digits.');
  const closed = { ...open, closed: { by: user, at, found: finding } };
  if (!(await context.store.glass.close(id, open, closed))) mustBeOpen(await readNow(context, operation));
  await announceClosed(context, operation, closed);
  await show(context, id);
}

export async function mustBeAllowedToClose(context: EngineContext, operation: Operation, user: string): Promise<Glass> {
  const { plan, glass } = operation;
  if (glass === null) throw new Refusal('closed', `Nobody broke the glass for ${plan.title}.`);
  mustBeOpen(operation);
  if (user === glass.by)
    throw new Refusal('not_yours', 'You broke the glass, so somebody else closes it.', {
      hint: 'An approver of the request or an admin can.',
    });
  if (!(await mayVote(context, operation, user)).ok)
    throw new Refusal('not_yours', 'Only an approver of this request or an admin closes the broken glass.');
  if (!isEnd(operation.state)) throw impossible(`${plan.title} has not ended yet.`, 'Close it when its end is known.');
  return glass;
}

function mustBeOpen({ glass, plan }: Operation): void {
  if (glass?.closed === undefined) return;
  throw new Refusal('closed', `The broken glass of ${plan.title} is closed already: “${glass.closed.found}”.`);
}

/**
 * Reminds of the broken glass of a request that has ended, and closes it if nothing was done. Returns the time until
 * the next reminder, or null when it is closed.
 */
export async function followGlass(context: EngineContext, operation: Operation): Promise<number | null> {
  const { id, glass, startedAt, endedAt } = operation;
  if (glass === null) return null;
  if (glass.closed !== undefined) {
    await announceClosed(context, operation, glass);
    await redraw(context, id);
    return null;
  }
  if (startedAt === null) {
    const closed = { ...glass, closed: { by: null, at: endedAt ?? context.now(), found: 'Nothing was done.' } };
    await context.store.glass.close(id, glass, closed);
    return 1;
  }
  const elapsedMs = context.now() - glass.at;
  const { due, nextMs } = reminderAfter(elapsedMs);
  await remindOfGlass(context, operation, glass, due);
  return Math.max(1, nextMs - elapsedMs);
}
