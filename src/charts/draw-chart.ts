import { createRequire } from 'node:module';
import { type Curve, extentOf, withGaps } from './curve.ts';
import { timeTicks } from './time-ticks.ts';

export interface Chart {
  readonly title: string;
  /** The label of the value axis, such as `CPU usage, %`. */
  readonly axis: string;
  readonly curves: readonly Curve[];
  readonly fromMs: number;
  readonly toMs: number;
  readonly timeZone: string;
  /** A low picture, beside words that say more. */
  readonly isLow?: boolean;
}

/** Small, so that the letters can be read on a phone, which shows the picture some 300 pixels wide. */
const width = 480;
const heights = { usual: 224, low: 144 };
const sharpness = 2;
const [margin, letter] = [16, 7.6];

/** Colors that differ in brightness too. No dashed lines, which look like gaps. */
const strokes = ['#1264a3', '#ea8c1a', '#14532d', '#a78bfa'] as const;

/** Opaque, neutral colors, since the same picture is shown on white and on black pages. */
const ink = { paper: '#f8f8f6', text: '#1d1c1d', quiet: '#5c5c60', grid: '#dcdcd8' };
const family = 'DejaVu Sans';

/** Loaded for the first chart, so that a machine for which there is no native code only lacks pictures. */
let loaded: ReturnType<typeof load> | undefined;

async function load() {
  const { renderAsync } = await import('@resvg/resvg-js');
  const { resolve } = createRequire(import.meta.url);
  // Own fonts, since machines have different fonts, and servers often none.
  const fontFiles = ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'].map((file) => resolve(`dejavu-fonts-ttf/ttf/${file}`));
  const options = { fitTo: { mode: 'zoom', value: sharpness }, font: { loadSystemFonts: false, fontFiles } } as const;
  return async (svg: string) => (await renderAsync(svg, options)).asPng();
}

/** Draws a PNG in Node's pool of threads: on the bot's own thread, it would delay each acknowledgement by some 20 ms. */
export async function drawPng(chart: Chart): Promise<Uint8Array> {
  loaded ??= load();
  const draw = await loaded;
  return draw(drawSvg(chart));
}

export function drawSvg({ title, axis, curves, fromMs, toMs, timeZone, isLow = false }: Chart): string {
  const drawn = curves.map(withGaps);
  const values = valueTicks(drawn, isLow ? 3 : 5);
  const times = timeTicks(fromMs, toMs, timeZone);
  const [lowest = 0, highest = 1] = [values.at[0], values.at.at(-1)];
  const isOne = curves.length === 1;
  const height = isLow ? heights.low : heights.usual;
  const [top, bottom] = [isOne ? 60 : 78, height - 26];
  const left = Math.round(margin + 8 + letter * Math.max(...values.labels.map(({ length }) => length)));
  const right = width - 28;
  const x = (atMs: number) => (left + ((atMs - fromMs) / (toMs - fromMs)) * (right - left)).toFixed(1);
  const y = (value: number) => (bottom - ((value - lowest) / (highest - lowest)) * (bottom - top)).toFixed(1);

  const write = (text: string, place: string) => `<text ${place}>${escaped(text)}</text>`;
  // A long name makes the title smaller, since its end says which time is shown.
  const titleSize = Math.min(14, (width - 2 * margin) / (0.7 * title.length));
  const legend = curves.map(
    ({ name }, at) => `<tspan dx="${at === 0 ? 0 : 14}" fill="${strokeOf(at)}">▬</tspan> ${escaped(name)}`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="${family}" font-size="12" fill="${ink.quiet}">`,
    `<rect width="${width}" height="${height}" fill="${ink.paper}"/>`,
    write(title, `x="${margin}" y="24" font-size="${titleSize}" font-weight="bold" fill="${ink.text}"`),
    write(axis, `x="${margin}" y="42"`),
    isOne ? '' : `<text x="${margin}" y="60" fill="${ink.text}">${legend.join('')}</text>`,
    ...values.at.map((value) => `<path d="M${left},${y(value)}H${right}" stroke="${ink.grid}"/>`),
    ...values.at.map((value, at) =>
      write(values.labels[at] ?? '', `x="${left - 8}" y="${y(value)}" dy="4" text-anchor="end"`),
    ),
    `<path d="M${left},${bottom}H${right}${times.at.map((atMs) => `M${x(atMs)},${bottom}v4`).join('')}" stroke="${ink.quiet}"/>`,
    ...drawn.flatMap(({ points }, at) => {
      const runs = runsOf(points).map((run) => run.map(([atMs, value]) => `${x(atMs)},${y(value)}`));
      return runs.map((run) => drawRun(run, strokeOf(at), isOne ? y(0) : undefined));
    }),
    ...times.at.map((atMs) => write(times.label(atMs), `x="${x(atMs)}" y="${bottom + 17}" text-anchor="middle"`)),
    '</svg>',
  ].join('');
}

const strokeOf = (at: number) => strokes[at % strokes.length] ?? strokes[0];

/** The values between gaps. */
function runsOf(points: Curve['points']): (readonly [atMs: number, value: number])[][] {
  const runs: (readonly [number, number])[][] = [[]];
  for (const [atMs, value] of points) {
    if (value === null) runs.push([]);
    else runs.at(-1)?.push([atMs, value]);
  }
  return runs.filter((run) => run.length > 0);
}

/** A line, and the area from it down to `floor`. A value between two gaps has no line, so it gets a dot. */
function drawRun(run: readonly string[], color: string, floor: string | undefined): string {
  const [[x, y] = []] = run.map((point) => point.split(','));
  if (run.length === 1) return `<circle cx="${x}" cy="${y}" r="2.5" fill="${color}"/>`;
  const line = `M${run.join('L')}`;
  const area = floor === undefined ? '' : `<path d="${line}V${floor}H${x}Z" fill="${color}" fill-opacity="0.12"/>`;
  return `${area}<path d="${line}" fill="none" stroke="${color}" stroke-width="1.5" stroke-linejoin="round"/>`;
}

/** Round values from zero, or from a negative one, to above the highest. */
function valueTicks(curves: readonly Curve[], most: number) {
  const extents = curves.flatMap((curve) => extentOf(curve) ?? []);
  const min = Math.min(0, ...extents.map((extent) => extent.min));
  const range = Math.max(0, ...extents.map((extent) => extent.max)) - min || 1;
  const size = 10 ** Math.floor(Math.log10(range / most));
  const step = size * ([1, 2, 5].find((n) => range <= n * size * most) ?? 10);
  const first = Math.floor(min / step);
  const at = Array.from({ length: Math.ceil((min + range) / step) - first + 1 }, (_, n) => (first + n) * step);
  const notation = range < 100_000 ? 'standard' : 'compact';
  return { at, labels: at.map((value) => value.toLocaleString('en-US', { maximumSignificantDigits: 3, notation })) };
}

/** Without the characters that XML cannot hold, or that would turn the text around. */
function escaped(text: string): string {
  return text.replaceAll(/\p{C}/gu, '').replaceAll(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
