import type { Rule } from '../policy/policy.ts';
import { count, day, minute, sayDuration } from '../text/words.ts';
import { sayAhead, sayHour, sayMonthDay } from '../time/say-hour.ts';
import { everyDay, nextOf, sayEvery, sayWeekly } from '../time/weekly.ts';
import { wallClock } from '../time/zone.ts';
import { type Span, type Text, text } from '../view/view.ts';
import { approveLabel } from './approve-label.ts';
import { isEnd, type OperationState } from './operation.ts';
import { coolingMsOf, type Hour, type WeeklyWhen, type When } from './when.ts';

/** Every sentence about the hour of a request: on its card, in its thread, in lists. */

interface Timed extends Hour {
  readonly state: OperationState;
  readonly readyAt: number | null;
  readonly plan: { readonly title: string; readonly until?: number };
}

const withHour: readonly OperationState[] = ['waiting', 'scheduled', 'standing'];

/**
 * `Restart web-2 tomorrow 3:00 PM`, `Restart web-1 in “maintenance”, tomorrow 1:00–4:00 AM`, `Restart cache-1 every Monday
 * 4:00 AM until Jan 27`, `Reinstall web-1 begins 12:48 PM`. The title alone once it has begun.
 */
export function titleWithHour(request: Timed): Text {
  const behind = behindTitle(request);
  return behind === '' ? request.plan.title : text(request.plan.title, behind);
}

/** The words about the hour that follow the title. */
export function behindTitle({ plan: { until }, state, readyAt, ...hour }: Timed): Text {
  if (state === 'cooling' && readyAt !== null) return [' begins ', { date: readyAt, style: 'time' }];
  const isTaken = until !== undefined && (!isEnd(state) || state === 'done');
  const back: Text = isTaken ? [' until ', { date: until, style: 'full' }] : '';
  const begin = withHour.includes(state) ? sayBegin(hour) : '';
  return begin === '' ? back : text(begin, back);
}

function sayBegin({ startsAt, when }: Hour): Text {
  const begin: Span | undefined = startsAt === null ? undefined : { date: startsAt, style: 'full' };
  if (when.kind === 'weekly') return ` ${sayEvery(when.weekly)} until ${lastDay(when)}`;
  if (when.kind !== 'window') return begin === undefined ? '' : [' ', begin];
  const { name, until } = when.window;
  const end: Span = { date: until, style: 'full' };
  if (begin === undefined || startsAt === null) return [` in “${name}”, open until `, end];
  const between: Text = until - startsAt < day ? ['–', { ...end, style: 'time' }] : [' until ', end];
  return text(` in “${name}”, `, begin, between);
}

/** `Jan 27`, on the clocks of its zone. */
function lastDay({ until, weekly }: WeeklyWhen): string {
  return sayMonthDay(wallClock(until, weekly.timeZone));
}

/** The label of the button that decides: `Restart web-1`, `Schedule for tomorrow 3:00 PM`, `Allow 9 restarts until Jan 27`. */
export function decideLabel(act: string, { startsAt, when }: Hour, rule: Rule, now: number): string {
  const isApproval = typeof rule === 'object';
  if (when.kind === 'weekly') return `${isApproval ? 'Approve' : 'Allow'} ${sayRuns(act, when)} until ${lastDay(when)}`;
  if (when.kind === 'now' || startsAt === null) return isApproval ? approveLabel(act) : act;
  return `${isApproval ? 'Approve' : 'Schedule'} for ${sayAhead(startsAt, { now, timeZone: when.timeZone })}`;
}

/** The same without the hour, for a form that has it in its heading: `Schedule`, `Allow 9 restarts`. */
export function submitLabel(act: string, { startsAt, when }: Hour): string {
  if (when.kind === 'weekly') return `Allow ${sayRuns(act, when)}`;
  return when.kind === 'now' || startsAt === null ? act : 'Schedule';
}

/** `9 restarts` */
function sayRuns(act: string, { mostRuns }: WeeklyWhen): string {
  const [verb = ''] = /^(?:hard reset|restart|start|stop)\b/i.exec(act) ?? [];
  return count(mostRuns, verb === '' ? 'run' : verb.toLowerCase());
}

