import { day, minute, sayDuration } from '../../core/text/words.ts';
import { type Text, text, type ViewPart } from '../../core/view/view.ts';
import type { Operation } from './record.ts';

/** The hour of a scheduled request, and its promise for then. */
export function hourOf(operation: Operation): ViewPart[] {
  const { startsAt, timing, state } = operation;
  if (timing === null || !(state === 'waiting' || state === 'scheduled')) return [];
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
    const { name, until, words: windowWords } = window;
    const span: Text =
      startsAt === null
        ? ['open until ', { date: until, style: 'full' }]
        : [
            { date: startsAt, style: 'full' },
            ' until ',
            { date: until, style: until - startsAt < day ? 'time' : 'full' },
          ];
    return text(`Runs in the maintenance window ${name}, `, span, ' · ', { code: windowWords });
  }
  return ['Begins ', { date: startsAt ?? 0, style: 'full' }, asTyped(words, timeZone)];
}

function promiseOf({ startsAt, rule, plan }: Operation, { graceMs, ifFrozen, window }: Timing): string {
  const votes = typeof rule === 'object' ? ', the approvals' : '';
  const freeze = ifFrozen === 'wait' ? ' It waits for the end of a freeze.' : '';
  const next = window === undefined ? '' : ' If it cannot begin in it, it moves into the next one.';
  const late = startsAt === null ? '' : ` If it starts more than ${sayLate(graceMs)} late, it asks you first.`;
  const first = `At that hour the bot checks ${nameOf(plan)}, the rights${votes} and freezes again.`;
  return `${startsAt === null ? '' : first}${freeze}${next}${late}`.trim();
}

/** `10 minutes` */
function sayLate(ms: number): string {
  const minutes = ms / minute;
  return Number.isInteger(minutes) && minutes < 60
    ? `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`
    : sayDuration(ms);
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
