import { expect, test } from 'vitest';
import { type Chart, drawPng, drawSvg } from '../../src/charts/draw.ts';

const from = Date.parse('2026-01-10T10:00:00Z');
const minute = 60_000;
const values = [10, 20, null, 30, null, Number.NaN, 40, 50] as const;

const chart: Chart = {
  title: 'web-1 · CPU, last 1 h',
  axis: 'CPU usage, %',
  curves: [{ name: 'CPU', points: values.map((value, index) => [from + index * 8 * minute, value]) }],
  fromMs: from,
  toMs: from + 60 * minute,
  timeZone: 'Europe/Amsterdam',
};

test('a chart is a PNG at twice its size', () => {
  const bytes = Buffer.from(drawPng(chart));
  expect(bytes.subarray(1, 4).toString()).toBe('PNG');
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1680, 720]);
  // The letters make the picture this big; without a font it is a few kB smaller, and has no text.
  expect(bytes.length).toBeGreaterThan(12_000);
});

test('the background is opaque, and the title and the local times are drawn', () => {
  const svg = drawSvg(chart);
  expect(svg).toMatch(/<rect width="840" height="360"[^>]*fill="#f8f8f6"/);
  for (const words of ['web-1 · CPU, last 1 h', 'CPU usage, %', '11:10', '11:40']) expect(svg).toContain(`>${words}<`);
  expect(svg).not.toContain('>10:10<');
});

test('a gap breaks the line, and a value between two gaps is drawn as a dot', () => {
  const svg = drawSvg(chart);
  const [line = ''] = [...svg.matchAll(/<path d="([^"]*)" fill="none"[^>]*stroke="#1264a3"/g)].map(([, d = '']) => d);
  expect(line.match(/M/g)).toHaveLength(3);
  const withoutGaps = drawSvg({
    ...chart,
    curves: [{ name: 'CPU', points: values.map((_, index) => [from + index * 8 * minute, index]) }],
  });
  const dots = (drawn: string) => drawn.match(/<path d="M1 0A1 1[^>]*fill="#1264a3"/g)?.length ?? 0;
  expect([dots(svg), dots(withoutGaps)]).toEqual([1, 0]);
});

test('two curves have a legend and different colors', () => {
  const [curve] = chart.curves;
  const svg = drawSvg({
    ...chart,
    curves: ['Incoming', 'Outgoing'].map((name) => ({ name, points: curve?.points ?? [] })),
  });
  expect(svg).toContain('>Incoming<');
  expect(svg).toContain('>Outgoing<');
  expect(svg).toContain('stroke="#ea8c1a"');
});

test('a hostile name is drawn as text', () => {
  const title = '<script>alert(1)</script> & "web"';
  const svg = drawSvg({ ...chart, title });
  expect(svg).not.toContain('<script>');
  expect(svg).toContain('&lt;script&gt;');
  expect(drawPng({ ...chart, title }).length).toBeGreaterThan(12_000);
});
