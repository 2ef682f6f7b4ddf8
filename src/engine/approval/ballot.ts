import { defined } from '../../core/text/defined.ts';
import { Refusal } from '../../core/view/errors.ts';
import type { Field } from '../../core/view/form.ts';
import type { Vote } from '../../core/view/intent.ts';
import { voterOf } from '../access/count-votes.ts';
import { commandAt, type EngineContext } from '../context/engine-context.ts';
import { pressAgain } from '../context/press-again.ts';
import { needsName } from '../operation/card.ts';
import { type Operation, readOperation } from '../operation/record.ts';
import { mayVote } from '../operation/vote-rules.ts';

export interface Ballot {
  readonly operation: string;
  readonly user: string;
  readonly vote: Vote;
  /**
   * The time at which the bot received the click. The vote counts from then, even if the machine sleeps before it is
   * stored.
   */
  readonly at: number;
  /** The time of the click, if Slack delivered it late. */
  readonly saidAt?: number;
  /** The reason for declining, or the typed name. */
  readonly words?: string;
  /** Why the glass is broken, or what was found. */
  readonly reason?: string;
  /** True if a crash interrupted this click: do not report effects that it already had. */
  readonly isAgain?: boolean;
}

/** The request of a button, in any state. */
export async function requestOf({ store }: Pick<EngineContext, 'store'>, id: string): Promise<Operation> {
  const row = await store.operations.find(id);
  if (row === undefined) throw new Refusal('closed', 'This request is no longer available.');
  return readOperation(row);
}

/** The request as it is now, after a write. */
export async function readNow({ store }: Pick<EngineContext, 'store'>, operation: Operation): Promise<Operation> {
  const row = await store.operations.find(operation.id);
  return row ? readOperation(row) : operation;
}

/** The approvers and people who may request the same here may stop or move it; returns the reason if `user` may not. */
export async function whyNot(
  context: EngineContext,
  { operation, user, to }: { readonly operation: Operation; readonly user: string; readonly to: 'stop' | 'move' },
): Promise<string | undefined> {
  const access = await voterOf(context, operation, user);
  if (mayVote(operation, access).ok) return undefined;
  const command = commandAt(context, operation.command);
  const mayAsk = command && access.decide(command.capability, command.risk, operation.plan.targets).allowed;
  if (mayAsk === true) return undefined;
  return `You may not ${to} ${operation.plan.title}: only its requester, its approvers and people who may ask for the same here may.`;
}

/** Refuses a late click that would start work. A late decline, withdrawal or stop counts. */
export function mustBePressedNow({ at, saidAt }: Ballot): void {
  const words = pressAgain({ at, ...defined({ saidAt }) });
  if (words !== undefined) throw new Refusal('impossible', words);
}

/** The field for the name of the target, where the rule demands it. */
export function nameField({ rule, plan }: Operation, to: string): Field[] {
  if (!needsName(rule)) return [];
  return [{ name: 'words', label: `Type ${plan.typedName ?? 'the name'} to ${to}`, widget: 'text', optional: false }];
}

/** The name of the target, typed, where the rule demands it. */
export function mustNameIt({ rule, plan: { typedName } }: Operation, { words }: Ballot): void {
  if (!needsName(rule) || typedName === undefined || words?.trim().toLowerCase() === typedName.toLowerCase()) return;
  throw new Refusal('bad_value', 'That is not the name.', { hint: `Type ${typedName} exactly.`, field: 'words' });
}
