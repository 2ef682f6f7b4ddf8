import { digestBlocks } from '../../core/alert/digest.ts';
import { optional, text } from '../../core/command/args.ts';
import { day, hour } from '../../core/text/words.ts';
import { readPast } from '../../core/time/read-past.ts';
import { sayHour, sayWall } from '../../core/time/say-hour.ts';
import { wallClock } from '../../core/time/zone.ts';
import { Refusal } from '../../core/view/errors.ts';
import { plain, type Text } from '../../core/view/view.ts';
import { defineQuery } from '../define.ts';

const usualShiftMs = 12 * hour;
const longestShiftMs = 31 * day;

export const shift = defineQuery({
  path: 'shift',
  title: 'Handover',
  summary: 'Show trouble, ends, open requests and the work of a shift, as text to copy',
  examples: ['shift', 'shift yesterday 22:00'],
  alsoCalled: ['handover', 'hand over', 'summary', 'report', 'shift report', 'handover report'],
  args: {
    since: optional(
      text({ place: 'rest', hint: 'Its begin; the last 12 hours without it.', example: 'yesterday 22:00' }),
    ),
  },
  capability: 'read',
  isAboutChannel: true,
  visibility: 'person',
  run: async ({ since }, { bot, now, timeZone }) => {
    const at = since === undefined ? Math.floor(now - usualShiftMs) : readBegin(since, { now, timeZone });
    const zone = timeZone ?? 'UTC';
    const title = `Handover since ${sayHour(at, zone)}`;
    const lines = digestBlocks(title, await bot.alerts.handover(at)).flat();
    return { summary: title, parts: [{ kind: 'code', text: lines.map((line) => written(line, zone)).join('\n') }] };
  },
});

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

/** Copied text keeps no dates of Slack, so hours are on the clocks that the title names. */
function written(line: Text, timeZone: string): string {
  if (typeof line === 'string') return line;
  return line
    .map((span) =>
      typeof span === 'object' && 'date' in span && span.style !== 'day'
        ? sayWall(wallClock(span.date, timeZone))
        : plain([span]),
    )
    .join('');
}
