import { isOrderOrDomain, mayKnow, mayReadRequest, targetKey } from '../../core/account/account.ts';
import { mostUrgentFirst } from '../../core/alert/alert.ts';
import { maySeeAlert } from '../../core/alert/alert-rule.ts';
import { stateSign, stateWords } from '../../core/plan/say-state.ts';
import { submitLabel } from '../../core/plan/say-when.ts';
import { day, firstFew, firstLines } from '../../core/text/words.ts';
import { Refusal } from '../../core/view/errors.ts';
import type { UnopenedForm } from '../../core/view/form.ts';
import type { Vote } from '../../core/view/intent.ts';
import { severitySigns } from '../../core/view/signs.ts';
import { type Button, fieldsPart, joined, type Text, text, type View, type ViewPart } from '../../core/view/view.ts';
import { channelsOf } from '../access/access.ts';
import { countingVotes } from '../access/count-votes.ts';
import { approversWithout } from '../access/decide-plan.ts';
import { personName } from '../access/say-names.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { actOf, card } from '../operation/card.ts';
import { cardIsIn } from '../operation/card-links.ts';
import { namesOnCard } from '../operation/card-names.ts';
import { type Operation, readOperationLeniently, readStepLeniently, requestOf } from '../operation/read-operation.ts';
import { mayVote } from '../operation/votes.ts';
import { nameField } from './ballot.ts';

/** A request opened from Home: a decision form if it waits for this person, else only the facts. */
type Review =
  | { readonly vote: Vote; readonly form: UnopenedForm; readonly operation: Operation }
  | { readonly view: View; readonly operation: Operation };

/** Shows the facts in the words of the card, so that no one decides on a title alone. */
export async function review(context: EngineContext, user: string, id: string): Promise<Review> {
  const operation = await requestOf(context, id);
  const mayDecide = await mustBeAllowedToOpen(context, user, operation);
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
  const title = isOwn ? 'Confirm' : 'Approve';
  const act = submitLabel(actOf(operation), operation);
  const [label, vote] = isOwn ? (['Withdraw…', 'withdraw'] as const) : (['Decline…', 'decline'] as const);
  const otherWay: Button = { label, intent: { do: 'vote', operation: id, vote }, style: 'danger', opens: true };
  return {
    vote: isOwn ? 'confirm' : 'approve',
    operation,
    form: {
      title,
      submit: isOwn && act.length <= mostInSubmit ? act : title,
      notes: [],
      about: [...facts, { kind: 'buttons', buttons: [otherWay] } satisfies ViewPart],
      fields: nameField(operation, 'approve'),
    },
  };
}

/** Slack's limit of characters in a submit button. */
const mostInSubmit = 24;

/** Allows the deciders, the requester, and readers of all of it in its channel. True for a decider while it waits. */
export async function mustBeAllowedToOpen(context: EngineContext, user: string, operation: Operation) {
  if (operation.state === 'waiting' && (await mayVote(context, operation, user)).ok) return true;
  const isAllowed = operation.requester === user || (await maySee(context, user, operation));
  if (isAllowed === false) throw new Refusal('not_yours', 'You may not see this request.');
  if (isAllowed === true) return false;
  const hint = 'Try again in a minute.';
  throw new Refusal('unavailable', 'Slack did not say whether you may see this request.', { hint });
}

/** True for a member of the channel who may read all that the request names; undefined if Slack did not answer. */
export async function maySee(context: EngineContext, user: string, { channel, plan }: Operation) {
  const isIn = await context.directory.isInChannel(channel, user).catch(() => undefined);
  if (isIn !== true) return isIn;
  const access = await context.accessOf(user, channel);
  return mayReadRequest(plan, access) || (access.isUnsure ? undefined : false);
}

/** Facts for a decision that are not part of the request: earlier changes of its targets, and the other approvers. */

