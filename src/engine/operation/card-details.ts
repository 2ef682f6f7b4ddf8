import { targetKey } from '../../core/account/account.ts';
import { isEnd, isTrouble, type StepState } from '../../core/plan/operation.ts';
import { coolingMsOf, type StandingApproval } from '../../core/plan/when.ts';
import { isGuarded } from '../../core/policy/protection.ts';
import { count, day, firstLines, minute, sayDuration } from '../../core/text/words.ts';
import { sayWeekly } from '../../core/time/weekly.ts';
import { signs } from '../../core/view/signs.ts';
import {
  type Button,
  peopleIn,
  type Span,
  type TaskLine,
  type Text,
  text,
  type ViewPart,
} from '../../core/view/view.ts';
import { mostFailedRuns } from '../context/time-limits.ts';
import type { Operation, OperationStep } from './read-operation.ts';

/** The longer parts of a card: its steps, its diff and its message. Long parts are folded after the end. */

const words = {
  pending: ['pending', 'waiting'],
  running: ['running', 'running'],
  accepted: ['running', 'accepted'],
  verifying: ['running', 'verifying'],
  reading: ['running', 'response lost, reading'],
  done: ['done', 'done'],
  unverified: ['trouble', 'not verified'],
  failed: ['trouble', 'failed'],
  unknown: ['trouble', 'result unknown'],
  skipped: ['pending', 'not started'],
} as const satisfies Record<StepState, readonly [TaskLine['status'], string]>;

/** Of more steps the card has the sum and those in trouble. */
export const mostTasks = 50;

/** Nothing once all are done, which the end of the request says. */
export function tasksOf(steps: readonly OperationStep[]): ViewPart[] {
  if (steps.length < 2 || steps.every((step) => step.startedAt === null)) return [];
  if (steps.every(({ state }) => state === 'done')) return [];
  const shown = steps.length <= mostTasks ? steps : steps.filter(({ state }) => words[state][0] === 'trouble');
  const tasks = shown.slice(0, mostTasks).map(({ state, label, note, endedAt }): TaskLine => {
    const [status, word] = words[state];
    const own = note?.startsWith(`${label}: `) && endedAt ? note.slice(label.length + 2) : undefined;
    return { label, status, word, ...(own === undefined ? {} : { note: own }) };
  });
  return tasks.length === 0
    ? [{ kind: 'text', text: titleOf(steps) }]
    : [{ kind: 'tasks', title: titleOf(steps), tasks }];
}

/** `Steps: 1 of 3 done, 1 failed, 1 running`. */
function titleOf(steps: readonly OperationStep[]): string {
  const others = new Map<string, number>();
  for (const { state } of steps) {
    const [, word] = words[state];
    if (state !== 'done') others.set(word, (others.get(word) ?? 0) + 1);
  }
  const done = steps.filter(({ state }) => state === 'done').length;
  const parts = [`Steps: ${done} of ${steps.length} done`, ...[...others].map(([word, times]) => `${times} ${word}`)];
  return parts.join(', ');
}

/** Parts up to this many lines are never folded. */
const longLines = 8;

/**
 * Shows everything until the request has ended, since people decide on it; later, a long part would push the rest off
 * the screen.
 */
export function detailsOf({
  plan,
  endedAt,
}: Pick<Operation, 'plan' | 'endedAt'>): Record<'diff' | 'message', ViewPart[]> {
  const folded = (what: string, { length }: readonly unknown[]) =>
    endedAt === null || length <= longLines ? {} : { folded: `${what}: ${count(length, 'line')}` };
  const { diff, message } = plan;
  return {
    diff: diff === undefined ? [] : [{ kind: 'diff', lines: diff, ...folded('Changes', diff) }],
    message: message === undefined ? [] : [{ kind: 'code', text: message, ...folded('Text', message.split('\n')) }],
  };
}

const mostProtections = 3;

/** `📌 “customer data, ask Lena first” — @operator · one approver more`; several targets with their names. */
export function protectionLines({
  plan: { protections = [], targets },
  risk,
}: Pick<Operation, 'plan' | 'risk'>): readonly string[] {
  const isOne = new Set(targets.map(targetKey)).size < 2;
  const more = isGuarded(risk) ? ' · one approver more' : '';
  const lines = protections.map(({ name, why, by }) => {
    return `${signs.protected} ${isOne ? '' : `${name}: `}“${why}”${by === undefined ? '' : ` — ${by}`}${more}`;
  });
  return firstLines(lines, mostProtections);
}

/** Notices about delays, holds and stops, and about an undo. */
export function noticesOf(operation: Operation, isPaused: boolean): ViewPart[] {
  const { heldWhy, delayWhy, readyAt, state, stopBy, undoneBy } = operation;
  const isOpen = operation.endedAt === null;
  const isHeld = isOpen && heldWhy !== null;
  const begins: Text = ['Begins ', { date: readyAt ?? 0, style: 'full' }, '. Everybody who may read this can stop it.'];
  const onlyBy = 'It does not continue by itself: a person who may decide this clicks "Continue".';
  const notices: readonly (readonly [isSo: boolean, tone: 'info' | 'warning', text: Text])[] = [
    [isHeld, 'warning', `${heldWhy} ${onlyBy}`],
    [isOpen && !isHeld && delayWhy !== null, 'info', `${delayWhy} It is tried again for a quarter of an hour.`],
    [state === 'cooling' && stopBy === null, 'warning', begins],
    [isOpen && isPaused, 'warning', 'The bot is paused: nothing begins.'],
    [isOpen && stopBy !== null, 'info', [{ user: stopBy ?? '' }, ' stops it: no further step begins.']],
    [undoneBy !== null, 'info', ['Undone by ', { user: undoneBy ?? '' }, '.']],
  ];
  return notices.flatMap(([isSo, tone, text]) => (isSo ? [{ kind: 'notice', tone, text }] : []));
}

