import { ticketButton } from '../../core/alert/ticket-button.ts';
import type { OperationState } from '../../core/plan/operation.ts';
import { stateSigns, stateWords } from '../../core/plan/say-state.ts';
import type { Rule } from '../../core/policy/policy.ts';
import { sayRuleHere, sayWaiting } from '../../core/policy/say-rule.ts';
import { sayDuration } from '../../core/text/words.ts';
import { signs } from '../../core/view/signs.ts';
import type { Button, Span, Text, View, ViewPart, Vote } from '../../core/view/view.ts';
import { text } from '../../core/view/view.ts';
import type { VoteRow } from '../../store/records/votes.ts';
import { approvalsNeeded, type CardNames, remindButtons } from './approvers.ts';
import { detailsOf, tasksOf } from './card-details.ts';
import { lostWords } from './ends.ts';
import type { Operation, OperationStep } from './record.ts';

/** Facts for the card that are not in the rows of the operation. */
interface CardFacts extends Partial<CardNames> {
  readonly isPaused?: boolean;
  readonly admins?: readonly string[];
  /** Buttons that ask for something in its place or after it. */
  readonly next?: readonly Button[];
}

/** The one message of an operation, at any moment of its life. Pure: the same rows give the same card. */
export function card(
  operation: Operation,
  steps: readonly OperationStep[],
  votes: readonly VoteRow[],
  { isPaused = false, admins = [], requesterName, approverNames, counted, next = [] }: CardFacts = {},
): View {
  const status = statusOf(operation, steps, approvalsOf(votes).length);
  const isOpen = operation.endedAt === null;
  const parts: ViewPart[] = [
    { kind: 'heading', text: `${stateSigns[operation.state]} ${operation.plan.title}`, aside: status },
    // The state when it was requested; once it has ended, only the end's own words count.
    ...operation.plan.subject
      .slice(0, 10)
      .map((line): ViewPart => ({ kind: 'text', text: isOpen ? line : withoutState(line) })),
  ];
  if (operation.plan.subject.length > 10)
    parts.push({ kind: 'context', text: `and ${operation.plan.subject.length - 10} more` });
  const { diff, message } = detailsOf(operation);
  parts.push(...diff);
  if (isOpen) {
    const { effect, details, reason } = operation.plan;
    const why: [string, Text][] = reason === undefined ? [] : [['Reason', reason]];
    parts.push({ kind: 'fields', fields: [['Effect', effect], ...why, ...details] });
    if (operation.plan.warning) parts.push({ kind: 'notice', tone: 'warning', text: operation.plan.warning.text });
    if (operation.plan.raised) parts.push({ kind: 'notice', tone: 'warning', text: operation.plan.raised.why });
  }
  parts.push(...message, ...tasksOf(steps));
  if (operation.endText) parts.push({ kind: 'notice', tone: toneOf(operation), text: operation.endText });
  else if (operation.state === 'reading')
    parts.push({ kind: 'notice', tone: 'warning', text: lostWords(operation, steps) });
  if (isOpen && operation.heldWhy !== null) {
    const text = `${operation.heldWhy} It does not continue by itself: a person who may decide this clicks "Continue".`;
    parts.push({ kind: 'notice', tone: 'warning', text });
  } else if (isOpen && operation.delayWhy !== null) {
    parts.push({
      kind: 'notice',
      tone: 'info',
      text: `${operation.delayWhy} It is tried again for a quarter of an hour.`,
    });
  }
  if (isOpen && isPaused) parts.push({ kind: 'notice', tone: 'warning', text: 'The bot is paused: nothing begins.' });
  if (isOpen && operation.stopBy !== null)
    parts.push({
      kind: 'notice',
      tone: 'info',
      text: text([{ user: operation.stopBy }], ' stops it: no further step begins.'),
    });
  if (operation.undoneBy !== null) {
    const text: Text = ['Undone by ', { user: operation.undoneBy }, '.'];
    parts.push({ kind: 'notice', tone: 'info', text });
  }
  if (operation.state === 'waiting' && typeof operation.rule === 'object') {
    const channels = operation.demands.map(({ channel }) => channel);
    const votesFor = counted ?? new Map(approvalsOf(votes).map(({ userId }) => [userId, channels]));
    for (const line of approvalsNeeded(operation, admins, votesFor, approverNames))
      parts.push({ kind: 'text', text: line });
  }
  parts.push({ kind: 'context', text: asked(operation, steps, votes, requesterName) });
  const hasMore = steps.some((step) => step.state === 'pending') && steps.some((step) => step.startedAt !== null);
  const buttons = buttonsOf(operation, hasMore, next);
  if (buttons.length > 0) parts.push({ kind: 'buttons', buttons });
  return { summary: `${operation.plan.title}: ${status}`, parts };
}

/** The state in words, shown behind the title. */
function statusOf(operation: Operation, steps: readonly OperationStep[], approvals: number): string {
  const { state } = operation;
  if (state === 'waiting') return sayWaiting(operation.rule, approvals);
  if (operation.endedAt === null && operation.heldAt !== null) return 'waiting for "Continue"';
  if (state === 'approved') return operation.delayWhy === null ? 'starting' : 'waiting';
  if (state === 'running') {
    const [only] = steps;
    if (steps.length !== 1 || only === undefined) {
      return `running, ${steps.filter((step) => step.endedAt !== null).length} of ${steps.length}`;
    }
    if (only.state === 'accepted') return 'accepted by the provider';
    if (only.state === 'verifying') return 'verifying';
    return 'running';
  }
  const took =
    operation.startedAt !== null && operation.endedAt !== null ? operation.endedAt - operation.startedAt : undefined;
  if (state === 'done' && operation.plan.isLater) return 'set';
  return took !== undefined && state === 'done' ? `done in ${sayDuration(took)}` : stateWords[state];
}

