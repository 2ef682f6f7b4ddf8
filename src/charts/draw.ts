import { createRequire } from 'node:module';
import { Resvg } from '@resvg/resvg-js';
import { type Curve, sayNumber, withGaps } from './curve.ts';
import { init } from './echarts.ts';
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

const width = 840;
const heights = { usual: 360, low: 216 };
const sharpness = 2;

/** Colors that differ in brightness too. No dashed lines, which look like gaps. */
const strokes = ['#1264a3', '#ea8c1a', '#14532d', '#a78bfa'] as const;

/** Opaque, neutral colors, since the same picture is shown on white and on black pages. */
const ink = { paper: '#f8f8f6', text: '#1d1c1d', quiet: '#5c5c60', grid: '#dcdcd8' };
const family = 'DejaVu Sans';

/** Draws a PNG. Only the thread of the charts loads this file: the libraries and each drawing would hold the bot. */
export function drawPng(chart: Chart): Uint8Array {
  const image = new Resvg(drawSvg(chart), {
    fitTo: { mode: 'zoom', value: sharpness },
    background: ink.paper,
    // Own fonts, since machines have different fonts, and servers often none.
    font: { loadSystemFonts: false, fontFiles: [...fontFiles()], defaultFontFamily: family, sansSerifFamily: family },
  });
  return image.render().asPng();
}

function fontFiles(): readonly string[] {
  const { resolve } = createRequire(import.meta.url);
  return ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'].map((file) => resolve(`dejavu-fonts-ttf/ttf/${file}`));
}

export function drawSvg(chart: Chart): string {
  const drawing = init(null, null, {
    renderer: 'svg',
    ssr: true,
    width,
    height: chart.isLow === true ? heights.low : heights.usual,
  });
  try {
    drawing.setOption(optionOf(chart));
    return drawing.renderToSVGString();
  } finally {
    drawing.dispose();
  }
}

function optionOf({ title, axis, curves, fromMs, toMs, timeZone }: Chart) {
  const ticks = timeTicks(fromMs, toMs, timeZone);
  const labels = { color: ink.quiet, fontSize: 12, fontFamily: family };
  return {
    animation: false,
    backgroundColor: ink.paper,
    textStyle: { fontFamily: family },
    title: {
      text: title,
      subtext: axis,
      left: 16,
      top: 12,
      itemGap: 6,
      textStyle: { color: ink.text, fontSize: 15, fontWeight: 'bold', fontFamily: family },
      subtextStyle: { ...labels },
    },
    ...(curves.length > 1
      ? {
          legend: {
            top: 14,
            right: 20,
            icon: 'path://M0,4 L20,4 L20,8 L0,8 Z',
            itemWidth: 22,
            itemHeight: 4,
            itemGap: 28,
            textStyle: { ...labels, color: ink.text },
          },
        }
      : {}),
    grid: { left: 72, right: 28, top: 76, bottom: 40 },
    xAxis: {
      type: 'value',
      min: fromMs,
      max: toMs,
      axisLabel: {
        ...labels,
        customValues: [...ticks.at],
        formatter: ticks.label,
        // Labels only at the ticks, not at the ends of the axis.
        showMinLabel: null,
        showMaxLabel: null,
        hideOverlap: true,
      },
      axisTick: { show: true, customValues: [...ticks.at] },
      axisLine: { show: true, onZero: false, lineStyle: { color: ink.quiet } },
      splitLine: { show: false },
    },
    yAxis: {
      type: 'value',
      min: ({ min }: { min: number }) => Math.min(0, min),
      axisLabel: { ...labels, formatter: (value: number) => sayNumber(value) },
      axisLine: { show: false },
      splitLine: { lineStyle: { color: ink.grid } },
    },
    series: curves.map((curve, index) => {
      const color = strokes[index % strokes.length] ?? strokes[0];
      const { name, points } = withGaps(curve);
      return {
        type: 'line',
        name,
        data: points.map(([atMs, value], at) => {
          const drawn = [atMs, value ?? '-'];
          // A value between two gaps has no line, so it gets a dot.
          const isAlone =
            value !== null && (points[at - 1]?.[1] ?? null) === null && (points[at + 1]?.[1] ?? null) === null;
          return isAlone ? { value: drawn, symbol: 'circle', symbolSize: 5 } : drawn;
        }),
        connectNulls: false,
        symbol: 'none',
        showAllSymbol: true,
        lineStyle: { color, width: 2 },
        itemStyle: { color },
        ...(curves.length === 1 ? { areaStyle: { color, opacity: 0.12 } } : {}),
      };
    }),
  };
}
