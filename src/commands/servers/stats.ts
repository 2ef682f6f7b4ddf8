import { type Curve, extentOf, gapsIn, sayNumber } from '../../charts/curve.ts';
import { type Chart, drawPng } from '../../charts/draw-chart.ts';
import { choice, withDefault } from '../../core/command/args.ts';
import { boundsOf, dayArgs, span } from '../../core/command/time-args.ts';
import { count, day, dayInWords, hour, shortened } from '../../core/text/words.ts';
import { Refusal } from '../../core/view/errors.ts';
import { buttonRow, menuOf, runButton, textPart, type View, type ViewPart } from '../../core/view/view.ts';
import { defaultOf } from '../args.ts';
import { channelRead, defineQuery } from '../define.ts';
import { oneServer } from './power.ts';

const fields = ['cpu', 'disk', 'io', 'memory', 'traffic'] as const;
const names = { cpu: 'CPU', disk: 'disk', io: 'disk operations', memory: 'memory', traffic: 'traffic' } as const;
const mostDays = 366;
const spans = ['1h', '24h', '7d', '30d'];

const noValues = 'The provider has no values for that time: a server that is off has none.';

export const stats = defineQuery({
  path: 'stats',
  words: `graph · chart | load · cpu · memory · ram · disk · traffic · usage · metric · graph · busy · top · stats ·
    statistic · disk space · bandwidth | disk full · is slow · too slow · very slow · memory = memory · ram = memory ·
    memory usage = memory · bandwidth = traffic · how busy · how loaded · how much memory = memory · how much ram =
    memory · how much cpu = cpu · how much disk = disk · how much traffic = traffic`,
  title: 'Statistics',
  summary: 'Show how busy a server was, as a picture and in words',
  examples: ['stats web-1 traffic 7d', 'stats web-1 cpu from 2026-11-01 to 2026-11-20'],
  args: {
    server: oneServer,
    field: withDefault(choice({ of: fields, labels: names, hint: 'The measured value. The default is cpu.' }), 'cpu'),
    span: defaultOf(span)({
      hint: 'How far back, such as 1h, 24h or 7d. The default is a day.',
      minMs: hour,
      maxMs: mostDays * day,
      isPast: true,
      usual: day,
    }),
    ...dayArgs,
  },
  ...channelRead,
  run: async ({ server, field, span, from, to }, { reader, now, timeZone }): Promise<View> => {
    const period = from === undefined && to === undefined ? lastOf(span, now) : daysOf(from, to, span, now);
    const { typed, start, end } = period;
    const { series, subtitle } = await reader.vps.stats({ order_id: server.id, field, start, end });
    const curves = series.map(({ name, data }): Curve => ({ name: name || names[field], points: data }));
    const sentences = sayCurves(curves, subtitle);
    const title = `${server.label} · ${names[field]}, ${period.words}`;
    const hasValues = curves.some((curve) => extentOf(curve) !== undefined);
    const parts: ViewPart[] = [
      { kind: 'heading', text: title },
      { kind: 'text', text: hasValues ? sentences.join('\n') : noValues },
      ...textPart('context', subtitle === '' ? '' : `Measured by the provider: ${subtitle}`),
    ];
    const others = fields.filter((other) => other !== field);
    const otherSpans = spans.filter((other) => other !== typed);
    const controls: ViewPart[] = [
      ...buttonRow(others.map((other) => runButton(names[other], `stats ${server.id} ${other} ${typed}`))),
      ...menuOf('Other time', otherSpans, (other) =>
        runButton(`last ${other}`, `stats ${server.id} ${field} ${other}`),
      ),
    ];
    if (!hasValues) return { summary: `${title}: no values`, parts: [...parts, ...controls] };
    const chart = await serverChart(
      {
        name: `${server.id}-${field}-${typed.replaceAll(/[ =]/g, '-')}`,
        title,
        subtitle,
        curves,
        spanMs: period.until - period.since,
      },
      { now: period.until, timeZone },
    );
    return {
      ...chart,
      summary: `${title}: ${sentences.join('; ')}`,
      parts: [...parts, ...chart.parts, ...controls],
    };
  },
});

