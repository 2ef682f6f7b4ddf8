import type { Reading } from '../targets/targets.ts';
import { readTime, spanOf, timeWords } from '../text/natural-time.ts';
import { sayDuration, spanText } from '../text/words.ts';
import { Refusal } from '../view/errors.ts';
import { type Arg, type CommonArg, scalar } from './args.ts';

/** `15m`, `24h`, `7d`; the value is milliseconds. */
export function span(
  common: CommonArg & {
    minMs: number;
    maxMs: number;
    /** Other words that people use for one: `week`. */
    also?: Readonly<Record<string, number>>;
  },
): Arg<number> {
  const { minMs, maxMs, also = {}, ...rest } = common;
  const said = (text: string) => (Object.hasOwn(also, text) ? also[text] : spanOf(text));
  const read = (words: readonly string[]) => {
    const ms = said(words.join(' ').toLowerCase().trim()) ?? spanOf(words.join(''));
    if (ms !== undefined && ms >= minMs && ms <= maxMs) return ms;
    throw new Refusal('bad_value', `\`${words.join(' ')}\` is not a time span that fits.`, {
      hint: `Write it like 90s, 15m, 24h or 7d, from ${sayDuration(minMs)} to ${sayDuration(maxMs)}.`,
    });
  };
  const takes = (words: readonly string[]) =>
    [3, 2, 1].find((n) => said(words.slice(0, n).join(' ')) !== undefined) ?? 0;
  return {
    ...scalar<number>(rest, 'text', read, spanText),
    fits: (word) => said(word.toLowerCase()) !== undefined,
    takes,
  };
}

/** `tomorrow 9am`, `in 2 hours`, `friday`, in the person's time zone; the value is the moment, in milliseconds. */
export function moment(common: CommonArg & { maxMs: number }): Arg<number> {
  const { maxMs, ...rest } = common;
  const read = (words: readonly string[], { clock }: Reading) => {
    const typed = words.join(' ');
    const at = readTime(typed, clock ?? { now: 0, timeZone: 'UTC' });
    const hint = `Write it like tomorrow 9am, friday, in 2 hours or 2026-12-01 09:00, at most ${sayDuration(maxMs)} ahead.`;
    if (at === undefined) throw new Refusal('bad_value', `\`${typed.slice(0, 80)}\` is not a time.`, { hint });
    // Read again without a clock it is the moment that was shown.
    if (clock !== undefined && at <= clock.now)
      throw new Refusal('bad_value', `\`${typed.slice(0, 80)}\` is past.`, { hint });
    if (clock === undefined || at - clock.now <= maxMs) return at;
    throw new Refusal('bad_value', `\`${typed.slice(0, 80)}\` is too far ahead.`, { hint });
  };
  // A word that is no time is refused, and not read as something else.
  const takes = (words: readonly string[]) => Math.max(1, timeWords(words));
  return { ...scalar<number>(rest, 'text', read, (at) => new Date(at).toISOString()), takes };
}
