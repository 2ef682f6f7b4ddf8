import { lineOf } from '../../core/grammar/parse.ts';
import { timingKey, timingWord, withoutTiming } from '../../core/grammar/timing.ts';
import type { Plan } from '../../core/plan/plan.ts';
import type { StandingApproval } from '../../core/plan/timing.ts';
import { higherRisk, type Risk } from '../../core/policy/policy.ts';
import { count } from '../../core/text/words.ts';
import { readWhen } from '../../core/time/read-when.ts';
import { nextOf, readWeekly, type Weekly } from '../../core/time/weekly.ts';
import { Refusal } from '../../core/view/errors.ts';
import { pinsOn, sayPinned } from '../access/pins.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { mostRuns, standsAtMostMs, usualMostRuns } from '../context/time-limits.ts';
import type { CommandRequest } from './command-request.ts';

type Asked = Pick<CommandRequest, 'at' | 'command' | 'raw'>;

/** Reads `every="sun 03:00" until=2027-03-01 runs=5`; undefined if the request asks for one run. */
export function readEvery(
  request: Asked,
  timeZone: string | undefined,
): { readonly startsAt: number; readonly words: string; readonly every: StandingApproval } | undefined {
  const { raw, at: now } = request;
  const [words, until] = [timingWord(raw, 'every'), timingWord(raw, 'until')];
  if (words === undefined) {
    const alone = (['until', 'runs'] as const).find((name) => timingWord(raw, name) !== undefined);
    if (alone === undefined) return undefined;
    throw new Refusal('bad_value', `\`${alone}\` is about runs again and again, and this runs once.`, {
      hint: 'Add the hours, like every="sun 03:00".',
    });
  }
  if (timingWord(raw, 'at') !== undefined || timingWord(raw, 'in') !== undefined)
    throw new Refusal('bad_value', '`every` has its own hours.', { hint: 'Leave out `at` and `in`.' });
  const read = readWeekly(words, timeZone ?? 'UTC');
  if (!read.ok)
    throw new Refusal('bad_value', read.why, {
      hint: 'Days and an hour, in your time zone.',
      suggestions: read.instead.map((every) => offer(request, { every }, every)),
    });
  if (timeZone === undefined && read.recurrence.timeZone === 'UTC' && !/\butc$/i.test(words))
    throw new Refusal('bad_value', 'Slack did not say your time zone.', {
      hint: 'Add one, like every="sun 03:00 Europe/Berlin".',
    });
  const last = readUntil(request, until, timeZone);
  const most = readMost(request, read.recurrence, last);
  const startsAt = nextOf(read.recurrence, now);
  const weekly = { ...read.recurrence, days: [...read.recurrence.days] };
  return { startsAt, words, every: { weekly, until: last, mostRuns: most, ran: [] } };
}

/** A standing approval covers requests that are at most disruptive, and never a pinned target. */
export async function mustBeRepeatable(
  context: EngineContext,
  { title, targets }: Pick<Plan<unknown>, 'title' | 'targets'>,
  risk: Risk,
): Promise<void> {
  if (higherRisk(risk, 'disruptive') !== 'disruptive')
    throw new Refusal('impossible', `${title} is ${risk}, and a standing approval is at most for what is disruptive.`, {
      hint: 'Ask for one hour, like at="sun 03:00".',
    });
  const pins = await pinsOn(context, targets);
  if (pins.length > 0)
    throw new Refusal('pinned', `${sayPinned(pins)}. Nothing runs on a pinned target under a standing approval.`, {
      hint: 'Ask for one hour, like at="sun 03:00".',
    });
}

function readUntil(request: Asked, words: string | undefined, timeZone: string | undefined): number {
  const { at: now } = request;
  if (words === undefined)
    throw new Refusal('bad_value', 'A standing approval needs an end.', {
      hint: 'Add it, like until="in 30 days": at most 90 days from now.',
      suggestions: [30, 90].map((days) => offer(request, { until: `in ${days} days` }, `For ${days} days`)),
    });
  const read = readWhen(words, { now, timeZone }, standsAtMostMs);
  if (read.ok) return read.at;
  throw new Refusal('bad_value', read.why, {
    hint: 'It is the end of the approval.',
    suggestions: read.instead.map((until) => offer(request, { until }, `until ${until}`)),
  });
}

/** Without `runs`, the number of hours until the end, up to about a month of days. */
function readMost({ raw, at: now }: Asked, weekly: Weekly, until: number): number {
  let hours = 0;
  for (let at = nextOf(weekly, now); at <= until && hours < mostRuns; at = nextOf(weekly, at)) hours += 1;
  if (hours === 0)
    throw new Refusal('bad_value', 'There is no such hour before the end.', { hint: 'Choose a later `until`.' });
  const typed = timingWord(raw, 'runs');
  if (typed === undefined) return Math.min(hours, usualMostRuns);
  const most = /^\d{1,4}$/.test(typed) ? Number(typed) : 0;
  if (most >= 1 && most <= mostRuns) return most;
  throw new Refusal('bad_value', `\`runs\` is the most runs: a number from 1 to ${mostRuns}.`, {
    hint: `Until the end there are ${count(hours, 'such hour')}.`,
  });
}

function offer({ command, raw }: Asked, options: Readonly<Record<string, string>>, label: string) {
  const kept = Object.fromEntries(
    (['every', 'until', 'runs', 'if-frozen'] as const).flatMap((name) => {
      const value = options[name] ?? timingWord(raw, name);
      return value === undefined ? [] : [[timingKey(name), [value]]];
    }),
  );
  return { label: `${label}…`, command: lineOf(command, { ...withoutTiming(raw), ...kept }), isForm: true };
}
