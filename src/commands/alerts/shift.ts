import { digestView } from '../../core/alert/digest-view.ts';
import { optional, text } from '../../core/command/args.ts';
import { day, hour } from '../../core/text/words.ts';
import { type PersonClock, readPast } from '../../core/time/moment.ts';
import { sayHour } from '../../core/time/say-hour.ts';
import type { Unread } from '../../core/time/unclear-words.ts';
import { readWeekly, sayWeekly, type Weekly } from '../../core/time/weekly.ts';
import { badValue } from '../../core/view/errors.ts';
import { runButton } from '../../core/view/view.ts';
import { defineAction, defineQuery } from '../define.ts';
import { changesSubscription, planSubscription } from './subscription.ts';

export const digest = defineAction({
  ...changesSubscription,
  path: 'digest',
  words: `send | digest · daily summary · daily report · weekly summary · morning report | every morning · each
    morning · daily digest · stop sending = off · stop digest = off · stop daily summary = off · summary come ·
    summary on · summary every · summary only · daily summary · daily report · report each day · report every day ·
    single message at · set summary`,
  title: 'Set the digest',
  summary: 'Set the hour at which this channel gets one message about trouble, ends, requests and work',
  examples: ['digest daily 09:00', 'digest off'],
  args: {
    when: {
      ...optional(
        text({ place: 'rest', hint: 'Days and an hour, such as mon-fri 08:30, or off.', example: 'daily 09:00' }),
      ),
      takes: ({ length }: readonly string[]) => length,
    },
  },
  fillIn: async (raw, { bot, channel }) => {
    const present = (await bot.alerts.subscription(channel))?.digest;
    return raw.when !== undefined || present === undefined ? raw : { ...raw, when: [sayWeekly(present)] };
  },
  plan: async ({ when }, context) => {
    const { bot, channel, timeZone, now } = context;
    const present = (await bot.alerts.subscription(channel))?.digest;
    if (when === undefined || /^(?:off|none|never|stop|no)$/i.test(when.trim())) {
      const effect = 'This channel gets no digest.';
      const plan = await planSubscription('End the digest', context, effect, ({ digest: _, ...others }) => others);
      if (present === undefined)
        return { ...plan, nothingToDo: effect, instead: [runButton('Daily at 09:00', 'digest daily 09:00')] };
      if (when !== undefined) return plan;
      const next = sayHour(await bot.alerts.nextDigest(channel, present), present.timeZone);
      return {
        ...plan,
        nothingToDo: `This channel gets a digest ${sayWeekly(present)}. The next one comes ${next}.`,
        instead: [runButton('End it', 'digest off')],
      };
    }
    const { days, ...hour } = readHours(when, timeZone);
    const next = { ...hour, days: [...days], since: Math.floor(now) };
    const first = sayHour(await bot.alerts.nextDigest(channel, next), next.timeZone);
    const isSame = present !== undefined && sayWeekly(present) === sayWeekly(next);
    return planSubscription(
      `Set the digest: ${sayWeekly(next)}`,
      context,
      `One message with at most 90 words, which everybody in the channel reads. The next one comes ${first}.`,
      (before) => (isSame ? before : { ...before, digest: next }),
    );
  },
  done: ([step]) => {
    const set = step?.data.subscription.digest;
    return { text: set === undefined ? 'This channel gets no digest' : `The digest comes ${sayWeekly(set)}` };
  },
});

function readHours(words: string, timeZone: string | undefined): Weekly {
  const read = readWeekly(words, timeZone ?? 'UTC');
  if (!read.ok) throw notRead(read, 'Write days and an hour.', 'when', 'digest');
  if (timeZone === undefined && read.recurrence.timeZone === 'UTC' && !/\b(?:utc|gmt)$/i.test(words))
    throw badValue('Slack did not say your time zone.', 'Add one, like `digest daily 09:00 Europe/Berlin`.', 'when');
  return read.recurrence;
}

const usualShiftMs = 12 * hour;
const longestShiftMs = 31 * day;

const begin = text({ place: 'rest', hint: 'Its begin; the last 12 hours without it.', example: 'yesterday 22:00' });

export const shift = defineQuery({
  path: 'shift',
  words: `| shift · handover · hand over · handoff · summary · report · briefing · on-call briefing | handoff to =
    to somebody · hand over to = to somebody · handover to = to somebody · shift handover · shift handoff · shift
    report · who has shift · what happened over · what happened tonight · hand off · need to know · what did i
    miss · on call till · taking over from · happen when slept · next worker · next shift · night duty`,
  title: 'Handover',
  summary: 'Show what the next shift must know: alerts, incidents, freezes, pins, requests and scheduled work',
  examples: ['shift', 'shift yesterday 22:00'],
  args: { since: optional(begin) },
  capability: 'read',
  isAboutChannel: true,
  run: async ({ since }, { bot, now, timeZone }) => {
    // `handoff to lena`
    const isHandedTo = /^to (?:@?\p{L}\S*)$/iu.test(since ?? '');
    const at = since === undefined || isHandedTo ? Math.floor(now - usualShiftMs) : readBegin(since, { now, timeZone });
    const view = digestView(`Handover since ${sayHour(at, timeZone ?? 'UTC')}`, await bot.alerts.handover(at));
    return isHandedTo ? { ...view, parts: [...view.parts, { kind: 'context', text: handsOver }] } : view;
  },
});

const handsOver = 'Share this with the next person. “Hand over…” under an alert names who is on it.';

function readBegin(words: string, clock: PersonClock): number {
  const read = readPast(words, clock);
  if (!read.ok) throw notRead(read, 'Write the begin of the shift.', 'since', 'shift');
  const hint = 'For what was before, use /host requests or /host audit.';
  if (clock.now - read.at > longestShiftMs) throw badValue('A handover covers at most 31 days.', hint, 'since');
  return read.at;
}

/** Refuses words that are no time, and offers the same line with those that are. */
function notRead({ why, instead }: Unread, hint: string, field: string, path: string) {
  return badValue(why, hint, field, ...instead.map((words) => ({ label: words, command: `${path} ${words}` })));
}
