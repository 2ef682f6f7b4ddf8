import { targetKey } from '../../core/account/account.ts';
import { isTrouble, type StepState } from '../../core/plan/operation.ts';
import { promises, sayProgress } from '../../core/plan/say-when.ts';
import { isGuarded } from '../../core/policy/protection.ts';
import { sayAnswers } from '../../core/probe/comeback.ts';
import { sayTimes } from '../../core/probe/services.ts';
import { count, firstLines } from '../../core/text/words.ts';
import { signs } from '../../core/view/signs.ts';
import { type Button, peopleIn, type TaskLine, type Text, text, type ViewPart } from '../../core/view/view.ts';
import { mostFailedRuns } from '../context/time-limits.ts';
import type { Operation, OperationStep } from './read-operation.ts';

/** The longer parts of a card: its steps, its diff and its message. Long parts are folded after the end. */

const words = {
  pending: ['pending', 'waiting'],
  running: ['running', 'running'],
  accepted: ['running', 'accepted'],
  verifying: ['running', 'verifying'],
  answering: ['running', 'waiting for its answer'],
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

/** Shows everything until the end, since people decide on it; later, a long part would push the rest off the screen. */
export function detailsOf({ plan, endedAt }: Pick<Operation, 'plan' | 'endedAt'>) {
  const folded = (what: string, { length }: readonly unknown[]) =>
    endedAt === null || length <= longLines ? {} : { folded: `${what}: ${count(length, 'line')}` };
  const { diff, message } = plan;
  return {
    diff: diff === undefined ? [] : [{ kind: 'diff', lines: diff, ...folded('Changes', diff) }],
    message: message === undefined ? [] : [{ kind: 'code', text: message, ...folded('Text', message.split('\n')) }],
  } satisfies Record<string, ViewPart[]>;
}

const mostProtections = 3;

/** `📌 “customer data, ask Lena first” — @operator · one approver more`; several targets with their names. */
export function protectionLines({ plan: { protections = [], targets }, risk }: Pick<Operation, 'plan' | 'risk'>) {
  const isOne = new Set(targets.map(targetKey)).size < 2;
  const more = isGuarded(risk) ? ' · one approver more' : '';
  const lines = protections.map(({ name, why, by }) => {
    return `${signs.protected} ${isOne ? '' : `${name}: `}“${why}”${by === undefined ? '' : ` — ${by}`}${more}`;
  });
  return firstLines(lines, mostProtections);
}

/** Notices about delays, holds and stops, and about an undo. */
export function noticesOf(operation: Operation, isPaused: boolean): ViewPart[] {
  const { heldWhy, delayWhy, state, stopBy, undoneBy } = operation;
  const isOpen = operation.endedAt === null;
  const isHeld = isOpen && heldWhy !== null;
  const onlyBy = 'It does not continue by itself: a person who may decide this clicks "Continue".';
  const notices: readonly (readonly [isSo: boolean, tone: 'info' | 'warning', text: Text])[] = [
    [isHeld, 'warning', `${heldWhy} ${onlyBy}`],
    [isOpen && !isHeld && delayWhy !== null, 'info', `${delayWhy} It is tried again for a quarter of an hour.`],
    [state === 'cooling' && stopBy === null, 'info', 'Everybody who may read this can stop it.'],
    [isOpen && isPaused, 'warning', 'The bot is paused: nothing begins.'],
    [isOpen && stopBy !== null, 'info', [{ user: stopBy ?? '' }, ' stops it: no further step begins.']],
    [undoneBy !== null, 'info', ['Undone by ', { user: undoneBy ?? '' }, '.']],
  ];
  return notices.flatMap(([isSo, tone, text]) => (isSo ? [{ kind: 'notice', tone, text }] : []));
}

/** True if support can help: a step was sent and ended badly. Tickets about tickets or about the bot are useless. */
export function isForSupport({ state, startedAt, command, plan }: Operation): boolean {
  const isAboutBot = plan.targets.every(({ kind }) => kind === 'channel');
  return isTrouble(state) && startedAt !== null && command !== 'ticket open' && !isAboutBot;
}

/** The line of a card about its hour, or about the standing approval under which it runs; the promises in the whole card. */
export function hourOf(operation: Operation, isWhole: boolean): ViewPart[] {
  const { when } = operation;
  if (when.kind === 'run') return [{ kind: 'context', text: ofRun(when) }];
  const promised = isWhole ? promises(operation, mostFailedRuns) : [];
  const progress = sayProgress(operation);
  return [
    ...(progress === '' ? [] : [{ kind: 'text', text: progress } as const]),
    ...(promised.length === 0 ? [] : [{ kind: 'context', text: promised.join(' ') } as const]),
  ];
}

/** Opens the standing approval from the card of a run. */
export function standingButtons({ when }: Operation): Button[] {
  if (when.kind !== 'run') return [];
  return [{ label: 'Standing approval', intent: { do: 'review', operation: when.of }, opens: true }];
}

function ofRun({ words, n, mostRuns, by }: Extract<Operation['when'], { kind: 'run' }>): Text {
  const people = by.length === 0 ? '' : text(' of ', peopleIn(by));
  return text(`Run ${n} of at most ${mostRuns} under the standing approval`, people, `: ${words}.`);
}

const mostProbes = 10;

/** The services that were tried from outside, with the time, in the whole card. */
export function probedServices(steps: readonly OperationStep[]): ViewPart[] {
  const fields = steps.flatMap(({ comeback, label }): [string, Text][] => {
    if (comeback === null) return [];
    const { before, beforeAt } = comeback;
    const now = comeback.missing === null ? '' : `; ${sayAnswers(comeback)}`;
    const name = steps.length === 1 ? 'Tried from the bot' : `${label} from the bot`;
    return [[name, [{ date: beforeAt, style: 'full' }, `: ${sayTimes(before)} answered${now}`]]];
  });
  return fields.length === 0 ? [] : [{ kind: 'fields', fields: fields.slice(0, mostProbes) }];
}