const warned: readonly OperationState[] = ['unverified', 'unknown', 'stopped', 'refused'];

function toneOf(operation: Operation): 'success' | 'warning' | 'error' | 'info' {
  if (operation.state === 'done') return 'success';
  if (operation.state === 'failed') return 'error';
  return warned.includes(operation.state) ? 'warning' : 'info';
}

function approvalsOf(votes: readonly VoteRow[]): VoteRow[] {
  return votes.filter((vote) => !vote.isVoid && (vote.vote === 'approve' || vote.vote === 'confirm'));
}

function asked(
  operation: Operation,
  steps: readonly OperationStep[],
  votes: readonly VoteRow[],
  requesterName: string | undefined,
): Text {
  const valid = approvalsOf(votes);
  const others = valid.filter((vote) => vote.userId !== operation.requester);
  const own = valid.some((vote) => vote.userId === operation.requester);
  const line: Text[] = [
    own && others.length === 0 && operation.rule === 'confirm' ? 'Asked and confirmed by ' : 'Asked by ',
    operation.state === 'waiting' && requesterName !== undefined ? requesterName : [{ user: operation.requester }],
  ];
  if (typeof operation.rule === 'object') {
    if (operation.demands.length < 2) line.push(` · ${valid.length} of ${operation.rule.approve}`);
    if (valid.length > 0) {
      line.push(
        ' · approved by ',
        valid.flatMap((vote, index) => [...(index === 0 ? [] : [', ']), { user: vote.userId }]),
      );
    }
  }
  if (operation.isSolo && typeof operation.rule === 'object')
    line.push(' · solo: the person who asked may approve here');
  if (operation.state === 'waiting') {
    if (operation.demands.length < 2) line.push(` · ${sayRuleHere(operation.risk, operation.rule)}`);
    if (operation.expiresAt !== null) line.push(' · open until ', [{ date: operation.expiresAt, style: 'full' }]);
  }
  // The provider's support asks for the number of a job; nobody else needs it.
  const receipt = steps.length === 1 ? steps[0]?.receipt?.text : undefined;
  if (isForSupport(operation) && receipt) line.push(` · ${receipt}`);
  return text(...line);
}

function buttonsOf(operation: Operation, hasMore: boolean, next: readonly Button[]): Button[] {
  const vote = (kind: Vote) => ({ do: 'vote', operation: operation.id, vote: kind }) as const;
  if (operation.state === 'waiting') {
    if (operation.rule === 'confirm') {
      return [
        { label: 'Confirm', intent: vote('confirm'), style: 'primary' },
        ...next,
        { label: 'Withdraw', intent: vote('withdraw') },
      ];
    }
    return [
      {
        label: 'Approve',
        intent: vote('approve'),
        style: operation.risk === 'destructive' ? 'danger' : 'primary',
        ...(needsName(operation.rule) ? { opens: true } : {}),
      },
      ...next,
      { label: 'Decline…', intent: vote('decline'), opens: true },
      { label: 'Withdraw', intent: vote('withdraw') },
      ...remindButtons(operation),
      { label: 'Why this rule?', intent: { do: 'why', operation: operation.id } },
    ];
  }
  if (operation.endedAt === null && operation.stopBy === null) {
    if (operation.heldAt !== null) {
      return [
        {
          label: 'Continue',
          intent: vote('continue'),
          style: 'primary',
          ...(needsName(operation.rule) ? { opens: true } : {}),
        },
        { label: 'Leave it', intent: vote('stop') },
      ];
    }
    if (hasMore) return [{ label: 'Stop after this step', intent: vote('stop') }];
    return [];
  }
  const undo = undoOf(operation);
  return [
    ...(undo === undefined ? [] : [{ label: 'Undo', intent: { do: 'run', line: undo } } as const]),
    ...next,
    ...(isForSupport(operation) ? [ticketButton(`request:${operation.id}`)] : []),
  ];
}

/** Support can look into what was sent and did not end well. A ticket about a ticket, or about the bot itself, helps nobody. */
function isForSupport({ state, startedAt, command, plan }: Operation): boolean {
  const isTrouble = state === 'failed' || state === 'unknown' || state === 'unverified';
  const isAboutBot = plan.targets.every(({ kind }) => kind === 'channel');
  return isTrouble && startedAt !== null && command !== 'ticket open' && !isAboutBot;
}

/** The line that takes it back, kept in the row when it ended. */
export function undoOf(operation: Pick<Operation, 'undo' | 'state' | 'undoneBy'>): string | undefined {
  const isUndoable = undoable.includes(operation.state) && operation.undoneBy === null;
  return typeof operation.undo === 'string' && isUndoable ? operation.undo : undefined;
}

/** Something of it was done, as far as is known. */
const undoable: readonly OperationState[] = ['done', 'unverified', 'stopped'];

export function needsName(rule: Rule): boolean {
  return typeof rule === 'object' && rule.typed;
}

/** With the signs of earlier versions, whose cards are still open. */
const stateAtEnd = new RegExp(` · [${Object.values(signs).join('')}●○?] [^·]*$`, 'u');

/** Its name, number and address: the state that it had when it was asked for is not how it is now. */
function withoutState(line: Text): Text {
  if (typeof line === 'string') return line.replace(stateAtEnd, '');
  return line.map((span): Span => (typeof span === 'string' ? span.replace(stateAtEnd, '') : span));
}
