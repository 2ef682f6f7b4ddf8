import { expect, test } from 'vitest';
import { type Chart, drawPng, drawSvg } from '../../src/charts/draw-chart.ts';
import { run } from '../support/process/run.ts';

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

test('a chart is a PNG at twice its size', async () => {
  const bytes = Buffer.from(await drawPng(chart));
  expect(bytes.toString('latin1', 1, 4)).toBe('PNG');
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([960, 448]);
  // The letters make the picture this big; without a font it is half of it, and has no text.
  expect(bytes.length).toBeGreaterThan(20_000);
});

test('a chart holds the event loop for less than 20 ms', async () => {
  const curve = {
    name: 'CPU',
    points: Array.from({ length: 288 }, (_, n) => [from + n * 5 * minute, n % 97] as const),
  };
  const heldMs = [];
  // The processor time of this thread alone, since a busy machine delays it. The first chart loads the library.
  for (let tries = 0; tries < 5; tries += 1) {
    const before = process.threadCpuUsage();
    await drawPng({ ...chart, curves: [curve, curve], toMs: from + 1_440 * minute });
    const { user, system } = process.threadCpuUsage(before);
    heldMs.push((user + system) / 1_000);
  }
  expect(Math.min(...heldMs)).toBeLessThan(20);
});

test('the background is opaque, and the title and the local times are drawn', () => {
  const svg = drawSvg(chart);
  expect(svg).toContain('<rect width="480" height="224" fill="#f8f8f6"/>');
  for (const words of ['web-1 · CPU, last 1 h', 'CPU usage, %', '11:10', '11:40']) expect(svg).toContain(`>${words}<`);
  expect(svg).not.toContain('>10:10<');
});

test('a gap breaks the line, and a value between two gaps is drawn as a dot', () => {
  const svg = drawSvg(chart);
  const lines = (drawn: string) => drawn.match(/<path [^>]*fill="none" stroke="#1264a3"/g)?.length;
  const withoutGaps = drawSvg({
    ...chart,
    curves: [{ name: 'CPU', points: values.map((_, index) => [from + index * 8 * minute, index]) }],
  });
  const dots = (drawn: string) => drawn.match(/<circle /g)?.length ?? 0;
  expect([lines(svg), dots(svg)]).toEqual([2, 1]);
  expect([lines(withoutGaps), dots(withoutGaps)]).toEqual([1, 0]);
});

test('two curves have a legend and different colors', () => {
  const [curve] = chart.curves;
  const svg = drawSvg({
    ...chart,
    curves: ['Incoming', 'Outgoing'].map((name) => ({ name, points: curve?.points ?? [] })),
  });
  expect(svg).toContain('<tspan dx="0" fill="#1264a3">▬</tspan> Incoming<');
  expect(svg).toContain('<tspan dx="14" fill="#ea8c1a">▬</tspan> Outgoing<');
  expect(svg).toContain('fill="none" stroke="#ea8c1a"');
});

const ticksOf = (...values: number[]) => {
  const svg = drawSvg({
    ...chart,
    curves: [{ name: 'CPU', points: values.map((value, n) => [from + n * minute, value]) }],
  });
  return [...svg.matchAll(/text-anchor="end">([^<]*)</g)].map(([, label]) => label).join(' ');
};

test.each([
  ['zeros', [0, 0], '0 0.2 0.4 0.6 0.8 1'],
  ['a range', [3, 54], '0 20 40 60'],
  ['negative values', [-3, 4.2], '-4 -2 0 2 4 6'],
  ['small values', [0.0021, 0.0049], '0 0.001 0.002 0.003 0.004 0.005'],
  ['huge values', [8.1e12, 11e12], '0 5T 10T 15T'],
])('the value axis has round ticks from zero: %s', (_, values, ticks) => expect(ticksOf(...values)).toBe(ticks));

test('a hostile name is drawn as text', async () => {
  const title = '<script>alert(1)</script> & "web"\u0000\u202e';
  const svg = drawSvg({ ...chart, title });
  expect(svg).not.toContain('<script>');
  expect(svg).toContain('>&#60;script&#62;alert(1)&#60;/script&#62; &#38; &#34;web&#34;<');
  expect((await drawPng({ ...chart, title })).length).toBeGreaterThan(20_000);
});

test('the library and the fonts are loaded with the first chart, and once; without native code there are words and the reason', async () => {
  // A separate process, which resolves the names of modules itself. The second reading of draw-chart.ts has loaded nothing yet.
  const script = `
    import { registerHooks } from 'node:module';
    let isWithout = false;
    const seen = [];
    registerHooks({ resolve: (name, context, next) => {
      if (isWithout && name.includes('resvg')) throw new Error('no binary for this machine\\nRequire stack:');
      seen.push(name);
      return next(name, context);
    } });
    const { drawPng } = await import('./src/charts/draw-chart.ts?first');
    const before = seen.length;
    for (let n = 0; n < 3; n += 1) await drawPng(${JSON.stringify({ ...chart, curves: [] })});
    const loaded = [seen.slice(0, before), seen.slice(before)];
    isWithout = true;
    const { serverChart } = await import('./src/commands/servers/stats.ts');
    const about = { name: 'cpu', title: 'CPU', subtitle: '', sentences: [], curves: [], spanMs: 1 };
    console.log(JSON.stringify({ loaded, answer: await serverChart(about, { now: 1 }) }));`;
  const drawing = run(process.execPath, ['--input-type=module', '-e', script], {
    cwd: new URL('../..', import.meta.url),
  });
  const { loaded, answer } = JSON.parse((await drawing).stdout);
  const ours = loaded.map((names: string[]) => names.filter((name) => /resvg-js$|[.]ttf$/.test(name)));
  const fonts = ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'].map((file) => `dejavu-fonts-ttf/ttf/${file}`);
  expect(ours).toEqual([[], ['@resvg/resvg-js', ...fonts]]);
  const text = 'The curve could not be drawn: Error: no binary for this machine.';
  expect(answer).toEqual({ parts: [{ kind: 'context', text }] });
});
