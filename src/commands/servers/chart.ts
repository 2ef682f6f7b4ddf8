import type { Curve } from '../../charts/curve.ts';
import { drawChart } from '../../charts/desk.ts';
import type { Chart } from '../../charts/draw.ts';
import type { Attachment } from '../../core/view/view.ts';

interface ServerChart {
  /** The name of the file, without its ending. */
  readonly name: string;
  readonly title: string;
  /** The provider's name of the values, such as `CPU usage, %`. */
  readonly subtitle: string;
  /** The same in words, for the alternative text. */
  readonly sentences: readonly string[];
  readonly curves: readonly Curve[];
  readonly spanMs: number;
  readonly isLow?: boolean;
}

/** A picture of values of a server over a time that ends at `now`. */
export function serverChart(
  { name, title, subtitle, sentences, curves, spanMs, isLow = false }: ServerChart,
  { now, timeZone = 'UTC' }: { readonly now: number; readonly timeZone?: string | undefined },
): Attachment & { readonly bytes: () => Promise<Uint8Array> } {
  const times = curves.flatMap(({ points }) => points.map(([atMs]) => atMs)).filter(Number.isFinite);
  const chart: Chart = {
    // A longer name would run into the legend.
    title: title.length > 60 ? `${title.slice(0, 59)}…` : title,
    // The picture names its time zone, since viewers may be in another one.
    axis: [subtitle, `times of ${timeZone}`].filter(Boolean).join(' · '),
    curves,
    // The provider's clock may differ, so none of its points is cut off.
    fromMs: Math.min(now - spanMs, ...times),
    toMs: Math.max(now, ...times),
    timeZone,
    isLow,
  };
  const alt = `Curve of ${title}. ${sentences.join('. ')}.`;
  let drawn: Promise<Uint8Array> | undefined;
  // Drawn when the answer is sent, and once, however often Slack has to get it.
  const bytes = () => {
    drawn ??= drawChart(chart);
    return drawn;
  };
  return { name: `${name}.png`, title, alt, bytes };
}
