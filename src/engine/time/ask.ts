import type { Target } from '../../core/account/account.ts';
import type { RawArgs } from '../../core/grammar/command-shape.ts';
import { lineOf } from '../../core/grammar/parse.ts';
import { hasHour, timingKey, timingWord, withoutTiming } from '../../core/grammar/timing-keys.ts';
import { type Hour, isPatient, type Waiting, type WeeklyWhen } from '../../core/plan/when.ts';
import type { Policy } from '../../core/policy/policy.ts';
import { isOpenAt, type NamedWindow, windowNamed, windowNames } from '../../core/policy/windows.ts';
import { defined } from '../../core/text/defined.ts';
import { count, minute, sentenceStart } from '../../core/text/words.ts';
import { readWhen } from '../../core/time/moment.ts';
import { sayAhead } from '../../core/time/say-hour.ts';
import { nextOf, readWeekly, sayEvery, type Weekly } from '../../core/time/weekly.ts';
import { badValue, Refusal } from '../../core/view/errors.ts';
import { whenName } from '../../core/view/form.ts';
import { text } from '../../core/view/view.ts';
import { frozenAt, sayFrozen } from '../access/frozen.ts';
import type { AnyCommand } from '../context/dependencies.ts';
import { type EngineContext, timeZoneOf } from '../context/engine-context.ts';
import { mostRuns, standsAtMostMs } from '../context/time-limits.ts';
import type { Alternative, Planned } from './windows.ts';
import { graceOf, hourAt, hourIn, likeThese, nextHours, notInWindow, requiredWindow } from './windows.ts';

/** A request with the words of its hour. */
interface Asking {
  readonly at: number;
  readonly actor: string;
  readonly command: AnyCommand;
  readonly raw: RawArgs;
  readonly reason?: string;
}

/** The hour that a request names, before the rule that decides about it is known. */
export interface AskedHour {
  /** Undefined if the request names none. */
  readonly startsAt: number | undefined;
  readonly words: string;
  readonly timeZone: string | undefined;
  readonly ifFrozen: Waiting['ifFrozen'];
  readonly window: NamedWindow | undefined;
  /** The hour at which it is taken back. */
  readonly until?: number;
  /** The hours of a standing approval, of which `startsAt` is the first. */
  readonly weekly?: Pick<WeeklyWhen, 'weekly' | 'until' | 'mostRuns' | 'ran'>;
}

/** Reads the hour of a request in the time zone of the requester. */
export async function readHour(
  context: EngineContext,
  request: Asking,
  policy: Policy | undefined,
): Promise<AskedHour> {
  const { raw, actor, at: now } = request;
  const timeZone = await timeZoneOf(context, actor);
  const window = readWindowName(request, policy);
  const asked = { timeZone, window, ifFrozen: readIfFrozen(raw) };
  const again = readRepeat(request, timeZone);
  if (again !== undefined) return { ...asked, ...again };
  const words = hasHour(raw) ? typedHour(raw) : undefined;
  const read = words === undefined ? undefined : readWhen(words, { now, timeZone });
  if (read?.ok === false) throw badHour(request, read, timeZone);
  const until = readUntil(request, timeZone, read?.at ?? now);
  return { ...asked, startsAt: read?.at, words: words ?? window?.name ?? '', ...defined({ until }) };
}

const severalRuns = 'Several runs have their hours in `every`, like every="sun 03:00" until="in 30 days".';

/** Reads `until monday` of a request that is taken back then; undefined without it. */
function readUntil(request: Asking, timeZone: string | undefined, after: number): number | undefined {
  const { command, raw, at: now } = request;
  const words = timingWord(raw, 'until');
  if (timingWord(raw, 'runs') !== undefined)
    throw badValue(
      '`runs` is about runs again and again, and this runs once.',
      'Add the hours, like every="sun 03:00".',
    );
  if (words === undefined) return undefined;
  if (command.kind !== 'action' || command.reverse === undefined)
    throw badValue(`Nothing takes \`${command.path}\` back by itself at an hour.`, severalRuns);
  const read = readWhen(words, { now, timeZone });
  if (!read.ok) throw badHour(request, read, timeZone, 'until');
  // `tomorrow 9am until 5pm` is the first 5 PM after the begin.
  const isClock = /^(?:at )?\d/.test(words);
  const again = isClock && read.at <= after ? readWhen(words, { now: after, timeZone }) : read;
  if (again.ok && again.at > after) return again.at;
  throw badValue('It would be taken back before it begins.', 'Choose a later `until`.');
}

interface Deciding extends Planned {
  readonly policy: Policy | undefined;
}

