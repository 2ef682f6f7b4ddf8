import { type Curve, extentOf, gapsIn, sayNumber } from '../../charts/curve.ts';
import { choice, withDefault } from '../../core/command/args.ts';
import { span } from '../../core/command/time-args.ts';
import { count, day, hour } from '../../core/text/words.ts';
import type { Button, View, ViewPart } from '../../core/view/view.ts';
import { runButton } from '../buttons.ts';
import { defineQuery } from '../define.ts';
import { serverChart } from './chart.ts';
import { oneServer } from './power.ts';

const fields = ['cpu', 'disk', 'io', 'memory', 'traffic'] as const;
const names = { cpu: 'CPU', disk: 'disk', io: 'disk operations', memory: 'memory', traffic: 'traffic' } as const;
const spans = ['1h', '24h', '7d', '30d'];

export const stats = defineQuery({
  path: 'stats',
  title: 'Statistics',
  summary: 'Show how busy a server was, as a picture and in words',
  examples: ['stats web-1', 'stats web-1 traffic 7d'],
  alsoCalled: ['graph', 'load', 'usage', 'metrics', 'chart', 'cpu', 'cpu of', 'cpu usage', 'cpu load'],
  args: {
    server: oneServer,
    field: withDefault(choice({ of: fields, labels: names, hint: 'The measured value. The default is cpu.' }), 'cpu'),
    span: withDefault(
      span({
        hint: 'How far back, such as 1h, 24h or 7d. The default is a day.',
        minMs: hour,
        maxMs: 366 * day,
        isPast: true,
      }),
      day,
    ),
  },
  capability: 'read',
  visibility: 'channel',
  run: async ({ server, field, span }, { reader, now, timeZone }): Promise<View> => {
    const start = startOf(span);
    const { series, subtitle } = await reader.vps.stats({
      order_id: server.id,
      field,
      start: `-${start.typed}`,
      end: 'now',
    });
    const curves = series.map(({ name, data }): Curve => ({ name: name || names[field], points: data }));
    const unit = unitOf(subtitle);
    const sentences = curves.map((curve) => sayCurve(curve, unit));
    const title = `${server.label} · ${names[field]}, last ${start.words}`;
    const hasValues = curves.some((curve) => extentOf(curve) !== undefined);
    const parts: ViewPart[] = [
      { kind: 'heading', text: title },
      {
        kind: 'text',
        text: hasValues
          ? sentences.join('\n')
          : 'The provider has no values for that time: a server that is off has none.',
      },
      ...(subtitle === ''
        ? []
        : [{ kind: 'context', text: `Measured by the provider: ${subtitle}` } satisfies ViewPart]),
    ];
    const controls: ViewPart[] = [
      { kind: 'buttons', buttons: otherFields(server.id, field, start.typed) },
      { kind: 'menu', label: 'Other time', options: otherSpans(server.id, field, start.typed) },
    ];
    if (!hasValues) return { summary: `${title}: no values`, parts: [...parts, ...controls] };
    const picture = serverChart(
      {
        name: `${server.id}-${field}-${start.typed}`,
        title,
        subtitle,
        sentences,
        curves,
        spanMs: start.ms,
      },
      { now, timeZone },
    );
    return {
      summary: `${title}: ${sentences.join('; ')}`,
      parts: [...parts, { kind: 'picture', file: picture.name, alt: picture.alt }, ...controls],
      files: [picture],
    };
  },
});

/** The provider accepts whole hours or days back, so a span is rounded up. */
function startOf(spanMs: number): { typed: string; words: string; ms: number } {
  const days = spanMs / day;
  if (Number.isInteger(days) && days > 1) return { typed: `${days}d`, words: `${days} days`, ms: spanMs };
  const hours = Math.ceil(spanMs / hour);
  return { typed: `${hours}h`, words: `${hours} h`, ms: hours * hour };
}

/** `CPU usage, %` → `%`. Empty if the text does not look like a unit. */
export function unitOf(subtitle: string): string {
  return /,\s*([^\s,]{1,10})$/.exec(subtitle)?.[1] ?? /\(([^()\s]{1,10})\)$/.exec(subtitle)?.[1] ?? '';
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

function otherFields(id: string, field: string, span: string): Button[] {
  return fields
    .filter((other) => other !== field)
    .map((other) => runButton(names[other], `stats ${id} ${other} ${span}`));
}

function otherSpans(id: string, field: string, span: string): Button[] {
  return spans
    .filter((other) => other !== span)
    .map((other) => runButton(`last ${other}`, `stats ${id} ${field} ${other}`));
}
