import { mayReadRequest } from '../../core/account/account.ts';
import { Refusal } from '../../core/view/errors.ts';
import type { Form } from '../../core/view/form.ts';
import type { Vote } from '../../core/view/intent.ts';
import type { Button, View, ViewPart } from '../../core/view/view.ts';
import { voterOf } from '../access/count-votes.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { namesOnCard } from '../operation/approvers.ts';
import { actOf, card } from '../operation/card.ts';
import { cardIsIn } from '../operation/card-links.ts';
import { type Operation, readStepLeniently } from '../operation/record.ts';
import { mayVote } from '../operation/vote-rules.ts';
import { backgroundOf } from './background.ts';
import { nameField, requestOf } from './ballot.ts';

/** A request opened from Home: a decision form if it waits for this person, else only the facts. */
export type Review =
  | { readonly vote: Vote; readonly form: Omit<Form, 'id'>; readonly operation: Operation }
  | { readonly view: View; readonly operation: Operation };

/** Shows the facts in the words of the card, so that no one decides on a title alone. */
export async function review(context: EngineContext, user: string, id: string): Promise<Review> {
  const operation = await requestOf(context, id);
  const mayDecide = await mayDecideOn(context, user, operation);
  if (!mayDecide) await mustBeAllowedToSee(context, user, operation);
  const { settings, store } = context;
  const { isPaused, admins } = settings;
  const steps = (await store.steps.list(id)).map(readStepLeniently);
  const names = await namesOnCard(context, operation);
  const shown = card(operation, steps, await store.votes.list(id), { isPaused, admins, isWhole: true, ...names });
  const facts: ViewPart[] = [
    ...shown.parts.filter(({ kind }) => kind !== 'buttons' && kind !== 'menu'),
    ...(operation.state === 'waiting' ? await backgroundOf(context, user, operation) : []),
    ...(await cardIsIn(context, operation)),
  ];
  if (!mayDecide) return { view: { ...shown, parts: facts }, operation };
  const isOwn = operation.rule === 'confirm';
  const [label, vote] = isOwn ? (['Withdraw…', 'withdraw'] as const) : (['Decline…', 'decline'] as const);
  const otherWay: Button = { label, intent: { do: 'vote', operation: id, vote }, style: 'danger', opens: true };
  return {
    vote: isOwn ? 'confirm' : 'approve',
    operation,
    form: {
      title: isOwn ? 'Confirm' : 'Approve',
      submit: isOwn ? shortAct(operation) : 'Approve',
      notes: [],
      about: [...facts, { kind: 'buttons', buttons: [otherWay] } satisfies ViewPart],
      fields: nameField(operation, 'approve'),
    },
  };
}

/** A submit button of Slack holds 24 characters. */
function shortAct(operation: Operation): string {
  const act = actOf(operation);
  return act.length <= 24 ? act : 'Confirm';
}

async function mayDecideOn(context: EngineContext, user: string, operation: Operation): Promise<boolean> {
  return operation.state === 'waiting' && mayVote(operation, await voterOf(context, operation, user)).ok;
}

/** Allows the deciders, the requester, and people who may read all of the request in its channel. */
export async function mustBeAllowedToOpen(context: EngineContext, user: string, operation: Operation): Promise<void> {
  if (!(await mayDecideOn(context, user, operation))) await mustBeAllowedToSee(context, user, operation);
}

async function mustBeAllowedToSee(
  context: Pick<EngineContext, 'accessOf' | 'directory'>,
  user: string,
  operation: Operation,
): Promise<void> {
  if (operation.requester === user) return;
  const isAllowed = await maySee(context, user, operation);
  if (isAllowed === true) return;
  if (isAllowed === undefined) {
    throw new Refusal('unavailable', 'Slack did not say whether you may see this request.', {
      hint: 'Try again in a minute.',
    });
  }
  throw new Refusal('not_yours', 'You may not see this request.');
}

/**
 * True for a member of the channel who may read everything that the request names; undefined if Slack did not answer.
 */
export async function maySee(
  context: Pick<EngineContext, 'accessOf' | 'directory'>,
  user: string,
  { channel, plan }: Operation,
): Promise<boolean | undefined> {
  const isIn = await context.directory.isInChannel(channel, user).catch(() => undefined);
  if (isIn !== true) return isIn;
  const access = await context.accessOf(user, channel);
  return mayReadRequest(plan, access) || (access.isUnsure ? undefined : false);
}
