import { digestView } from '../../core/alert/digest-view.ts';
import { optional, text } from '../../core/command/args.ts';
import { day, hour } from '../../core/text/words.ts';
import { readPast } from '../../core/time/moment.ts';
import { sayHour } from '../../core/time/say-hour.ts';
import { Refusal } from '../../core/view/errors.ts';
import { defineQuery } from '../define.ts';

const usualShiftMs = 12 * hour;
const longestShiftMs = 31 * day;

export const shift = defineQuery({
  path: 'shift',
  words: `| shift · handover · hand over · handoff · summary · report · briefing · on-call briefing | handoff to =
    to somebody · hand over to = to somebody · handover to = to somebody · shift handover · shift handoff · shift
    report · who has shift · what happened over · what happened tonight · hand off · need to know · what did i
    miss · on call till · taking over from · happen when slept · next worker · next shift · night duty`,
  title: 'Handover',
  summary: 'Show what the next shift must know: alerts, incidents, freezes, pins, requests and scheduled work',
  examples: ['shift', 'shift yesterday 22:00'],
  args: {
    since: optional(
      text({ place: 'rest', hint: 'Its begin; the last 12 hours without it.', example: 'yesterday 22:00' }),
    ),
  },
  capability: 'read',
  isAboutChannel: true,
  visibility: 'person',
  run: async ({ since }, { bot, now, timeZone }) => {
    // `handoff to lena`
    const isHandedTo = /^to (?:@?\p{L}\S*)$/iu.test(since ?? '');
    const at = since === undefined || isHandedTo ? Math.floor(now - usualShiftMs) : readBegin(since, { now, timeZone });
    const view = digestView(`Handover since ${sayHour(at, timeZone ?? 'UTC')}`, await bot.alerts.handover(at));
    return isHandedTo ? { ...view, parts: [...view.parts, { kind: 'context', text: handsOver }] } : view;
  },
});

const handsOver = 'Share this with the next person. “Hand over…” under an alert names who is on it.';

function readBegin(words: string, clock: { readonly now: number; readonly timeZone: string | undefined }): number {
  const read = readPast(words, clock);
  if (!read.ok)
    throw new Refusal('bad_value', read.why, {
      hint: 'Write the begin of the shift.',
      field: 'since',
      suggestions: read.instead.slice(0, 3).map((line) => ({ label: line, command: `shift ${line}` })),
    });
  if (clock.now - read.at > longestShiftMs)
    throw new Refusal('bad_value', 'A handover covers at most 31 days.', {
      hint: 'For what was before, use /host requests or /host audit.',
      field: 'since',
    });
  return read.at;
}
