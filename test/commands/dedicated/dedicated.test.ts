import { expect } from 'vitest';
import { outlook, percent } from '../../../src/commands/dedicated/show.ts';
import { plain } from '../../../src/core/view/view.ts';
import { orderItem } from '../../provider/server.ts';
import { viewText } from '../../support/bot/view-text.ts';
import { answer } from '../answer.ts';
import { testsOf } from '../commands-called.ts';

const { openRunner, test } = testsOf('ds');

test('ds list shows the dedicated servers with their hardware, worst first', async ({ sim, viewOf }) => {
  sim.order({ order: '34-1000102', status: 'expired' });
  expect(viewText(await viewOf('ds list'))).toMatchInlineSnapshot(`
    "Name │ Status │ Paid
    backup-1 · dedicated server │ 🔴 expired │ 21 days · € 32 a month
    files-1 · dedicated server │ 🟢 active │ 9 days · € 27 a month
    [Show one in full ▾ [backup-1 → order 34-1000102] [files-1 → order 34-1000101]]
    · 2 dedicated servers: 1 active, 1 not · read ‹full›
    [Traffic… → form ds traffic]"
  `);
});

test('ds list says when there is no dedicated server that the person may see', async () => {
  for (const more of [{ seed: 'empty' }, { may: () => false }] as const)
    expect(viewText(await (await openRunner(more)).viewOf('ds list'))).toBe(
      'There is no dedicated server that you may see here.',
    );
});

test('ds show shows all the hardware of one server', async ({ viewOf, refusalOf }) => {
  const said = viewText(await viewOf('ds show files-1'));
  expect(said).toContain(
    '\nCPU: Intel Xeon E3-1230 v6 · 4 cores\nMemory: 32 GB\nDisks: 2 x 480 GB SSD\nRAID controller: ',
  );
  expect(said).toContain('\nBoard: Supermicro X11SSL-F\nChassis: 1U\nBandwidth: 1000\nNetwork adapter: Intel I210\n');
  expect(said).toContain('· The provider’s API cannot start, stop or restart a dedicated server. Its own panel can.\n');
  expect(said).toContain('[Traffic → ds traffic 34-1000101] [Limit → ds limit 34-1000101] [Tag → form tag 34-1000101]');
  expect((await refusalOf('ds show web-1')).message).toBe(
    'web-1 is a server. This works only with a dedicated server.',
  );
});

test('hardware is shown in the documented units: memory in GB, and bandwidth as it comes when it has no unit', async () => {
  const { viewOf, sim } = await openRunner();
  const known = { memory: 64, bandwidth: 10240, cpu: '', cpu_count: 8, disks: '', raid_controller: '' };
  const rest = { motherboard: '', chassis: '', network_adapter: '' };
  const item = (configuration: object) => ({ ...orderItem, id: '34-1000101', configuration });
  sim.fault(answer('GET /orders/ds/{order_id}/', 200, item({ ...known, ...rest })));
  const said = viewText(await viewOf('ds show files-1'));
  expect(said).toContain('Memory: 64 GB\nBandwidth: 10240\n');
  expect(said).toContain('CPU: 8 cores\n');
  sim.clearFaults();
  sim.fault(answer('GET /orders/ds/{order_id}/', 200, item({ ...known, ...rest, bandwidth: null })));
  expect(viewText(await viewOf('ds show files-1'))).not.toContain('Bandwidth');
});

test('ds traffic shows the days newest first, with sums and the peak of the period', async ({ viewOf, sim }) => {
  const data = Array.from({ length: 30 }, (_, index) => [
    `2026-06-${String(index + 1).padStart(2, '0')}`,
    // A counter may come as decimal text.
    { input: String(1e9 * (index + 1)), output: index === 2 ? 90e9 : 2e9 },
  ]);
  const body = { order: '34-1000101', period: 'month', data };
  sim.fault(answer('GET /orders/ds/{order_id}/traffic/', 200, body));
  const first = viewText(await viewOf('ds traffic files-1'));
  expect(first.split('\n').slice(0, 6)).toEqual([
    '## Traffic of files-1  [last month, port 0]',
    'In 465 GB · out 148 GB · together 613 GB',
    'Peak: 93.0 GB on ‹day›',
    'Date │ In · out │ Together',
    '‹day› │ 30.0 GB · 2.00 GB │ 32.0 GB',
    '‹day› │ 29.0 GB · 2.00 GB │ 31.0 GB',
  ]);
  expect(first).toContain('page 1 of 2');
  expect(first).toContain('[Next → ds traffic 34-1000101 page=2]');
  const second = viewText(await viewOf('ds traffic 34-1000101 page=2'));
  expect(second).toContain('Peak: 93.0 GB on ‹day›');
  expect(second.split('\n').filter((line) => line.startsWith('‹day› │'))).toHaveLength(5);
});

