import { isEnd } from '../../core/plan/operation.ts';
import { coolingMsOf, type StandingApproval } from '../../core/plan/timing.ts';
import { count, day, minute, sayDuration } from '../../core/text/words.ts';
import { sayWeekly } from '../../core/time/weekly.ts';
import type { Button, Span, Text, ViewPart } from '../../core/view/view.ts';
import { mostFailedRuns } from '../context/time-limits.ts';
import type { Operation } from './record.ts';

/** The hour of a scheduled request, and its promise for then. */
export function hourOf(operation: Operation): ViewPart[] {
  const { startsAt, timing, state } = operation;
  if (timing === null || timing.every !== undefined || !(state === 'waiting' || state === 'scheduled')) return [];
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
  return ['Begins ', { date: startsAt ?? 0, style: 'full' }, asTyped(words, timeZone)];
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

/** The typed words, unless they are a date already. */
function asTyped(words: string, timeZone: string): string {
  return /\d{4}-/.test(words) ? '' : ` · ${words}, ${timeZone}`;
}

/** `3 runs` */
export function sayRan({ ran }: Pick<StandingApproval, 'ran'>): string {
  return ran.length === 0 ? 'no run' : count(ran.length, 'run');
}

/** The lines of a card about its standing approval, or about the one under which it runs. */
export function standingPart({ timing, state, startsAt }: Operation): ViewPart[] {
  if (timing?.run !== undefined) return [{ kind: 'context', text: ofRun(timing) }];
  const { every } = timing ?? {};
  if (every === undefined || isEnd(state)) return [];
  const { weekly, until, mostRuns, ran } = every;
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
  const people = run.by.flatMap((user, at): Span[] => [at === 0 ? ' of ' : ', ', { user }]);
  return [`Run ${run.n} of at most ${run.mostRuns} under the standing approval`, ...people, `: ${words}.`];
}
