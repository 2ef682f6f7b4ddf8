import type { Curve } from '../../charts/curve.ts';
import { drawPng } from '../../charts/draw.ts';
import type { View } from '../../core/view/view.ts';

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
  /** A low picture beside an answer that is complete without it. */
  readonly isAside?: true;
}

/** A picture of values of a server over a time that ends at `now`; a line about it, if it cannot be drawn. */
export async function serverChart(
  { name, title, subtitle, sentences, curves, spanMs, isAside }: ServerChart,
  { now, timeZone = 'UTC' }: { readonly now: number; readonly timeZone?: string | undefined },
): Promise<Pick<View, 'parts' | 'files'>> {
  const times = curves.flatMap(({ points }) => points.map(([atMs]) => atMs)).filter(Number.isFinite);
  const file = `${name}.png`;
  const alt = `Curve of ${title}. ${sentences.join('. ')}.`;
  try {
    const bytes = await drawPng({
      // The letters of a longer title would be too small.
      title: title.length > 60 ? `${title.slice(0, 59)}…` : title,
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
