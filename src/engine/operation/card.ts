import { ticketButton } from '../../core/alert/ticket-button.ts';
import type { OperationState } from '../../core/plan/operation.ts';
import { sayAsker, stateSign, stateWords } from '../../core/plan/say-state.ts';
import { decideLabel, sayAgain, titleWithHour } from '../../core/plan/say-when.ts';
import type { Rule } from '../../core/policy/policy.ts';
import { sayWaiting } from '../../core/policy/say-rule.ts';
import { sayComeback } from '../../core/probe/comeback.ts';
import { sayDuration, second } from '../../core/text/words.ts';
import type { Vote } from '../../core/view/intent.ts';
import { signs } from '../../core/view/signs.ts';
import type { Button, Span, Text, View, ViewPart } from '../../core/view/view.ts';
import { between, dotted, runButton, text, withCode } from '../../core/view/view.ts';
import type { VoteRow } from '../../store/records/votes.ts';
import { countingVotes } from '../access/count-votes.ts';
import { closeGlassButtons, glassParts } from '../access/glass-parts.ts';
import {
  detailsOf,
  hourOf,
  isForSupport,
  noticesOf,
  probedServices,
  protectionLines,
  standingButtons,
  tasksOf,
} from './card-details.ts';
import { approvalsNeeded, approversOf, type CardNames, remindButtons, sayRuleOf } from './card-names.ts';
import { isSilent, lostWords } from './ends.ts';
import { outsidePart } from './outside.ts';
import type { Operation, OperationStep } from './read-operation.ts';
import { undoOf } from './undo.ts';

/** Facts for the card beyond the operation's rows. */
interface CardFacts extends Partial<CardNames> {
  /** The clock, for the day of its hour. */
  readonly now?: number;
  readonly isPaused?: boolean;
  readonly admins?: readonly string[];
  /** Buttons for requests instead of this one or after it. */
  readonly next?: readonly Button[];
  /** With everything that a card in a channel keeps under Details. */
  readonly isWhole?: boolean;
}

/** Draws the only message of an operation, in any state. Pure: the same rows give the same card. */
export function card(
  operation: Operation,
  steps: readonly OperationStep[],
  votes: readonly VoteRow[],
  facts: CardFacts = {},
): View {
  const { isPaused = false, admins = [], next = [], isWhole = false, offersGlass = false } = facts;
  const { requesterName, approverNames, now = operation.createdAt } = facts;
  const status = statusOf(operation, steps, countingVotes(votes).length);
  const title = titleWithHour(operation);
  const isOpen = operation.endedAt === null;
  const isWaiting = operation.state === 'waiting';
  const aside = isWaiting && !isWhole ? {} : { aside: status };
  const parts: ViewPart[] = [{ kind: 'heading', text: between(`${stateSign(operation.state)} `, title), ...aside }];
  const { diff, message } = detailsOf(operation);
  const { again, effect, glance, details, reason, warning, raised } = operation.plan;
  const isBrief = glance !== undefined && !isWhole;
  // The lines of the steps have their states once one began.
  const isListed = operation.plan.parts !== undefined && steps.some(({ startedAt }) => startedAt !== null);
  if (isBrief && isOpen && !isListed) parts.push({ kind: 'text', text: glance });
  if (!isBrief) parts.push(...subjectOf(operation));
  // The card of a plan of several lines has a line for each step instead.
  if (!isBrief || operation.plan.parts === undefined) parts.push(...diff);
  if (isOpen) {
    if (!isBrief) parts.push({ kind: 'text', text: effect });
    if (!isBrief && details.length > 0) parts.push({ kind: 'fields', fields: details });
    if (warning) parts.push({ kind: 'notice', tone: 'warning', text: warning.text });
    if (raised) parts.push({ kind: 'notice', tone: 'warning', text: raised.why });
    if (again && isWaiting) parts.push({ kind: 'notice', tone: 'warning', text: sayAgain(again) });
    for (const line of protectionLines(operation)) parts.push({ kind: 'context', text: line });
  }
  parts.push(...message, ...tasksOf(steps));
  // A machine does not watch the card: the mention tells the person who made its token.
  const by = sayAsker(operation, isWaiting && operation.token === null ? requesterName : undefined);
  if (isOpen && reason !== undefined) parts.push({ kind: 'text', text: text(`“${reason}” — `, by) });
  if (operation.endText) parts.push({ kind: 'notice', tone: toneOf(operation), text: operation.endText });
  else if (operation.state === 'reading')
    parts.push({ kind: 'notice', tone: 'warning', text: lostWords(operation, steps) });
  parts.push(
    ...hourOf(operation, isWhole),
    ...noticesOf(operation, isPaused),
    ...glassParts(operation),
    ...outsidePart(operation),
    ...(isWhole ? probedServices(steps) : []),
  );
  if (isWaiting && typeof operation.rule === 'object') {
    const approvers = approverNames ?? approversOf(operation, admins);
    parts.push({ kind: 'text', text: approvalsNeeded(operation, approvers, countingVotes(votes).length) });
  }
  parts.push({ kind: 'context', text: asked(operation, steps, votes, { by, isWhole }) });
  if (isOpen && operation.plan.took !== undefined) parts.push({ kind: 'context', text: withCode(operation.plan.took) });
  const hasMore = steps.some((step) => step.state === 'pending') && steps.some((step) => step.startedAt !== null);
  const isAnswering = steps.some(({ state }) => state === 'answering');
  const isMute = isSilent(steps);
  const { buttons, rare } = buttonsOf(operation, { hasMore, isAnswering, isMute, next, offersGlass, now });
  if (buttons.length > 0) parts.push({ kind: 'buttons', buttons });
  const more = [...rare, ...standingButtons(operation)];
  if (more.length > 0) parts.push({ kind: 'menu', label: 'More', options: more, isOverflow: true });
  return { summary: between('', title, `: ${status}`), parts };
}