/** The hour of a request under a rule, which may require a maintenance window; undefined if it begins at once. */
export function hourUnder(asked: AskedHour, request: Asking, { rule, policy, plan }: Deciding): Hour | undefined {
  const { startsAt, words, timeZone, ifFrozen, weekly } = asked;
  const required = requiredWindow(policy, { rule, plan });
  if (required !== undefined && asked.window !== undefined && asked.window.name !== required.name)
    throw notInSpan(request, required, []);
  const window = required ?? asked.window;
  const waiting = { words, timeZone: timeZone ?? 'UTC', graceMs: graceOf(rule), ifFrozen };
  if (startsAt === undefined && window !== undefined) return hourIn(window, request.at, waiting);
  if (startsAt === undefined) {
    if (timingWord(request.raw, 'if-frozen') === undefined) return undefined;
    throw badValue('`if-frozen` is about a later hour, and this begins at once.', 'Add the hour, like at="sun 03:00".');
  }
  const hour = hourAt(startsAt, waiting, window, (closed) =>
    notInSpan(request, closed, nextHours(closed, request.at, timeZone)),
  );
  return weekly === undefined ? hour : { startsAt, when: { kind: 'weekly', ...waiting, ...weekly } };
}

/** True unless it waits for an hour or for its window. Refuses nothing: the risk of the plan may have another rule. */
export function beginsNow({ startsAt, window }: AskedHour, at: number, { rule, policy, plan }: Deciding): boolean {
  const waitsFor = requiredWindow(policy, { rule, plan }) ?? window;
  return startsAt === undefined && (waitsFor === undefined || isOpenAt(waitsFor, at));
}

/** A window whose name the line leaves out: the only one, or the one called maintenance. */
const unnamed = '*';

