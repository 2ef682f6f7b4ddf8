import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { createChartDesk } from '../../src/charts/desk.ts';
import type { Chart } from '../../src/charts/draw.ts';

const chart: Chart = {
  title: 'web-1 · CPU, last 1 h',
  axis: 'CPU usage, %',
  curves: [{ name: 'CPU', points: [10, 20, 30].map((value, index) => [index * 60_000, value]) }],
  fromMs: 0,
  toMs: 3 * 60_000,
  timeZone: 'UTC',
};

/** A thread whose picture is its own number, and which does what the title of a chart says. */
const obedient = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort, threadId } from 'node:worker_threads';
    parentPort.on('message', ({ title }) => {
      if (title === 'throw') throw new Error('no such curve');
      if (title === 'exit') process.exit(0);
      while (title === 'hang');
      const picture = Uint8Array.of(title === 'env' ? Object.keys(process.env).length : threadId);
      parentPort.postMessage(title === 'lie' ? 'a picture' : picture);
    });
  `)}`,
);

function openDesk(more: { waiting?: number } = {}) {
  const limits = { waiting: 50, drawMs: 600_000, idleMs: 600_000, ...more };
  const desk = createChartDesk(limits, obedient);
  return { ...desk, limits, draw: (title: string) => desk.draw({ ...chart, title }) };
}

test('the thread has no environment variable, since the bot keeps its secrets there', async () => {
  const desk = openDesk();
  expect([...(await desk.draw('env'))]).toEqual([0]);
  await desk.end();
});

test('the thread that was started for a chart draws it', async () => {
  const desk = openDesk();
  const started = new Promise<number>((resolve) => {
    process.once('worker', ({ threadId }) => resolve(threadId));
  });
  desk.warm();
  desk.warm();
  expect([...(await desk.draw('a'))]).toEqual([await started]);
  await desk.end();
});

test('one thread draws all charts, one after another', async () => {
  const desk = openDesk();
  const pictures = await Promise.all(['a', 'b', 'c'].map(desk.draw));
  expect(new Set(pictures.map(String)).size).toBe(1);
  expect(String(await desk.draw('d'))).toBe(String(pictures[0]));
  await desk.end();
});

test.each([
  ['throw', 'drawing a chart: no such curve'],
  ['exit', 'drawing a chart: its thread ended'],
  ['lie', 'drawing a chart: it is no picture'],
])('a thread that does this fails one chart, and another thread draws the next ones: %s', async (title, words) => {
  const desk = openDesk();
  const first = String(await desk.draw('a'));
  const [failed, next] = await Promise.allSettled([desk.draw(title), desk.draw('b')]);
  expect(failed).toMatchObject({ status: 'rejected', reason: { message: words } });
  expect(next.status).toBe('fulfilled');
  expect(String(await desk.draw('c'))).not.toBe(first);
  await desk.end();
});

test('an error of a thread without work ends only that thread', async () => {
  const desk = openDesk();
  const { promise: started, resolve } = Promise.withResolvers<Worker>();
  process.once('worker', resolve);
  const first = String(await desk.draw('a'));
  const thread = await started;
  const exit = new Promise<void>((end) => {
    thread.once('exit', () => end());
  });
  thread.postMessage({ title: 'throw' });
  await exit;
  expect(String(await desk.draw('a'))).not.toBe(first);
  await desk.end();
});

test('a drawing that takes too long ends with its thread, and another thread draws the next chart', async () => {
  const desk = openDesk();
  desk.limits.drawMs = 50;
  await expect(desk.draw('hang')).rejects.toThrow('drawing a chart: it took more than 50 ms');
  desk.limits.drawMs = 600_000;
  await expect(desk.draw('a')).resolves.toBeInstanceOf(Uint8Array);
  await desk.end();
});

test('a chart too many is refused at once, and the others are drawn', async () => {
  const desk = openDesk({ waiting: 2 });
  const ends = await Promise.allSettled(['a', 'b', 'c'].map(desk.draw));
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  await expect(desk.draw('d')).resolves.toBeInstanceOf(Uint8Array);
  await desk.end();
});

test('an idle thread ends, and an end leaves the drawing that is under way', async () => {
  const desk = openDesk();
  const drawing = desk.draw('a');
  await desk.end();
  const first = String(await drawing);
  desk.limits.idleMs = 0;
  expect(String(await desk.draw('b'))).toBe(first);
  await expect.poll(async () => String(await desk.draw('c'))).not.toBe(first);
  await desk.end();
});

test('the bot never loads the libraries of the charts, and the thread does not keep it alive', async () => {
  const script = `
    import { registerHooks } from 'node:module';
    const seen = [];
    registerHooks({ resolve: (name, context, next) => { seen.push(name); return next(name, context); } });
    await import('./src/commands/servers/stats.ts');
    const { drawChart, endCharts } = await import('./src/charts/desk.ts');
    const threads = () => process.report.getReport().workers.length;
    const alive = setInterval(() => {}, 1_000);
    const picture = await drawChart(${JSON.stringify(chart)});
    const counts = [threads()];
    await endCharts();
    counts.push(threads());
    await drawChart(${JSON.stringify(chart)});
    clearInterval(alive);
    const libraries = seen.filter((name) => /echarts|resvg/.test(name));
    console.log(JSON.stringify({ png: Buffer.from(picture).toString('latin1', 1, 4), libraries, counts }));
  `;
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    cwd: new URL('../..', import.meta.url),
  });
  expect(JSON.parse((await run).stdout)).toEqual({ png: 'PNG', libraries: [], counts: [1, 0] });
});