/** The next midnight, at which the day in the label of the button changes. */
export function labelChangesAt(when: When, after: number): number {
  if (when.kind === 'now') return Number.POSITIVE_INFINITY;
  return nextOf({ days: everyDay, hours: 0, minutes: 0, timeZone: when.timeZone }, after);
}

/** A second asking: what changed since the first, and the hour that was lost. */
export function sayAgain({ why, lostAt }: { readonly why: string; readonly lostAt: number | null }): Text {
  const lost: Text = lostAt === null ? '' : [' Its hour, ', { date: lostAt, style: 'full' }, ', is lost.'];
  return text(`Asked again: ${why}`, lost);
}

/** `3 of 9 runs` */
export function sayRan({ ran, mostRuns }: Pick<WeeklyWhen, 'ran' | 'mostRuns'>): string {
  return `${ran.length} of ${count(mostRuns, 'run')}`;
}

interface Promised extends Timed {
  readonly rule: Rule;
  readonly plan: Timed['plan'] & Parameters<typeof coolingMsOf>[0]['plan'];
}

/** The line below the title: the wait for the end of a freeze, the countdown to come, or the runs so far. */
export function sayProgress({ state, startsAt, when, rule, plan }: Promised): Text {
  if (when.kind === 'now' || !withHour.includes(state)) return '';
  if (when.frozen !== undefined) return `Waits for the end of the freeze: ${when.frozen.why}`;
  const coolingMs = coolingMsOf({ rule, plan });
  if (when.kind !== 'weekly')
    return state !== 'waiting' || startsAt === null || coolingMs === 0
      ? ''
      : [
          'Approved after ',
          { date: startsAt - coolingMs, style: 'full' },
          `, it begins late: ${sayDuration(coolingMs)} to stop it come first.`,
        ];
  const isNext = state === 'standing' && startsAt !== null && when.ran.length < when.mostRuns;
  const first = state === 'standing' ? sayRan(when) : count(when.mostRuns, 'run');
  const next: Text = isNext ? [' · next ', { date: startsAt, style: 'full' }] : '';
  return text(first, next, ' · stops by itself when something changes');
}

/** The promises about the hour and its zone, which a card keeps under Details. */
export function promises(request: Promised, mostFailedRuns: number): readonly string[] {
  const { startsAt, when, rule, state, plan } = request;
  if (when.kind === 'now' || !withHour.includes(state)) return [];
  const votes = typeof rule === 'object' ? ', the approvals' : '';
  if (when.kind === 'weekly')
    return [
      `${sayWeekly(when.weekly)}. One approval for all runs. Each run gets its own card, and the bot checks target, rights, votes, rule, pins and freezes again before it.`,
      `One run at a time; a missed hour is not made up for. ${mostFailedRuns} failures in a row, a lost right, a stricter rule, a pin or a changed target stop all.`,
    ];
  const coolingMs = startsAt === null ? 0 : coolingMsOf({ rule, plan });
  return [
    ...(startsAt === null
      ? []
      : [`${sayHour(startsAt, when.timeZone)}${when.words === '' ? '' : ` · ${when.words}`}.`]),
    ...(startsAt === null ? [] : [`At that hour the bot checks the target, the rights${votes} and freezes again.`]),
    ...(coolingMs === 0
      ? []
      : [
          `The last ${sayDuration(coolingMs)} before it are a countdown, in which everybody who may read this can stop it.`,
        ]),
    ...(when.ifFrozen === 'wait' ? ['It waits for the end of a freeze.'] : []),
    ...(when.kind === 'window' ? [`${when.window.words}. If it cannot begin in it, it moves into the next one.`] : []),
    ...(startsAt === null ? [] : [`If it starts more than ${sayLate(when.graceMs)} late, it asks you first.`]),
  ];
}

/** `10 minutes` */
function sayLate(ms: number): string {
  const minutes = ms / minute;
  return Number.isInteger(minutes) && minutes < 60 ? count(minutes, 'minute') : sayDuration(ms);
}
