import { sentenceStart } from '../../core/text/words.ts';
import { ProviderError, Refusal } from '../../core/view/errors.ts';
import { notice } from '../../core/view/view.ts';
import { decideOnPlan } from '../access/decide-plan.ts';
import { sayNames } from '../access/say-names.ts';
import { actionAt, type EngineContext } from '../context/engine-context.ts';
import { operationId } from '../context/request.ts';
import { freshMs, laterMs } from '../context/time-limits.ts';
import { proposeFor, redraw } from '../operation/create.ts';
import { planAgain } from '../operation/plan-again.ts';
import { findOperation, type Operation } from '../operation/read-operation.ts';
import { notifyThread } from '../operation/thread.ts';
import { addVote, keepVotes } from '../operation/votes.ts';
import { graceOf } from './windows.ts';

/**
 * Requests the reverse of a request that was done until an hour: the start of a server that was stopped until Monday. Its
 * requester has confirmed both; approvals count for it as far as its own rule accepts them. Returns the time until a
 * retry; null once it is requested. A crash repeats it.
 */
export async function requestReverse(context: EngineContext, first: Operation): Promise<number | null> {
  const { id: firstId, plan, state, requester, channel, when } = first;
  const path = actionAt(context, first)?.reverse;
  const command = path === undefined ? undefined : actionAt(context, { command: path });
  if (plan.until === undefined || state !== 'done' || command === undefined) return null;
  const [servers = ''] = Object.keys(command.args);
  const args = { [servers]: plan.targets.map(({ id }) => id) };
  const not = async (why: string) => {
    const words = `${sentenceStart(command.path)} at the end was not requested: ${why}`;
    await notifyThread(context, first, `reverse:${firstId}`, notice('warning', words));
    return null;
  };
  const id = operationId(`reverse:${firstId}`);
  const keep = async (made: Operation) => {
    const at = first.decidedAt ?? first.createdAt;
    const isOwn = made.state === 'waiting' && made.rule === 'confirm';
    if (isOwn) await addVote(context, made, { userId: requester, vote: 'confirm', at });
    else if (made.state === 'waiting' && (await keepVotes(context, first, made)) > 0) await redraw(context, id);
    context.wake(id);
    return null;
  };
  const there = await findOperation(context, id);
  if (there !== undefined) return keep(there);
  const access = await context.accessOf(requester, channel, freshMs);
  try {
    const { plan: reverse, canonical } = await planAgain(context, { ...first, args }, command, access);
    if (reverse.nothingToDo !== undefined) return await not(reverse.nothingToDo);
    const decision = await decideOnPlan(context, access, command, reverse);
    if (!decision.allowed && access.isUnsure) return laterMs;
    if (!decision.allowed) return await not(`${await sayNames(context.directory, decision.because)}.`);
    const { rule } = decision;
    const { timeZone } = when.kind === 'now' ? await context.directory.person(requester) : when;
    const hour = { words: '', timeZone: timeZone ?? 'UTC', graceMs: graceOf(rule), ifFrozen: 'wait' } as const;
    const made = await proposeFor(context, first, {
      id,
      askedAt: first.decidedAt ?? first.createdAt,
      command,
      canonical,
      plan: reverse,
      rule,
      isSolo: decision.isSolo,
      policyVersion: decision.policyVersion,
      hour: { startsAt: plan.until, when: { kind: 'at', ...hour } },
    });
    return await keep(made);
  } catch (error) {
    if (error instanceof ProviderError) return laterMs;
    if (!(error instanceof Refusal)) throw error;
    return access.isUnsure ? laterMs : not(error.message);
  }
}
