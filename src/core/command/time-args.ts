import { z } from 'zod';
import type { Reading } from '../targets/targets.ts';
import { day, hour, minute, sayDuration, spanText } from '../text/words.ts';
import { type PersonClock, readPast, readTime, readWhen } from '../time/moment.ts';
import { timeAt } from '../time/said-time.ts';
import { partsOf, spanOf } from '../time/time-words.ts';
import { missingDay, writeLike } from '../time/unclear-words.ts';
import { badValue, Refusal } from '../view/errors.ts';
import { type Arg, type CommonArg, option, scalar, text } from './args.ts';

const spanWords: Readonly<Record<string, number>> = { hour, day, week: 7 * day, month: 30 * day, year: 365 * day };
/** Names of days, as the span since their beginning. */
const pastWords: Readonly<Record<string, number>> = { today: day, night: day, yesterday: 2 * day };

/** `2 hours`, `in 2 hours`, `week`; for the past, `yesterday` as well. */
export function spanIn(typed: string, isPast = false): number | undefined {
  const word = typed.toLowerCase().trim();
  const words = isPast ? { ...spanWords, ...pastWords } : spanWords;
  return Object.hasOwn(words, word) ? words[word] : spanOf(word.replace(/^(?:in|for) /, ''));
}

/** `18:00`, `yesterday 14:00`: the span since then. Recognizing it needs a clock, but no certain one. */
function sinceThen(typed: string, clock: PersonClock = { now: Date.UTC(2100, 0, 15, 12), timeZone: 'UTC' }) {
  const then = readPast(typed, clock);
  return then.ok ? clock.now - then.at : undefined;
}

/** `15m`, `24h`, `7d`; the value is milliseconds. */
export function span(
  common: CommonArg & {
    minMs: number;
    maxMs: number;
    /** The span ends now, as in `the last 7d`. */
    isPast?: boolean;
    /** A line may end with the value alone: `freeze here release 2h`. */
    mayTrail?: boolean;
  },
): Arg<number> {
  const { minMs, maxMs, isPast = false, mayTrail = false, ...rest } = common;
  const readSpan = (text: string) => spanIn(text, isPast);
  const read = (words: readonly string[], { clock }: Reading) => {
    const typed = words.join(' ');
    const ms = readSpan(typed) ?? spanOf(words.join('')) ?? (isPast ? sinceThen(typed, clock) : undefined);
    if (ms !== undefined && ms >= minMs && ms <= maxMs) return ms;
    throw new Refusal('bad_value', `\`${typed}\` is not a time span that fits.`, {
      hint: `Write it like 90s, 15m, 24h or 7d, from ${sayDuration(minMs)} to ${sayDuration(maxMs)}.`,
    });
  };
  // `waiting for week 12` contains no time: after a word, a bare unit counts only for the past.
  const isSaid = (text: string) => readSpan(text) !== undefined && (isPast || !Object.hasOwn(spanWords, text));
  const isTime = (text: string) => isSaid(text) || (isPast && sinceThen(text) !== undefined);
  const takes = (words: readonly string[]) => [3, 2, 1].find((n) => isTime(words.slice(0, n).join(' '))) ?? 0;
  return {
    ...scalar<number>(rest, 'text', read, spanText),
    fits: (word) => readSpan(word) !== undefined,
    takes,
    ...(mayTrail ? { trails: (words) => spanOf(words.join(' ')) !== undefined } : {}),
  };
}

/**
 * `tomorrow 9am`, `in 2 hours`, `2h`, `friday`, in the person's time zone; the value is the time in milliseconds.
 * `mayTrail`: the value may end a line without the argument's name.
 */
export function moment(common: CommonArg & { maxMs: number; mayTrail?: boolean }): Arg<number> {
  const { maxMs, mayTrail = false, ...rest } = common;
  const read = (words: readonly string[], { clock }: Reading) => {
    const typed = words.join(' ');
    // Without a clock, the value is the shown time and may be past by now.
    const at = clock === undefined ? readTime(typed, { now: 0, timeZone: 'UTC' }) : undefined;
    if (at !== undefined) return at;
    const result = readWhen(typed, clock ?? { now: 0, timeZone: 'UTC' }, maxMs);
    if (result.ok) return result.at;
    throw new Refusal('bad_value', result.why, result.instead.length === 0 ? {} : { hint: writeLike(result.instead) });
  };
  // Takes at least one word: one that is not a time is refused and not parsed as another argument.
  const takes = (words: readonly string[]) => {
    const { kind, end } = timeAt(words, 0, true) ?? {};
    return kind === 'at' || kind === 'span' ? (end ?? 1) : 1;
  };
  // A bare weekday may belong to the text before it.
  const trails = (words: readonly string[]) => partsOf(words.join(' ')) !== undefined && /\d/.test(words.join(''));
  return {
    ...scalar<number>(rest, 'text', read, (at) => new Date(at).toISOString()),
    takes,
    ...(mayTrail ? { trails } : {}),
  };
}

/** `for 2h` or `until monday 9am`: the end of what begins now. */
export function endArgs(hint: string, maxMs: number) {
  const common = { maxMs, mayTrail: true };
  return {
    for: option(span({ ...common, after: ['for', 'during'], hint, minMs: minute })),
    until: option(moment({ ...common, after: ['until', 'till', 'til'], hint: 'Or the end, such as monday 9am.' })),
  };
}

/** The end that was given, if one was. */
export function endOf({ for: forMs, until }: Record<'for' | 'until', number | undefined>, now: number) {
  if (forMs === undefined || until === undefined) return until ?? (forMs && now + forMs);
  const hint = 'Leave one of them out.';
  throw badValue('You gave both a duration and an end.', hint, 'until');
}

const date = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, 'a day such as 2026-11-01');

/** `from 2026-11-01 to 2026-11-30`: whole days, the last one included. */
export const dayArgs = {
  from: option(text({ after: ['from'], hint: 'The first day, such as 2026-11-01.', schema: date })),
  to: option(text({ after: ['to'], hint: 'The last day, such as 2026-11-30.', schema: date })),
};

/** The beginning of the first day, or else `start`, and the end of the last day. Refuses days that do not exist. */
export function boundsOf(
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
  { now, timeZone }: PersonClock,
  start?: number,
): { readonly first: number | undefined; readonly before: number | undefined } {
  const midnight = (typed: string | undefined) => {
    const at = typed === undefined ? undefined : readTime(`${typed} 0:00`, { now, timeZone });
    if (at !== undefined || typed === undefined) return at;
    throw new Refusal('bad_value', missingDay(typed)?.why ?? `The time zone ${timeZone} is unknown.`, {
      hint: 'Write a span such as 7d instead.',
    });
  };
  const first = midnight(from) ?? start;
  const last = midnight(to);
  if (first !== undefined && last !== undefined && last < first)
    throw new Refusal('bad_value', 'The last day is before the first.', { field: 'to' });
  return { first, before: last === undefined ? undefined : last + day };
}
