import { expect, test } from 'vitest';
import { stats } from '../../../src/commands/servers/stats.ts';
import { openCommandRunner } from '../../support/run-command.ts';
import { viewText } from '../../support/view-text.ts';

const commands = [stats];
const route = 'GET /vps/{order_id}/stats/{field}/';

/** A curve of the hour before now, in steps of ten minutes. */
const hourOf = (name: string, ...values: unknown[]) => ({
  name,
  color: '#7cb5ec',
  data: values.map((value, index) => [Date.now() - (values.length - index) * 600_000, value]),
});

test('stats shows a picture and the same values in words', async () => {
  const runner = await openCommandRunner({ commands });
  const body = { series: [hourOf('CPU', 4, 8, null, 'NaN', 12.5, 6)], subtitle: 'CPU usage, %' };
  runner.sim.fault({ kind: 'answer', match: route, status: 200, body });
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

test.each([
  ['stats web-1', 'cpu', '-24h', 'last 24 h'],
  ['stats web-1 MEMORY 1d', 'memory', '-24h', 'last 24 h'],
  ['stats web-1 disk 90m', 'disk', '-2h', 'last 2 h'],
  ['stats web-1 io 7d', 'io', '-7d', 'last 7 days'],
  ['stats web-1 traffic 36h', 'traffic', '-36h', 'last 36 h'],
] as const)('%s asks the provider for %s from %s', async (line, field, start, words) => {
  const runner = await openCommandRunner({ commands });
  const { summary, files } = await runner.viewOf(line);
  expect(summary).toContain(words);
  expect(files).toHaveLength(1);
  const asked = runner.sim.requests().find(({ path }) => path.includes('/stats/'));
  expect(asked?.path).toBe(`/api/vps/34-12345/stats/${field}/?start=${start}&end=now`);
});

test('the buttons of stats between two days keep the days', async () => {
  const runner = await openCommandRunner({ commands, now: () => Date.parse('2026-03-01T12:00Z') });
  const text = viewText(await runner.viewOf('stats web-1 from 2026-01-01 to 2026-01-20'));
  expect(text).toContain('→ stats 34-12345 memory from=2026-01-01 to=2026-01-20]');
});

test.each([
  ['from 2026-01-01 to 2026-01-20', 'start=2026-01-01&end=2026-01-21', 'CPU, Jan 1, 2026 to Jan 20, 2026'],
  ['cpu from=2026-01-05 to=2026-01-05', 'start=2026-01-05&end=2026-01-06', 'CPU, Jan 5, 2026 to Jan 5, 2026'],
  ['from 2026-01-01', 'start=2026-01-01&end=now', 'CPU, Jan 1, 2026 until now'],
  ['from 2026-01-01 to 2026-03-01', 'start=2026-01-01&end=now', 'CPU, Jan 1, 2026 until now'],
  ['from 2026-02-20 to 2026-02-31', undefined, 'February 2026 has 28 days.'],
  ['from 2026-01-20 to 2026-01-01', undefined, 'The last day is before the first.'],
  ['from 2025-01-01 to 2026-01-02', undefined, 'The provider shows at most 366 days at once.'],
  ['from 2026-03-02', undefined, 'The first day is still to come.'],
  ['to 2026-01-01', undefined, 'The first day is missing'],
  ['7d from 2026-01-01', undefined, 'Give a span or days, not both.'],
])('stats web-1 %s asks the provider for %s', async (days, query, words) => {
  const runner = await openCommandRunner({ commands, now: () => Date.parse('2026-03-01T12:00Z') });
  const asked = () =>
    runner.sim
      .requests()
      .find(({ path }) => path.includes('/stats/'))
      ?.path.split('?')[1];
  if (query === undefined) expect((await runner.refusalOf(`stats web-1 ${days}`)).message).toContain(words);
  else expect((await runner.viewOf(`stats web-1 ${days}`)).summary).toContain(words);
  expect(asked()).toBe(query);
});

test('the traffic picture has two curves', async () => {
  const runner = await openCommandRunner({ commands });
  expect((await runner.viewOf('stats web-1 traffic')).summary).toMatch(
    /Incoming: min .* Mbps.*; Outgoing: min .* Mbps/,
  );
});

test('a server that was off has no picture, and the answer says why', async () => {
  const runner = await openCommandRunner({ commands });
  const view = await runner.viewOf('stats staging-1');
  expect(view.files).toBeUndefined();
  expect(viewText(view)).toContain('The provider has no values for that time: a server that is off has none.');
});

test('a statistic of an unknown unit is shown without a unit', async () => {
  const runner = await openCommandRunner({ commands });
  const body = { series: [hourOf('', 1, 2)], subtitle: 'How busy it was' };
  runner.sim.fault({ kind: 'answer', match: route, status: 200, body });
  expect((await runner.viewOf('stats web-1')).summary).toContain('CPU: min 1 · mean 1.5 · max 2 · last 2');
});

test.each([
  ['stats web-1 cpu 5m', 'span', 'Write it like 90s, 15m, 24h or 7d, from 1 h to 366 days.'],
  ['stats web-1 cpus', 'field', 'Did you mean cpu?'],
])('the command %s is refused because of its %s', async (line, field, hint) => {
  const runner = await openCommandRunner({ commands });
  expect(await runner.refusalOf(line)).toMatchObject({ field, hint });
});

test('when the provider refuses the statistics, the answer has the provider’s message', async () => {
  const runner = await openCommandRunner({ commands });
  runner.sim.fault({ kind: 'answer', match: route, status: 403, body: { detail: 'Statistics are switched off.' } });
  expect(await runner.ask('stats web-1')).toMatchObject({ error: { words: 'Statistics are switched off.' } });
});