/** The provider accepts whole hours or days back, so a span is rounded up. `typed`: as in a line. */
function lastOf(spanMs: number, now: number) {
  const days = spanMs / day;
  const isDays = Number.isInteger(days) && days > 1;
  const hours = Math.ceil(spanMs / hour);
  const typed = isDays ? `${days}d` : `${hours}h`;
  const words = isDays ? `last ${days} days` : `last ${hours} h`;
  return { typed, words, start: `-${typed}`, end: 'now', since: now - hours * hour, until: now };
}

/** Whole days in UTC. The provider reads a day as its beginning, so the end is the day after the last. */
function daysOf(from: string | undefined, to: string | undefined, span: number, now: number) {
  const { first, before = Number.POSITIVE_INFINITY } = boundsOf({ from, to }, { now, timeZone: 'UTC' });
  const refused = (why: string, field: string) => new Refusal('bad_value', why, { field });
  if (from === undefined || first === undefined)
    throw refused('The first day is missing: add `from 2026-11-01`.', 'from');
  if (span !== day) throw refused('Give a span or days, not both.', 'span');
  if (first > now) throw refused('The first day is still to come.', 'from');
  const until = Math.min(before, now);
  if (until - first > mostDays * day) throw refused(`The provider shows at most ${mostDays} days at once.`, 'from');
  const isPast = before <= now;
  return {
    typed: `from=${from}${to === undefined ? '' : ` to=${to}`}`,
    words: `${dayInWords(first)} ${isPast ? `to ${dayInWords(before - day)}` : 'until now'}`,
    start: from,
    end: isPast ? new Date(before).toISOString().slice(0, 10) : 'now',
    since: first,
    until,
  };
}

/** `CPU usage, %` → `%`. Empty if the text does not look like a unit. */
export function unitOf(subtitle: string): string {
  return /,\s*([^\s,]{1,10})$/.exec(subtitle)?.[1] ?? /\(([^()\s]{1,10})\)$/.exec(subtitle)?.[1] ?? '';
}

function sayCurves(curves: readonly Curve[], subtitle: string): string[] {
  return curves.map((curve) => sayCurve(curve, unitOf(subtitle)));
}

/** `CPU: min 2.1 % · mean 23 % · max 71 % · last 33 %; 3 gaps` */
export function sayCurve(curve: Curve, unit: string): string {
  const extent = extentOf(curve);
  if (extent === undefined) return `${curve.name}: no values`;
  const words = (['min', 'mean', 'max', 'last'] as const).map((name) =>
    [name, sayNumber(extent[name]), unit].filter((word) => word !== '').join(' '),
  );
  const gaps = gapsIn(curve);
  return `${curve.name}: ${words.join(' · ')}${gaps === 0 ? '' : `; ${count(gaps, 'gap')}`}`;
}

interface ServerChart extends Pick<Chart, 'curves' | 'title'> {
  /** The name of the file, without its ending. */
  readonly name: string;
  /** The provider's name of the values, such as `CPU usage, %`. */
  readonly subtitle: string;
  readonly spanMs: number;
  /** A low picture beside an answer that is complete without it. */
  readonly isAside?: true;
}

/** A picture of values of a server over a time that ends at `now`; a line about it, if it cannot be drawn. */
export async function serverChart(
  { name, title, subtitle, curves, spanMs, isAside }: ServerChart,
  { now, timeZone = 'UTC' }: { readonly now: number; readonly timeZone?: string | undefined },
): Promise<Pick<View, 'parts' | 'files'>> {
  const times = curves.flatMap(({ points }) => points.map(([atMs]) => atMs)).filter(Number.isFinite);
  const file = `${name}.png`;
  const alt = `Curve of ${title}. ${sayCurves(curves, subtitle).join('. ')}.`;
  try {
    const bytes = await drawPng({
      // The letters of a longer title would be too small.
      title: shortened(title),
      // The picture names its time zone, since viewers may be in another one.
      axis: [subtitle, `times of ${timeZone}`].filter(Boolean).join(' · '),
      curves,
      // The provider's clock may differ, so none of its points is cut off.
      fromMs: Math.min(now - spanMs, ...times),
      toMs: Math.max(now, ...times),
      timeZone,
      isLow: isAside === true,
    });
    return {
      parts: [{ kind: 'picture', file, alt, ...(isAside && { isAside }) }],
      files: [{ name: file, title, alt, bytes }],
    };
  } catch (error) {
    const [why] = String(error).split('\n');
    return { parts: [{ kind: 'context', text: `The curve could not be drawn: ${why}.` }] };
  }
}
