import { describeRule, type Rule } from '../../core/policy.ts';
import type { Button, Text, View, ViewPart } from '../../core/view.ts';
import { text } from '../../core/view.ts';
import { count, sayDuration } from '../../core/words.ts';
import type { VoteRow } from '../../store/votes.ts';
import type { Operation, OperationStep } from './record.ts';

/** The one message of an operation, at any moment of its life. Pure: the same rows give the same card. */
export function card(operation: Operation, steps: readonly OperationStep[], votes: readonly VoteRow[]): View {
  const status = statusOf(operation, steps);
  const isOpen = operation.endedAt === null;
  const parts: ViewPart[] = [
    { kind: 'heading', text: operation.plan.title, aside: status },
    ...operation.plan.subject.slice(0, 10).map((line): ViewPart => ({ kind: 'text', text: line })),
  ];
  if (operation.plan.subject.length > 10)
    parts.push({ kind: 'context', text: `and ${operation.plan.subject.length - 10} more` });
  if (operation.plan.diff) parts.push({ kind: 'diff', lines: operation.plan.diff });
  if (isOpen) {
    parts.push({ kind: 'fields', fields: [['Effect', operation.plan.effect], ...operation.plan.details] });
    if (operation.plan.raised) parts.push({ kind: 'notice', tone: 'warning', text: operation.plan.raised.why });
  }
  if (steps.length > 1) parts.push({ kind: 'text', text: progress(steps) });
  if (operation.endText) parts.push({ kind: 'notice', tone: toneOf(operation), text: operation.endText });
  else if (operation.state === 'reading')
    parts.push({ kind: 'notice', tone: 'warning', text: lostWords(operation, steps) });
  parts.push({ kind: 'context', text: asked(operation, steps, votes) });
  const buttons = buttonsOf(operation);
  if (buttons.length > 0) parts.push({ kind: 'buttons', buttons });
  return { summary: `${operation.plan.title}: ${status}`, parts };
}

const endWords = {
  done: 'done',
  unverified: 'done, not verified',
  failed: 'failed',
  unknown: 'unknown',
  declined: 'declined',
  expired: 'expired',
  withdrawn: 'withdrawn',
  refused: 'not run',
} as const;

/** What stands behind the title: the state in words. */
function statusOf(operation: Operation, steps: readonly OperationStep[]): string {
  const { state } = operation;
  if (state === 'waiting') return operation.rule === 'confirm' ? 'waiting for confirmation' : 'waiting for approval';
  if (state === 'approved') return 'starting';
  if (state === 'reading') return 'answer lost, reading';
  if (state === 'running') {
    const [only] = steps;
    if (steps.length !== 1 || only === undefined) {
      return `running, ${steps.filter((step) => step.endedAt !== null).length} of ${steps.length}`;
    }
    if (only.state === 'accepted') return `accepted by the provider${only.receipt ? `, ${only.receipt.text}` : ''}`;
    if (only.state === 'verifying') return 'verifying';
    return 'running';
  }
  const took =
    operation.startedAt !== null && operation.endedAt !== null ? operation.endedAt - operation.startedAt : undefined;
  return took !== undefined && state === 'done' ? `done in ${sayDuration(took)}` : endWords[state];
}

function toneOf(operation: Operation): 'success' | 'warning' | 'error' | 'info' {
  if (operation.state === 'done') return 'success';
  if (operation.state === 'failed') return 'error';
  return operation.state === 'unverified' || operation.state === 'unknown' || operation.state === 'refused'
    ? 'warning'
    : 'info';
}

const stepSigns = {
  pending: '○ waits',
  running: '◐ running',
  accepted: '◐ accepted',
  verifying: '◐ verifying',
  reading: '? answer lost, reading',
  done: '● done',
  unverified: '● done, not verified',
  failed: '✕ failed',
  unknown: '? unknown',
  skipped: '– not started',
} as const;

function progress(steps: readonly OperationStep[]): Text {
  const shown = steps
    .slice(0, 50)
    .map(
      (step) =>
        `${stepSigns[step.state]}  ${step.note?.startsWith(`${step.label}: `) && step.endedAt ? step.note : step.label}`,
    );
  if (steps.length > shown.length) shown.push(`and ${steps.length - shown.length} more`);
  return shown.join('\n');
}

/** Why the answer of a step is not there, where it is not the provider's doing. */
export const wasStopped = 'I was stopped during the call';

