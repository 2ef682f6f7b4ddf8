import type { SimOrder } from './model.ts';
import { noise } from './noise.ts';
import { dayMs, hourMs, numbers } from './numbers.ts';

interface Curve {
  readonly name: string;
  readonly color: string;
  readonly base: number;
  readonly swing: number;
  readonly jitter: number;
}

/** The available statistics with their curves. */
export const statsFields: ReadonlyMap<string, { readonly subtitle: string; readonly curves: readonly Curve[] }> =
  new Map([
    ['cpu', { subtitle: 'CPU usage, %', curves: [curve('CPU', '#7cb5ec', 4, 45, 12)] }],
    ['disk', { subtitle: 'Disk usage, GB', curves: [curve('Disk', '#90ed7d', 9, 2, 0.4)] }],
    ['io', { subtitle: 'Disk operations, IOPS', curves: [curve('IO', '#f7a35c', 20, 240, 90)] }],
    ['memory', { subtitle: 'Memory usage, MB', curves: [curve('Memory', '#8085e9', 700, 500, 60)] }],
    [
      'traffic',
      {
        subtitle: 'Traffic, Mbps',
        curves: [curve('Incoming', '#7cb5ec', 0.8, 9, 2), curve('Outgoing', '#434348', 1.5, 28, 6)],
      },
    ],
  ]);

function curve(name: string, color: string, base: number, swing: number, jitter: number): Curve {
  return { name, color, base, swing, jitter };
}

/** A server's daily curve: low at four in the morning, high in the afternoon, without values while it is off. */
export function drawCurve(order: SimOrder, shape: Curve, startMs: number, endMs: number) {
  const stepMs = stepFor(endMs - startMs);
  const offSince = order.vps?.power === 'off' ? order.vps.powerChangedAt : Number.POSITIVE_INFINITY;
  const size = 0.5 + noise(`${order.id} ${shape.name} size`);
  const data: [number, number | null][] = [];
  for (let at = Math.ceil(startMs / stepMs) * stepMs; at <= endMs; at += stepMs) {
    const beat = `${order.id} ${shape.name} ${at}`;
    const isMissing = at >= offSince || noise(`${beat} gap`) < 1 / numbers.statsGapEvery;
    const hourOfDay = (at % dayMs) / hourMs;
    const daily = (1 - Math.cos(((hourOfDay - 4) / 24) * 2 * Math.PI)) / 2;
    const value = (shape.base + shape.swing * daily) * size + shape.jitter * noise(beat);
    data.push([at, isMissing ? null : Math.round(value * 100) / 100]);
  }
  return { name: shape.name, color: shape.color, data, type: 'area' };
}

function stepFor(spanMs: number): number {
  const fits = numbers.statsStepsSec.find((step) => spanMs / (step * 1000) <= numbers.statsPointsMax);
  return (fits ?? dayMs / 1000) * 1000;
}

/** The traffic through a port of a dedicated server between two times, in bytes. */
export function trafficBetween(order: SimOrder, port: number, startMs: number, endMs: number) {
  const rate = order.ds?.trafficBytesPerSec ?? 0;
  let input = 0;
  let output = 0;
  if (port === 0) {
    for (let day = Math.floor(startMs / dayMs); day * dayMs < endMs; day++) {
      const seconds = (Math.min(endMs, (day + 1) * dayMs) - Math.max(startMs, day * dayMs)) / 1000;
      const bytes = rate * seconds * (0.7 + 0.6 * noise(`${order.id} day ${day}`));
      input += bytes * 0.2;
      output += bytes * 0.8;
    }
  }
  return { input: Math.round(input), output: Math.round(output) };
}
