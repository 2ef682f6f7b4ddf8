import { z } from 'zod';
import { day } from '../text/words.ts';
import { missingDay, type PersonClock, readTime } from '../time/read-when.ts';
import { Refusal } from '../view/errors.ts';
import { optional, text } from './args.ts';

const date = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, 'a day such as 2026-11-01');

/** `from 2026-11-01 to 2026-11-30`: whole days, the last one included. */
export const dayArgs = {
  from: optional(text({ place: 'option', after: ['from'], hint: 'The first day, such as 2026-11-01.', schema: date })),
  to: optional(text({ place: 'option', after: ['to'], hint: 'The last day, such as 2026-11-30.', schema: date })),
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