/**
 * True if support can help: a step was sent and did not end well. Tickets about tickets and about the bot itself are
 * useless.
 */
export function isForSupport({ state, startedAt, command, plan }: Operation): boolean {
  const isAboutBot = plan.targets.every(({ kind }) => kind === 'channel');
  return isTrouble(state) && startedAt !== null && command !== 'ticket open' && !isAboutBot;
}

/** The hour of a scheduled request, and its promise for then. */
export function hourOf(operation: Operation): ViewPart[] {
  const { startsAt, timing, state } = operation;
  if (timing === null || timing.repeat !== undefined || !(state === 'waiting' || state === 'scheduled')) return [];
  if (startsAt === null && timing.window === undefined) return [];
  return [
    { kind: 'text', text: beginsOf(operation.startsAt, timing) },
    { kind: 'context', text: promiseOf(operation, timing) },
  ];
}

type Timing = NonNullable<Operation['timing']>;

function beginsOf(startsAt: number | null, { words, timeZone, window, frozen }: Timing): Text {
  if (frozen !== undefined) return `Waits for the end of the freeze: ${frozen.why}`;
  if (window !== undefined) {
    const { name, until } = window;
    const words = `In the maintenance window “${name}”: `;
    const end: Span = { date: until, style: 'full' };
    if (startsAt === null) return [words, 'open until ', end];
    const begin: Span = { date: startsAt, style: 'full' };
    return until - startsAt < day ? [words, begin, '–', { ...end, style: 'time' }] : [words, begin, ' until ', end];
  }
  const isDate = /\d{4}-/.test(words);
  return ['Begins ', { date: startsAt ?? 0, style: 'full' }, isDate ? '' : ` · ${words}, ${timeZone}`];
}

function promiseOf(operation: Operation, { graceMs, ifFrozen, window }: Timing): string {
  const { startsAt, rule, plan, state } = operation;
  const votes = typeof rule === 'object' ? ', the approvals' : '';
  const freeze = ifFrozen === 'wait' ? ' It waits for the end of a freeze.' : '';
  const next = window === undefined ? '' : ' If it cannot begin in it, it moves into the next one.';
  const late = startsAt === null ? '' : ` If it starts more than ${sayLate(graceMs)} late, it asks you first.`;
  const first = `At that hour the bot checks ${nameOf(plan)}, the rights${votes} and freezes again.`;
  const coolingMs = startsAt === null ? 0 : coolingMsOf(operation);
  const countdown =
    coolingMs === 0
      ? ''
      : ` The last ${sayDuration(coolingMs)} before it are a countdown, in which everybody who may read this can stop it.${state === 'waiting' ? ' An approval in that time begins it late, after a whole countdown.' : ''}`;
  return `${startsAt === null ? '' : first}${countdown}${freeze}${next}${late}`.trim();
}

/** `10 minutes` */
function sayLate(ms: number): string {
  const minutes = ms / minute;
  return Number.isInteger(minutes) && minutes < 60 ? count(minutes, 'minute') : sayDuration(ms);
}

/** The one target by its name: an order may be a server or a bucket. */
function nameOf({ targets }: Operation['plan']): string {
  const [only, ...others] = targets;
  if (only === undefined || others.length > 0) return 'the targets';
  return only.kind === 'account' || only.kind === 'channel' ? `the ${only.kind}` : only.name;
}

/** `3 runs` */
export function sayRan({ ran }: Pick<StandingApproval, 'ran'>): string {
  return ran.length === 0 ? 'no run' : count(ran.length, 'run');
}

/** The lines of a card about its standing approval, or about the one under which it runs. */
export function standingPart({ timing, state, startsAt }: Operation): ViewPart[] {
  if (timing?.run !== undefined) return [{ kind: 'context', text: ofRun(timing) }];
  const { repeat } = timing ?? {};
  if (repeat === undefined || isEnd(state)) return [];
  const { weekly, until, mostRuns, ran } = repeat;
  const hasNext = startsAt !== null && state === 'standing' && ran.length < mostRuns;
  return [
    {
      kind: 'text',
      text: [
        `Again and again: ${sayWeekly(weekly)}, until `,
        { date: until, style: 'full' },
        `, at most ${count(mostRuns, 'run')}.`,
        ...(state === 'standing' ? [` ${ran.length} of ${mostRuns} so far.`] : []),
        ...(hasNext ? ([' Next run ', { date: startsAt, style: 'full' }, '.'] satisfies Span[]) : []),
      ],
    },
    {
      kind: 'context',
      text: `One approval for all runs. Each run gets its own card, and the bot checks target, rights, votes, rule, pins and freezes again before it. One run at a time; a missed hour is not made up for. ${mostFailedRuns} failures in a row, a lost right, a stricter rule, a pin or a changed target stop all.`,
    },
  ];
}

/** Opens the standing approval from the card of a run. */
export function standingButtons({ timing }: Operation): Button[] {
  const of = timing?.run?.of;
  return of === undefined ? [] : [{ label: 'Standing approval', intent: { do: 'review', operation: of }, opens: true }];
}

function ofRun({ words, run }: Timing): Text {
  if (run === undefined) return '';
  const people = run.by.length === 0 ? '' : text(' of ', peopleIn(run.by));
  return text(`Run ${run.n} of at most ${run.mostRuns} under the standing approval`, people, `: ${words}.`);
}