function readWindowName(request: Asking, policy: Policy | undefined): NamedWindow | undefined {
  const typed = timingWord(request.raw, 'window')?.toLowerCase();
  if (typed === undefined) return undefined;
  const names = windowNames(policy);
  const usual = names.length === 1 ? (names[0] ?? '') : 'maintenance';
  const match = windowNamed(policy, typed === unnamed ? usual : typed);
  if (match !== undefined) return match;
  const none = `This channel has no maintenance window${typed === unnamed ? '' : ` \`${typed.slice(0, 40)}\``}.`;
  throw new Refusal('bad_value', typed === unnamed && names.length > 0 ? 'Which maintenance window?' : none, {
    hint:
      names.length === 0
        ? 'An admin names them in the policy of the channel, under `windows`.'
        : `It has ${names.join(', ')}.`,
    field: timingKey('window'),
    suggestions: names.slice(0, 3).map((window) => offer(request, window, { window })),
  });
}

function typedHour(raw: RawArgs): string {
  const [at, within] = [timingWord(raw, 'at'), timingWord(raw, 'in')];
  if (at !== undefined && within !== undefined)
    throw badValue('`at` and `in` are both given.', 'Give one of them.', whenName);
  return at ?? `in ${within?.replace(/^in /i, '')}`;
}

function readIfFrozen(raw: RawArgs): Waiting['ifFrozen'] {
  const word = timingWord(raw, 'if-frozen')?.toLowerCase() ?? 'refuse';
  if (word === 'refuse' || word === 'wait') return word;
  const hint = '`wait` begins at the end of the freeze; without it, the request is not run.';
  throw badValue('`if-frozen` is neither wait nor refuse.', hint);
}

/** Refuses an hour, with the same request at each of the hours that can be meant instead. */
function badHour(
  request: Asking,
  { why, instead }: { readonly why: string; readonly instead: readonly string[] },
  timeZone: string | undefined,
  name: 'at' | 'until' = 'at',
): Refusal {
  const clock = { now: request.at, timeZone };
  const labels = instead.map((words) => {
    const read = readWhen(words, clock);
    const label = read.ok ? sayAhead(read.at, { ...clock, timeZone: timeZone ?? 'UTC' }) : words;
    return sentenceStart(name === 'at' ? label : `until ${label}`);
  });
  // Two instants read the same where the clocks go back.
  const isClear = new Set(labels).size === labels.length;
  return new Refusal('bad_value', why, {
    ...likeThese(instead),
    field: timingKey(name),
    suggestions: instead.map((words, at) => offer(request, (isClear && labels[at]) || words, { [name]: words })),
  });
}

function notInSpan(request: Asking, window: NamedWindow, hours: readonly Alternative[]): Refusal {
  const suggestions = hours.map(({ label, words }) => offer(request, label, { at: words }));
  return notInWindow(window, hours, { field: whenName, suggestions });
}

/** Refuses an hour that lies in a freeze known now, and offers the first minute after it. */
export async function mustNotBeFrozenThen(
  context: EngineContext,
  request: Asking & { readonly channel: string },
  { startsAt, when }: Hour,
  targets: readonly Target[],
): Promise<void> {
  if (startsAt === null || isPatient(when) || when.kind === 'weekly') return;
  const frozen = await frozenAt(context, request.channel, targets, startsAt);
  if (frozen === undefined) return;
  const timeZone = (await timeZoneOf(context, request.actor)) ?? 'UTC';
  const beginAt = (at: number) =>
    offer(request, `Begin ${sayAhead(at, { now: request.at, timeZone })}`, { at: new Date(at).toISOString() });
  const { until } = frozen;
  const next = until === null ? [] : [beginAt(Math.ceil((until + 1) / minute) * minute)];
  throw new Refusal('frozen', text('At that hour, ', sayFrozen(frozen)), {
    hint: 'A freeze can end earlier.',
    suggestions: [...next, offer(request, 'Begin when the freeze ends', { 'if-frozen': 'wait' })],
  });
}

/** Reads `every="sun 03:00" until=2027-03-01 runs=5`; undefined if the request asks for one run. */
function readRepeat(request: Asking, timeZone: string | undefined) {
  const { raw, at: now } = request;
  const [words, until, key] = [timingWord(raw, 'every'), timingWord(raw, 'until'), timingKey('every')];
  if (words === undefined) return undefined;
  if (timingWord(raw, 'at') !== undefined || timingWord(raw, 'in') !== undefined)
    throw badValue('`every` has its own hours.', 'Leave out `at` and `in`.');
  const read = readWeekly(words, timeZone ?? 'UTC');
  if (!read.ok)
    throw new Refusal('bad_value', read.why, {
      hint: 'Write both, in your time zone, like `every mon,thu 03:00`.',
      field: key,
      suggestions: read.instead.map((every) => {
        const other = readWeekly(every, timeZone ?? 'UTC');
        const label = other.ok ? sentenceStart(sayEvery(other.recurrence)) : every;
        return until === undefined
          ? offer(request, `${label}, for 30 days`, { every, until: 'in 30 days' })
          : offer(request, label, { every });
      }),
    });
  if (timeZone === undefined && read.recurrence.timeZone === 'UTC' && !/\butc$/i.test(words))
    throw badValue('Slack did not say your time zone.', 'Add one, like `every sun 03:00 Europe/Berlin`.', key);
  const last = readEnd(request, read.recurrence, until, timeZone);
  const most = readMost(request, read.recurrence, last);
  const startsAt = nextOf(read.recurrence, now);
  const weekly = { ...read.recurrence, days: [...read.recurrence.days] };
  return { startsAt, words, weekly: { weekly, until: last, mostRuns: most, ran: [] } };
}

function readEnd(request: Asking, weekly: Weekly, words: string | undefined, timeZone: string | undefined): number {
  if (words === undefined)
    throw new Refusal('bad_value', `${sentenceStart(sayEvery(weekly))}: until when?`, {
      hint: 'At most 90 days from now.',
      field: timingKey('until'),
      suggestions: [30, 90].map((days) => offer(request, `For ${days} days`, { until: `in ${days} days` })),
    });
  const read = readWhen(words, { now: request.at, timeZone }, standsAtMostMs);
  if (read.ok) return read.at;
  const later = read.instead.filter((other) => {
    const end = readWhen(other, { now: request.at, timeZone }, standsAtMostMs);
    return end.ok && end.at > nextOf(weekly, request.at);
  });
  throw badHour(request, { ...read, instead: [...later, 'in 30 days', 'in 90 days'].slice(0, 3) }, timeZone, 'until');
}

/** Without `runs`, the number of hours until the end. */
function readMost({ raw, at: now }: Asking, weekly: Weekly, until: number): number {
  let hours = 0;
  for (let at = nextOf(weekly, now); at <= until && hours < mostRuns; at = nextOf(weekly, at)) hours += 1;
  if (hours === 0)
    throw badValue('There is no such hour before the end.', 'Choose a later `until`.', timingKey('until'));
  const typed = timingWord(raw, 'runs');
  if (typed === undefined) return hours;
  const most = /^\d{1,4}$/.test(typed) ? Number(typed) : 0;
  if (most >= 1 && most <= mostRuns) return most;
  const hint = `Until the end there are ${count(hours, 'such hour')}.`;
  throw badValue(`\`runs\` is the most runs: a number from 1 to ${mostRuns}.`, hint, timingKey('runs'));
}

/** The same request with other words about its hour. */
function offer({ command, raw, reason }: Asking, label: string, words: Readonly<Record<string, string>>) {
  const isOnce = hasHour(raw) && timingWord(raw, 'every') === undefined;
  const all: Readonly<Record<string, string>> = { ...(isOnce && { at: typedHour(raw) }), ...words };
  const kept = (['at', 'every', 'until', 'runs', 'window', 'if-frozen'] as const).flatMap((name) => {
    const word = all[name] ?? timingWord(raw, name);
    return word === undefined ? [] : [[timingKey(name), [word]]];
  });
  return { label, command: lineOf(command, { ...withoutTiming(raw), ...Object.fromEntries(kept) }, reason) };
}