test('the period and the port are sent to the provider, and a port without traffic is reported', async () => {
  const { viewOf, sim, refusalOf } = await openRunner();
  expect(viewText(await viewOf('ds traffic files-1 YEAR port:1'))).toMatchInlineSnapshot(`
    "files-1 · port 1 · last year: no traffic was counted.
    [Last month → ds traffic 34-1000101 month 1] [Limit → ds limit 34-1000101]"
  `);
  expect(sim.requests().at(-1)?.path).toContain('/orders/ds/34-1000101/traffic/?period=year&port=1');
  expect(await refusalOf('ds traffic files-1 week')).toMatchObject({ field: 'period' });
  expect(await refusalOf('ds traffic files-1 month -1')).toMatchObject({ field: 'port' });
});

test('ds limit asks for the order by its number, and says when the traffic is used up', async ({ viewOf, sim }) => {
  const [range_start, range_end] = [-15, 15].map((days) => dayFromNow(sim.now(), days));
  const body = { order: 1_000_101, limit: 10e12, used: 9e12 + 0.5, used_rate: 0.9, range_start, range_end };
  sim.fault(answer('GET /orders/ds/{order_id}/traffic_used/', 200, body, 1));
  const said = viewText(await viewOf('ds limit files-1'));
  expect(said).toMatch(/^## Traffic limit of files-1 {2}\[90 % used\]\n90 % used: 9\.00 TB of 10\.0 TB\n/);
  expect(said).toMatch(/! At this pace it runs out on ‹day›, \d+ days before the range ends\./);
  expect(sim.requests().at(-1)?.path).toContain('/orders/ds/1000101/traffic_used/');
  expect(viewText(await viewOf('ds limit backup-1'))).toContain('At this pace it lasts: about');
  sim.fault(answer('GET /orders/ds/{order_id}/traffic_used/', 200, { ...body, limit: 0, used_rate: 0.25 }, 1));
  expect(viewText(await viewOf('ds limit files-1'))).toContain('25 % used: 9.00 TB, no limit is given');
});

function dayFromNow(now: number, days: number): string {
  return new Date(now + days * 86_400_000).toISOString().slice(0, 10);
}

const limits = {
  order: '34-1000101',
  limit: 1_000,
  used: 500,
  used_rate: 0.5,
  range_start: '2026-06-01',
  range_end: '2026-07-01',
};
const on = (day: string) => Date.parse(`${day}T00:00:00Z`);

const lasts = (amount: string) => `At this pace it lasts: about ${amount} by the end of the range.`;
const early = 'The range has just begun, so it is too early to say how long it lasts.';
const unknown = 'The provider gives too little to say how long it lasts.';
const over = 'The limit is used up; the next range begins on Jul 1, 2026.';

test.each<[what: string, change: Partial<typeof limits>, at: number, words: string]>([
  ['half used at the middle lasts to the end', {}, on('2026-06-16'), lasts('1.00 kB (100 %)')],
  ['not used lasts to the end', { used: 0 }, on('2026-06-16'), lasts('0 B (0 %)')],
  ['of the first day has no forecast', {}, on('2026-06-01') + 3_600_000, early],
  ['without a limit has no forecast', { limit: 0 }, on('2026-06-16'), unknown],
  ['without dates has no forecast', { range_end: '' }, on('2026-06-16'), unknown],
  ['used up has no forecast', { used: 1_000 }, on('2026-06-16'), over],
  ['of a range that is over is not extrapolated', { used: 900 }, on('2026-08-01'), lasts('900 B (90 %)')],
])('traffic %s', (_, change, at, words) => expect(outlookAt(change, at)).toBe(words));

test('traffic that is half used after a third of the range is used up after two thirds', () =>
  expect(outlookAt({}, on('2026-06-11'))).toBe(
    'At this pace it runs out on Jun 21, 2026, 10 days before the range ends.',
  ));

function outlookAt(change: Partial<typeof limits>, at: number): string {
  return plain(outlook({ ...limits, ...change }, at).text);
}

test('shares are not rounded up: 99.9 % is not 100 %', () => {
  expect([0, 0.004, 0.5, 0.999, 1.2].map(percent)).toEqual(['0 %', 'under 1 %', '50 %', '99 %', '120 %']);
});