export function lostWords({ plan }: Pick<Operation, 'plan'>, steps: readonly Pick<OperationStep, 'note'>[]): string {
  const isOurs = steps.some(({ note }) => note?.includes(wasStopped));
  const why = isOurs ? 'I was stopped before the provider answered' : 'The provider did not answer in time';
  return `${why}, so I do not know whether this was taken: ${plan.title}. I have not sent it again. I am reading how things stand now and will say here what I find.`;
}

function asked(operation: Operation, steps: readonly OperationStep[], votes: readonly VoteRow[]): Text {
  const valid = votes.filter((vote) => !vote.isVoid && (vote.vote === 'approve' || vote.vote === 'confirm'));
  const others = valid.filter((vote) => vote.userId !== operation.requester);
  const own = valid.some((vote) => vote.userId === operation.requester);
  const line: Text[] = [
    own && others.length === 0 && operation.rule === 'confirm' ? 'Asked and confirmed by ' : 'Asked by ',
    [{ user: operation.requester }],
  ];
  if (typeof operation.rule === 'object') {
    line.push(` · ${valid.length} of ${operation.rule.approve}`);
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
    line.push(` · rule: ${operation.risk} → ${describeRule(operation.rule)}`);
    if (operation.expiresAt !== null) line.push(' · expires ', [{ date: operation.expiresAt, style: 'full' }]);
  }
  const jobs = steps.flatMap((step) =>
    step.receipt && step.endedAt !== null && steps.length === 1 ? [step.receipt.text] : [],
  );
  if (jobs.length > 0 && jobs[0] !== '') line.push(` · ${jobs.join(', ')}`);
  line.push(` · ${operation.id}`);
  return text(...line);
}

function buttonsOf(operation: Operation): Button[] {
  const vote = (kind: 'confirm' | 'approve' | 'decline' | 'withdraw') =>
    ({ do: 'vote', operation: operation.id, vote: kind }) as const;
  if (operation.state === 'waiting') {
    if (operation.rule === 'confirm') {
      return [
        { label: 'Confirm', intent: vote('confirm'), style: 'primary' },
        { label: 'Cancel', intent: vote('withdraw') },
      ];
    }
    return [
      {
        label: 'Approve',
        intent: vote('approve'),
        style: 'primary',
        ...(needsName(operation.rule) ? { opens: true } : {}),
      },
      { label: 'Decline…', intent: vote('decline'), opens: true },
      { label: 'Withdraw', intent: vote('withdraw') },
    ];
  }
  const undo = undoOf(operation);
  return undo === undefined ? [] : [{ label: 'Undo', intent: { do: 'run', line: undo } }];
}

/** The line that takes it back, kept in the row when it ended. */
export function undoOf(operation: Pick<Operation, 'undo' | 'state'>): string | undefined {
  return typeof operation.undo === 'string' && (operation.state === 'done' || operation.state === 'unverified')
    ? operation.undo
    : undefined;
}

export function needsName(rule: Rule): boolean {
  return typeof rule === 'object' && rule.typed;
}

/** The one reply in the thread: it mentions who asked, once. */
export function endReply(operation: Operation, steps: readonly OperationStep[]): View {
  const failed = steps.filter(
    (step) => step.state === 'failed' || step.state === 'unknown' || step.state === 'unverified',
  );
  const parts: ViewPart[] = [
    { kind: 'text', text: text([{ user: operation.requester }], ' ', operation.endText ?? endWordsOf(operation)) },
  ];
  // The first one is in the sentence above.
  if (failed.length > 1) {
    parts.push({
      kind: 'text',
      text: failed
        .slice(0, 20)
        .map((step) => `${step.label}: ${step.note ?? step.state}`)
        .join('\n'),
    });
  }
  const [first, ...more] = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []));
  return { summary: text(first ?? '', ...more.flatMap((words) => ['\n', words])), parts };
}

function endWordsOf(operation: Operation): string {
  return operation.state in endWords
    ? `${operation.plan.title}: ${endWords[operation.state as keyof typeof endWords]}`
    : operation.plan.title;
}

/** `2 of 5 done` */
export function tally(steps: readonly OperationStep[]): string {
  const done = steps.filter((step) => step.state === 'done' || step.state === 'unverified').length;
  return `${done} of ${count(steps.length, 'step')} done`;
}
