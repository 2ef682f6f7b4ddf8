import type { Hour, Waiting } from '../../core/plan/when.ts';
import { graceMsOf, type Policy, type Rule, risks, ruleFor } from '../../core/policy/policy.ts';
import type { NamedWindow } from '../../core/policy/windows.ts';
import { isOpenAt, spanAt, spansAfter, windowNamed, windowOfRule } from '../../core/policy/windows.ts';
import { toJson } from '../../core/text/json.ts';
import { list } from '../../core/text/words.ts';
import { sayDayHour, typedInstant, typedWall } from '../../core/time/say-hour.ts';
import { readingsOf, wallClock } from '../../core/time/zone.ts';
import { Refusal } from '../../core/view/errors.ts';
import { says } from '../../core/view/view.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { graceMs } from '../context/time-limits.ts';
import { waitUnlocked } from '../operation/acquire-locks.ts';
import { refuse } from '../operation/end.ts';
import { ends, reasons } from '../operation/ends.ts';
import type { Operation } from '../operation/read-operation.ts';
import { notifyThread } from '../operation/thread.ts';

/** Requests that begin only in a maintenance window, and those that could not begin in it. */

export interface Planned {
  readonly rule: Rule;
  readonly plan: { readonly targets: readonly { readonly kind: string }[] };
}

/** The window that a rule requires. A change of the bot itself needs none: it may be the change that opens a window. */
export function requiredWindow(policy: Policy | undefined, { rule, plan }: Planned): NamedWindow | undefined {
  return plan.targets.every(({ kind }) => kind === 'channel') ? undefined : windowOfRule(policy, rule);
}

/** The window of a stored request: by the present policy where that names one, else as the request was made. */
export function windowOf(policy: Policy | undefined, { rule, plan, when }: Planned & Pick<Operation, 'when'>) {
  const chosen = when.kind === 'window' ? (windowNamed(policy, when.window.name) ?? when.window) : undefined;
  return requiredWindow(policy, { rule, plan }) ?? chosen;
}

export function graceOf(rule: Rule): number {
  return graceMsOf(rule) ?? graceMs;
}

/** The hour of a request at an instant: the next span of the window, or null while it is open. */
export function hourIn(window: NamedWindow, at: number, waiting: Waiting): Hour {
  const { name, words } = window;
  const { from, to } = spanAt(window, at);
  const when = { kind: 'window', ...waiting, window: { name, words, until: to } } as const;
  return { startsAt: from <= at ? null : from, when };
}

const mostSpans = 3;

/** An hour that can be chosen instead. */
export interface Alternative {
  /** `Sun Nov 29 3:00 AM` */
  readonly label: string;
  /** `2026-11-29 03:00`, as people type it. */
  readonly words: string;
}

/** The beginnings of the next spans, on the clocks of a time zone. */
export function nextHours(window: NamedWindow, at: number, personZone: string | undefined): readonly Alternative[] {
  return spansAfter(window, at, mostSpans).map(({ from }) => {
    const timeZone = personZone ?? 'UTC';
    const wall = wallClock(from, timeZone);
    const isExact = personZone === undefined || readingsOf(wall, timeZone).length > 1;
    return { label: sayDayHour(from, timeZone), words: isExact ? typedInstant(from, timeZone) : typedWall(wall) };
  });
}

/** An hour, which is refused if its window is closed then. */
export function hourAt(
  startsAt: number,
  waiting: Waiting,
  window: NamedWindow | undefined,
  refused: (closed: NamedWindow) => Refusal,
): Hour {
  if (window === undefined) return { startsAt, when: { kind: 'at', ...waiting } };
  if (!isOpenAt(window, startsAt)) throw refused(window);
  return { ...hourIn(window, startsAt, waiting), startsAt };
}

/** The remedy for words that are no hour. A date is left to buttons, since no text shows one. */
export function likeThese(instead: readonly string[]): { readonly hint?: string } {
  const words = instead.filter((other) => !/\d{4}-/.test(other));
  return words.length === 0 ? {} : { hint: `Write it like ${list(words, 'or')}.` };
}

/** The refusal of an hour at which the window is closed, with the hours that can be chosen instead. */
export function notInWindow(
  { name, words }: NamedWindow,
  hours: readonly Alternative[],
  more: ConstructorParameters<typeof Refusal>[2] = {},
): Refusal {
  const labels = hours.map(({ label }) => label);
  const next = hours.length > 0 && { hint: `In your time zone it opens ${list(labels, 'or')}.` };
  const only = `It begins only in the maintenance window “${name}”, \`${words}\`.`;
  return new Refusal('bad_value', only, { ...next, ...more });
}

/** The maintenance window of a decided request, if it is closed; by the present policy of the channel. */
export async function closedWindow({ policies }: EngineContext, operation: Operation, at: number, rule?: Rule) {
  const policy = await policies.get(operation.channel);
  const risk = risks.find((candidate) => candidate === operation.risk);
  // The stored rule is that of the request; the present one may require a window since.
  const present = rule ?? (risk === undefined ? operation.rule : ruleFor(policy, risk));
  const window = windowOf(policy, { ...operation, rule: present });
  return window === undefined || isOpenAt(window, at) ? undefined : window;
}

/** The hour of a request in the next span of its window, from an instant on. */
export async function hourAgain(
  { directory }: EngineContext,
  { when, requester }: Operation,
  window: NamedWindow,
  at: number,
  rule: Rule,
): Promise<Hour> {
  const { timeZone, ifFrozen } =
    when.kind === 'now' ? { ...(await directory.person(requester)), ifFrozen: 'refuse' as const } : when;
  const words = when.kind === 'window' ? window.name : '';
  return hourIn(window, at, { words, timeZone: timeZone ?? 'UTC', graceMs: graceOf(rule), ifFrozen });
}

/** Moves a decided request into the next span of its window. Its approvals stay: the card says that it may move. */
export async function moveIntoNext(context: EngineContext, operation: Operation, window: NamedWindow, at: number) {
  const { id, rule, plan, when } = operation;
  if (when.kind === 'run') return refuse(context, operation, 'closed', ends.notRun(reasons.notInWindow(window.name)));
  const { startsAt, when: next } = await hourAgain(context, operation, window, at, rule);
  const only = `${plan.title} begins only in the maintenance window “${window.name}”. It moves to `;
  const view = says([only, { date: startsAt ?? at, style: 'full' }, '.']);
  await notifyThread(context, operation, `window:${id}:${startsAt}`, view);
  const begins = toJson(when.kind === 'now' ? next : { ...next, graceMs: when.graceMs });
  const entry = { kind: 'moved', data: { from: operation.startsAt, to: startsAt, window: window.name } } as const;
  return waitUnlocked(context, operation, 'scheduled', { startsAt, begins, readyAt: null, delayWhy: null }, entry);
}
