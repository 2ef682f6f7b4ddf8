import { type Curve, extentOf, sayNumber } from '../../charts/curve.ts';
import type { Order } from '../../core/account/account.ts';
import { day, hour } from '../../core/text/words.ts';
import { ProviderError } from '../../core/view/errors.ts';
import type { View } from '../../core/view/view.ts';
import type { Reader } from '../../provider/client.ts';
import { serverChart } from './chart.ts';
import { sayCurve, unitOf } from './stats.ts';

/** The load of a server: the last values in words, and the processor's curve of the last day. */
export interface Load {
  readonly words: readonly string[];
  readonly cpu?: { readonly curve: Curve; readonly subtitle: string };
}

export const noLoad: Load = { words: [] };

/** `CPU 27 %`, `memory 652 MB`. A value that cannot be read, or is older than an hour, is left out. */
export async function loadOf(reader: Reader, id: string): Promise<Load> {
  const [cpu, memory] = await Promise.all([
    curveOf(reader, id, { field: 'cpu', name: 'CPU', start: '-24h' }),
    curveOf(reader, id, { field: 'memory', name: 'memory', start: '-1h' }),
  ]);
  const words = [cpu, memory].flatMap((read) => {
    if (read === undefined) return [];
    const { name, points } = read.curve;
    // The provider's clock may differ from this one.
    const newest = Math.max(...points.map(([atMs]) => atMs));
    const last = extentOf({ name, points: points.filter(([atMs]) => atMs > newest - hour) })?.last;
    return last === undefined ? [] : [`${name} ${sayNumber(last)} ${unitOf(read.subtitle)}`.trim()];
  });
  return cpu === undefined || extentOf(cpu.curve) === undefined ? { words } : { words, cpu };
}

async function curveOf(
  reader: Reader,
  id: string,
  { field, name, start }: { readonly field: 'cpu' | 'memory'; readonly name: string; readonly start: string },
): Promise<{ readonly curve: Curve; readonly subtitle: string } | undefined> {
  try {
    const { series, subtitle } = await reader.vps.stats({ order_id: id, field, start, end: 'now' });
    return { curve: { name, points: series[0]?.data ?? [] }, subtitle };
  } catch (error) {
    if (error instanceof ProviderError) return undefined;
    throw error;
  }
}

/** The picture among the words of an answer; nothing for a server without values. */
export async function dayChart(
  { id, label }: Order,
  { cpu }: Load,
  clock: { readonly now: number; readonly timeZone?: string | undefined },
): Promise<Pick<View, 'parts' | 'files'>> {
  if (cpu === undefined) return { parts: [] };
  const { curve, subtitle } = cpu;
  return serverChart(
    {
      name: `${id}-day`,
      title: `${label} · CPU, last 24 h`,
      subtitle,
      sentences: [sayCurve(curve, unitOf(subtitle))],
      curves: [curve],
      spanMs: day,
      isAside: true,
    },
    clock,
  );
}