const mostSubjects = 10;

/** One line per thing it is about, with its state at the request; after the end, the end text replaces the state. */
function subjectOf({ plan: { subject }, endedAt }: Operation): ViewPart[] {
  const lines = subject
    .slice(0, mostSubjects)
    .map((line): ViewPart => ({ kind: 'text', text: endedAt === null ? line : withoutState(line) }));
  if (subject.length <= mostSubjects) return lines;
  return [...lines, { kind: 'context', text: `and ${subject.length - mostSubjects} more` }];
}

/** The state in words, shown after the title. */
function statusOf(operation: Operation, steps: readonly OperationStep[], approvals: number): string {
  const { state, startedAt, endedAt } = operation;
  if (state === 'waiting') return sayWaiting(operation.rule, approvals);
  if (endedAt === null && operation.heldAt !== null) return 'waiting for "Continue"';
  if (state === 'approved') return operation.delayWhy === null ? 'starting' : 'waiting';
  if (state === 'running') {
    const [only] = steps;
    if (steps.length !== 1 || only === undefined) {
      return `running, ${steps.filter((step) => step.endedAt !== null).length} of ${steps.length}`;
    }
    if (only.state === 'accepted') return 'accepted by the provider';
    if (only.state === 'verifying') return 'verifying';
    if (only.state === 'answering') return 'waiting for its answer';
    return 'running';
  }
  const took = startedAt !== null && endedAt !== null ? endedAt - startedAt : undefined;
  if (state === 'done' && operation.plan.isLater) return 'set';
  const comeback = steps.length === 1 ? steps[0]?.comeback : undefined;
  const answers = endedAt === null || comeback == null ? undefined : sayComeback(comeback);
  if (answers !== undefined) return answers;
  if (took !== undefined && state === 'done') return `done in ${sayDuration(Math.max(second, took))}`;
  return operation.isSentBack ? 'sent back' : stateWords[state];
}

const warned: readonly OperationState[] = ['unverified', 'unknown', 'stopped', 'refused'];

function toneOf(operation: Operation): 'success' | 'warning' | 'error' | 'info' {
  if (operation.state === 'done') return 'success';
  if (operation.state === 'failed') return 'error';
  return warned.includes(operation.state) ? 'warning' : 'info';
}

function asked(
  operation: Operation,
  steps: readonly OperationStep[],
  votes: readonly VoteRow[],
  { by, isWhole }: { by: Text; isWhole: boolean },
): Text {
  const valid = countingVotes(votes);
  const others = valid.filter((vote) => vote.userId !== operation.requester);
  const own = valid.some((vote) => vote.userId === operation.requester);
  const isWaiting = operation.state === 'waiting';
  // A quoted reason names its author.
  const isNamed = operation.endedAt === null && operation.plan.reason !== undefined;
  const isOwn = own && others.length === 0 && operation.rule === 'confirm' && operation.token === null;
  const verb = isOwn ? 'Asked and confirmed by ' : 'Asked by ';
  const line: Text[] = isWaiting && isNamed ? [] : [text(verb, by)];
  if (!isOwn && valid.length > 0)
    line.push([
      operation.rule === 'confirm' ? 'confirmed by ' : 'approved by ',
      ...valid.flatMap((vote, at) => [...(at === 0 ? [] : [', ']), { user: vote.userId }]),
    ]);
  if (operation.isSolo && typeof operation.rule === 'object') line.push('solo: the person who asked may approve here');
  if (isWaiting && isWhole) line.push(sayRuleOf(operation));
  if (isWaiting && operation.expiresAt !== null) line.push(['expires ', { date: operation.expiresAt, style: 'full' }]);
  // Only the provider's support needs the number of a job.
  const receipt = steps.length === 1 ? steps[0]?.receipt?.text : undefined;
  if (isForSupport(operation) && receipt) line.push(receipt);
  return dotted(line);
}

