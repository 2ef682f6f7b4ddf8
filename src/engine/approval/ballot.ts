import { isEnd } from '../../core/plan/operation.ts';
import { sayDuration } from '../../core/text/words.ts';
import { Refusal } from '../../core/view/errors.ts';
import type { Field } from '../../core/view/form.ts';
import type { Vote } from '../../core/view/intent.ts';
import type { Text } from '../../core/view/view.ts';
import { sayNames } from '../access/say-names.ts';
import type { EngineContext } from '../context/engine-context.ts';
import type { Request } from '../context/request.ts';
import { needsName } from '../operation/card.ts';
import { end } from '../operation/end.ts';
import { endSentenceOf, ends } from '../operation/ends.ts';
import { recordEntry } from '../operation/entry-of.ts';
import type { Operation } from '../operation/read-operation.ts';
import { readNow } from '../operation/read-operation.ts';
import { mayAsk, mayVote } from '../operation/votes.ts';
import type { Click } from '../time/move.ts';

export interface Ballot extends Click {
  readonly operation: string;
  readonly vote: Vote;
  /** The time of the click, if Slack delivered it late. */
  readonly saidAt?: number;
  /** Why the glass is broken, or what was found. */
  readonly reason?: string;
}

/** The approvers and people who may request the same here may stop or move it; returns the reason if `user` may not. */
export async function whyNot(
  context: EngineContext,
  { operation, user, to }: { readonly operation: Operation; readonly user: string; readonly to: 'stop' | 'move' },
): Promise<string | undefined> {
  const { ok, access } = await mayVote(context, operation, user);
  if (ok) return undefined;
  if (mayAsk(context, operation, access)) return undefined;
  return `You may not ${to} ${operation.plan.title}: only its requester, its approvers and people who may ask for the same here may.`;
}

/** Refuses a late click that would start work. A late decline, withdrawal or stop counts. */
export function mustBePressedNow(ballot: Ballot): void {
  const words = pressAgain(ballot);
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

/** The response to a late click; undefined if the click is not late. */
export function pressAgain({ at, saidAt }: Pick<Request, 'at' | 'saidAt'>): Text | undefined {
  if (saidAt === undefined) return undefined;
  return [
    'You pressed this at ',
    { date: saidAt },
    `, ${sayDuration(at - saidAt)} ago. Press it again if you still want it.`,
  ];
}

/** Ends the request and returns true if its time to decide has passed. */
export async function expire(context: EngineContext, operation: Operation): Promise<boolean> {
  if ((operation.expiresAt ?? 0) > context.now()) return false;
  await end(context, operation, 'waiting', 'expired', { endText: ends.expired(operation.rule) });
  return true;
}

export function closedWords(operation: Operation): string {
  if (operation.state === 'scheduled') return `${operation.plan.title} is scheduled already.`;
  // Another person moved it, so it needs its approvals again.
  if (operation.state === 'waiting') return `${operation.plan.title} was changed meanwhile and waits for a decision.`;
  if (operation.state === 'standing') return `${operation.plan.title} has its standing approval already.`;
  return isEnd(operation.state)
    ? `This has ended already. ${endSentenceOf(operation)}`
    : `${operation.plan.title} has been decided already and is under way.`;
}

export async function mustBeInTime(context: EngineContext, operation: Operation): Promise<void> {
  if (!(await expire(context, operation))) return;
  context.wake(operation.id);
  throw new Refusal('closed', closedWords(await readNow(context, operation)));
}

const actOfVote: Readonly<Partial<Record<Vote, string>>> = {
  change: 'ask for changes to this',
  glass: 'break the glass',
};

/** Refuses a person who may not cast this vote. Without an answer of Slack, that is not known. */
export async function refuseVote(
  context: EngineContext,
  operation: Operation,
  { user, vote }: Pick<Ballot, 'user' | 'vote'>,
  { because, isUnsure }: { readonly because: Text; readonly isUnsure: boolean },
): Promise<never> {
  const act = actOfVote[vote] ?? `${vote} this`;
  const asked = vote === 'glass' ? act : 'decide this';
  const hint = 'Your click was not counted. Click again in a minute.';
  if (isUnsure) throw new Refusal('unavailable', `Slack could not be asked whether you may ${asked}.`, { hint });
  const why = await sayNames(context.directory, because);
  await recordEntry(context, operation, 'vote_refused', `${vote}: ${why}`, { actor: user });
  throw new Refusal('not_yours', `You cannot ${act}: ${why}.`);
}
