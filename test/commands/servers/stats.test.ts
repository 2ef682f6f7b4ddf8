import { expect } from 'vitest';
import { viewText } from '../../support/bot/view-text.ts';
import { answer } from '../answer.ts';
import { testsOf } from '../commands-called.ts';

const { openRunner, test } = testsOf('stats');
const route = 'GET /vps/{order_id}/stats/{field}/';

/** A curve of the hour before now, in steps of ten minutes. */
const hourOf = (name: string, ...values: unknown[]) => ({
  name,
  color: '#7cb5ec',
  data: values.map((value, index) => [Date.now() - (values.length - index) * 600_000, value]),
});

test('stats shows a picture and the same values in words', async ({ runner }) => {
  const body = { series: [hourOf('CPU', 4, 8, null, 'NaN', 12.5, 6)], subtitle: 'CPU usage, %' };
  runner.sim.fault(answer(route, 200, body));
  const view = await runner.viewOf('stats web-1 cpu 1h');
  expect(viewText(view)).toMatchInlineSnapshot(`
    "## web-1 · CPU, last 1 h
    CPU: min 4 % · mean 7.63 % · max 12.5 % · last 6 %; 1 gap
    · Measured by the provider: CPU usage, %
    (picture: Curve of web-1 · CPU, last 1 h. CPU: min 4 % · mean 7.63 % · max 12.5 % · last 6 %; 1 gap.)
    [disk → stats 34-12345 disk 1h] [disk operations → stats 34-12345 io 1h] [memory → stats 34-12345 memory 1h] [traffic → stats 34-12345 traffic 1h]
    [Other time ▾ [last 24h → stats 34-12345 cpu 24h] [last 7d → stats 34-12345 cpu 7d] [last 30d → stats 34-12345 cpu 30d]]
    file 34-12345-cpu-1h.png: Curve of web-1 · CPU, last 1 h. CPU: min 4 % · mean 7.63 % · max 12.5 % · last 6 %; 1 gap."
  `);
  const [file] = view.files ?? [];
  expect(Buffer.from(file?.bytes ?? []).toString('latin1', 1, 4)).toBe('PNG');
});

const askedFor = (runner: Awaited<ReturnType<typeof openRunner>>) =>
  runner.sim
    .requests()
    .flatMap(({ path }) => (path.includes('/stats/') ? [path.replace('/api/vps/34-12345/stats/', '')] : []));

test('each statistic is asked of the provider for the span', async ({ runner }) => {
  for (const [line, field, start, words] of [
    ['stats web-1', 'cpu', '-24h', 'last 24 h'],
    ['stats web-1 MEMORY 1d', 'memory', '-24h', 'last 24 h'],
    ['stats web-1 disk 90m', 'disk', '-2h', 'last 2 h'],
    ['stats web-1 io 7d', 'io', '-7d', 'last 7 days'],
    ['stats web-1 traffic 36h', 'traffic', '-36h', 'last 36 h'],
  ] as const) {
    const { summary, files } = await runner.viewOf(line);
    expect(summary).toContain(words);
    expect(files).toHaveLength(1);
    expect(askedFor(runner).at(-1)).toBe(`${field}/?start=${start}&end=now`);
  }
});

test('days are asked of the provider, refused where they do not fit, and kept by the buttons', async () => {
  const runner = await openRunner({ now: () => Date.parse('2026-03-01T12:00Z') });
  for (const [days, query, words] of [
    ['from 2026-01-01 to 2026-01-20', 'start=2026-01-01&end=2026-01-21', 'CPU, Jan 1, 2026 to Jan 20, 2026'],
    ['cpu from=2026-01-05 to=2026-01-05', 'start=2026-01-05&end=2026-01-06', 'CPU, Jan 5, 2026 to Jan 5, 2026'],
    ['from 2026-01-01', 'start=2026-01-01&end=now', 'CPU, Jan 1, 2026 until now'],
    ['from 2026-01-01 to 2026-03-01', 'start=2026-01-01&end=now', 'CPU, Jan 1, 2026 until now'],
  ] as const) {
    expect((await runner.viewOf(`stats web-1 ${days}`)).summary).toContain(words);
    expect(askedFor(runner).at(-1)).toBe(`cpu/?${query}`);
  }
  const asked = askedFor(runner).length;
  for (const [days, words] of [
    ['from 2026-02-20 to 2026-02-31', 'February 2026 has 28 days.'],
    ['from 2026-01-20 to 2026-01-01', 'The last day is before the first.'],
    ['from 2025-01-01 to 2026-01-02', 'The provider shows at most 366 days at once.'],
    ['from 2026-03-02', 'The first day is still to come.'],
    ['to 2026-01-01', 'The first day is missing'],
    ['7d from 2026-01-01', 'Give a span or days, not both.'],
  ] as const)
    expect((await runner.refusalOf(`stats web-1 ${days}`)).message, days).toContain(words);
  expect(askedFor(runner)).toHaveLength(asked);
  const text = viewText(await runner.viewOf('stats web-1 from 2026-01-01 to 2026-01-20'));
  expect(text).toContain('→ stats 34-12345 memory from=2026-01-01 to=2026-01-20]');
});

test('the traffic picture has two curves, and that of a server that was off none, with words', async ({ runner }) => {
  expect((await runner.viewOf('stats web-1 traffic')).summary).toMatch(
    /Incoming: min .* Mbps.*; Outgoing: min .* Mbps/,
  );
  const view = await runner.viewOf('stats staging-1');
  expect(view.files).toBeUndefined();
  expect(viewText(view)).toContain('The provider has no values for that time: a server that is off has none.');
});

test('a statistic of an unknown unit is shown without a unit', async ({ runner }) => {
  const body = { series: [hourOf('', 1, 2)], subtitle: 'How busy it was' };
  runner.sim.fault(answer(route, 200, body));
  expect((await runner.viewOf('stats web-1')).summary).toContain('CPU: min 1 · mean 1.5 · max 2 · last 2');
});

test('a span or a statistic that there is not is refused', async ({ refusalOf }) => {
  const hint = 'Write it like 90s, 15m, 24h or 7d, from 1 h to 366 days.';
  expect(await refusalOf('stats web-1 cpu 5m')).toMatchObject({ field: 'span', hint });
  expect(await refusalOf('stats web-1 cpus')).toMatchObject({ field: 'field', hint: 'Did you mean cpu?' });
});
