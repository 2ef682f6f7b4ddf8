import { targetKey } from '../../core/account/account.ts';
import type { StepState } from '../../core/plan/operation.ts';
import { isGuarded } from '../../core/policy/pins.ts';
import { count, firstLines } from '../../core/text/words.ts';
import { signs } from '../../core/view/signs.ts';
import type { TaskLine, Text, ViewPart } from '../../core/view/view.ts';
import type { Operation, OperationStep } from './record.ts';

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

const mostPins = 3;

/** `📌 “customer data, ask Lena first” — @operator · one approver more`; several targets with their names. */
export function pinLines({ plan: { pins = [], targets }, risk }: Pick<Operation, 'plan' | 'risk'>): readonly string[] {
  const isOne = new Set(targets.map(targetKey)).size < 2;
  const more = isGuarded(risk) ? ' · one approver more' : '';
  const lines = pins.map(({ name, why, by }) => {
    return `${signs.pinned} ${isOne ? '' : `${name}: `}“${why}”${by === undefined ? '' : ` — ${by}`}${more}`;
  });
  return firstLines(lines, mostPins);
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
  const isTrouble = state === 'failed' || state === 'unknown' || state === 'unverified';
  const isAboutBot = plan.targets.every(({ kind }) => kind === 'channel');
  return isTrouble && startedAt !== null && command !== 'ticket open' && !isAboutBot;
}