interface CardButtons {
  readonly buttons: readonly Button[];
  /** Behind `⋯`. */
  readonly rare: readonly Button[];
}

type Offered = Required<Pick<CardFacts, 'next' | 'offersGlass' | 'now'>> &
  Readonly<Record<'hasMore' | 'isAnswering' | 'isMute', boolean>>;

function buttonsOf(operation: Operation, offered: Offered): CardButtons {
  const { hasMore, isAnswering, isMute, next, offersGlass, now } = offered;
  const vote = (kind: Vote) => ({ do: 'vote', operation: operation.id, vote: kind }) as const;
  const details: Button = { label: 'Details', intent: { do: 'review', operation: operation.id }, opens: true };
  const opens = needsName(operation.rule) ? { opens: true } : {};
  const style = operation.risk === 'destructive' ? 'danger' : 'primary';
  if (operation.state === 'waiting') {
    const { id: asked, risk } = operation;
    const schedule: Button = { label: 'Schedule…', intent: { do: 'schedule', operation: asked }, opens: true };
    const later = risk === 'safe' ? [] : [schedule];
    const why: Button = { label: 'Why this rule?', intent: { do: 'why', operation: operation.id } };
    const cancel: Button = { label: 'Cancel', intent: vote('withdraw') };
    const change: Button = { label: 'Ask for changes…', intent: vote('change'), opens: true };
    const act = decideLabel(actOf(operation), operation, operation.rule, now);
    if (operation.rule === 'confirm') {
      const decide: Button = { label: act, intent: vote('confirm'), style };
      if (next.length > 0) return { buttons: [decide, ...next], rare: [cancel, details, ...later, why] };
      return { buttons: [decide, cancel], rare: [details, ...later, why] };
    }
    return {
      buttons: [
        { label: act, intent: vote('approve'), style, ...opens },
        { label: 'Decline…', intent: vote('decline'), opens: true },
      ],
      rare: [
        ...[details, ...next, ...later, change, why, ...remindButtons(operation)],
        ...(offersGlass ? [{ label: 'Break glass…', intent: vote('glass'), opens: true }] : []),
        { label: 'Withdraw', intent: vote('withdraw') },
      ],
    };
  }
  if (operation.state === 'standing' || (operation.state === 'scheduled' && operation.when.kind === 'run')) {
    const label = operation.state === 'standing' ? 'Stop' : 'Call off';
    return { buttons: [{ label, intent: vote('withdraw') }], rare: [details] };
  }
  if (operation.state === 'scheduled')
    return {
      buttons: [
        { label: 'Move…', intent: vote('move'), opens: true },
        { label: 'Call off', intent: vote('withdraw') },
      ],
      rare: [{ label: 'Run now', intent: vote('now') }, details],
    };
  if (operation.endedAt === null && operation.stopBy === null) {
    if (operation.heldAt !== null) {
      const go: Button = { label: 'Continue', intent: vote('continue'), style: 'primary', ...opens };
      return { buttons: [go, { label: 'Leave it', intent: vote('stop') }], rare: [details] };
    }
    if (operation.state === 'cooling')
      return { buttons: [{ label: 'Stop', intent: vote('stop'), style: 'danger' }], rare: [details] };
    const label = isAnswering ? 'Stop waiting' : 'Stop after this step';
    return { buttons: hasMore || isAnswering ? [{ label, intent: vote('stop') }] : [], rare: [details] };
  }
  const undo = undoOf(operation);
  const ticket = isForSupport(operation) || operation.outside?.verdict === 'late';
  const own = ticket ? [ticketButton(`request:${operation.id}`)] : [];
  // For a server that does not answer: rescue mode, a hard reset, and the ticket.
  const after = isMute ? [...next.slice(0, 2), ...own, ...next.slice(2)] : [...next, ...own];
  const first = after.slice(0, isMute ? 3 : 1);
  const taken = undo === undefined ? [] : [runButton(undo.label, undo.line)];
  const rare = [...after.slice(first.length), details];
  return { buttons: [...closeGlassButtons(operation), ...taken, ...first], rare };
}

/** A button shows a title up to this length whole. */
export const longestAct = 32;

/** The act that the deciding button names: `Restart web-1`. */
export function actOf({ plan: { title, act } }: Pick<Operation, 'plan'>): string {
  return act ?? title;
}

export function needsName(rule: Rule): boolean {
  return typeof rule === 'object' && rule.typed;
}

/** Includes the signs of older versions, whose cards are still open. */
const stateAtEnd = new RegExp(` · [${Object.values(signs).join('')}●○?] [^·]*$`, 'u');

/** Removes the state at the request, which is out of date after the end, from a subject line. */
function withoutState(line: Text): Text {
  if (typeof line === 'string') return line.replace(stateAtEnd, '');
  return line.map((span): Span => (typeof span === 'string' ? span.replace(stateAtEnd, '') : span));
}
