import { theHour } from '../../core/grammar/take-time.ts';
import { defined } from '../../core/text/defined.ts';
import { Refusal } from '../../core/view/errors.ts';
import { closedWords } from '../approval/ballot.ts';
import { commandAt, type EngineContext } from '../context/engine-context.ts';
import type { Place } from '../context/request.ts';
import { timingArgs } from '../operation/next-buttons.ts';
import { type Operation, requestOf } from '../operation/read-operation.ts';
import { mayWithdraw } from '../operation/votes.ts';

/** Returns the request to replace, which must be waiting and which this person may withdraw. */
export async function mustBeReplaceable(context: EngineContext, id: string, actor: string): Promise<Operation> {
  const operation = await requestOf(context, id);
  if (operation.state !== 'waiting') throw new Refusal('closed', closedWords(operation));
  if (!mayWithdraw(operation, actor, context.settings.admins)) {
    throw new Refusal('not_yours', 'Only the person who asked, or an admin, can replace this request.', {
      hint: 'Nothing was requested. It still waits for a decision.',
    });
  }
  return operation;
}

/** The place and the line of a waiting request, to ask for the same otherwise. */
export async function lineToReplace(context: EngineContext, id: string, actor: string) {
  const operation = await mustBeReplaceable(context, id, actor);
  const { args, plan, channel, thread } = operation;
  const command = commandAt(context, operation.command);
  if (command === undefined) throw new Refusal('not_found', 'This version of the bot no longer has this command.');
  const place: Place = { channel, kind: 'channel', ...(thread === null ? {} : { thread }) };
  const raw = { ...args, ...timingArgs(operation) };
  const line = { kind: 'command', command, raw, missing: [theHour], isShared: false } as const;
  return { place, line: { ...line, ...defined({ reason: plan.reason }) } };
}