const mostShown = 3;
const mostNamed = 8;
/** Requests of more than a day are not read, nor are more than this. */
const mostRead = 200;
/** More open alerts than this are a flood, of which only the first are searched. */
const mostOpen = 500;

async function backgroundOf(context: EngineContext, user: string, operation: Operation): Promise<ViewPart[]> {
  const about = new Set(operation.plan.targets.filter(isOrderOrDomain).map(targetKey));
  const asked = othersWhoDecide(context, user, operation);
  if (about.size === 0) return fieldsPart([['Can decide, too', await asked]]);
  const read = [endedToday(context, user, operation, about), openAlerts(context, user, about), asked] as const;
  const [ended, alerts, others] = await Promise.all(read);
  return fieldsPart([
    ['Last 24 hours', lines(ended, 'No request ended.')],
    ['Open alerts', lines(alerts, 'None')],
    ['Can decide, too', others],
  ]);
}

function lines(all: readonly Text[], none: string): Text {
  if (all.length === 0) return none;
  return joined(firstLines(all, mostShown), '\n');
}

/** `🔴 Start web-1 · failed · @operator · 10:24`, the newest first; only what the person may read. */
async function endedToday(
  { store, accessOf, now }: EngineContext,
  user: string,
  { id, channel }: Operation,
  about: ReadonlySet<string>,
): Promise<Text[]> {
  const access = await accessOf(user, channel);
  const rows = await store.operations.list({ open: false, limit: mostRead });
  return rows
    .map(readOperationLeniently)
    .filter((candidate) => candidate.id !== id && (candidate.endedAt ?? 0) > now() - day)
    .filter(({ plan }) => plan.targets.some((target) => about.has(targetKey(target))))
    .filter(({ plan, requester }) => mayKnow({ ...plan, requester }, user, access))
    .toSorted((a, b) => (b.endedAt ?? 0) - (a.endedAt ?? 0))
    .map(({ plan, state, requester: user, endedAt }) => {
      const ended = { date: endedAt ?? 0, style: 'full' } as const;
      return text(`${stateSign(state)} ${plan.title} · ${stateWords[state]} · `, { user }, ' · ', ended);
    });
}

/** `🔴 db-1 is off · since 10:22`, the most urgent first; only of channels whose alerts the person may read. */
async function openAlerts(context: EngineContext, user: string, about: ReadonlySet<string>): Promise<Text[]> {
  const [rows, { accesses }] = await Promise.all([
    context.store.alerts.listOpen({ limit: mostOpen }),
    channelsOf(context, user),
  ]);
  const open = rows.filter(({ finding }) => about.has(targetKey(finding.target))).toSorted(mostUrgentFirst);
  const seen = open.filter((alert) => {
    const access = accesses.get(alert.channel);
    return access !== undefined && maySeeAlert(alert, context.alertRules, access);
  });
  // Several channels have the same alert.
  const unique = new Map(seen.map((alert) => [alert.finding.title, alert]));
  return [...unique.values()].map(({ severity, finding, openedAt }) =>
    text(`${severitySigns[severity]} ${finding.title} · since `, { date: openedAt, style: 'full' }),
  );
}

/** The names of the other approvers who have not voted; undefined if no one approves, or if Slack cannot name them. */
async function othersWhoDecide(context: EngineContext, user: string, operation: Operation) {
  const { rule, isSolo, requester, state } = operation;
  if (state !== 'waiting' || typeof rule !== 'object') return undefined;
  const voted = countingVotes(await context.store.votes.list(operation.id)).map(({ userId }) => userId);
  const possible = await approversWithout(context, requester, { rule, isSolo });
  if (possible === undefined) return undefined;
  const others = possible.filter((approver) => approver !== user && !voted.includes(approver));
  if (others.length === 0) return 'Nobody else';
  const named = await Promise.all(others.slice(0, mostNamed).map((approver) => personName(context, approver)));
  return firstFew([...named, ...others.slice(mostNamed)], mostNamed);
}
