import { expect, test } from 'vitest';
import { percent, shareUsed, trafficRateOf } from '../../../src/commands/dedicated/traffic-rate.ts';

const limits = {
  order: '34-1000101',
  limit: 1_000,
  used: 500,
  used_rate: 0.5,
  range_start: '2026-06-01',
  range_end: '2026-07-01',
};
const on = (day: string) => Date.parse(`${day}T00:00:00Z`);

test('traffic that is half used after a third of the range is used up after two thirds', () => {
  expect(trafficRateOf(limits, on('2026-06-11'))).toEqual({
    kind: 'runs_out',
    atMs: on('2026-06-21'),
    daysBeforeEnd: 10,
  });
});

test('traffic that is half used at the middle lasts to the end', () => {
  expect(trafficRateOf(limits, on('2026-06-16'))).toEqual({ kind: 'lasts', expected: 1_000 });
  expect(trafficRateOf({ ...limits, used: 0 }, on('2026-06-16'))).toEqual({ kind: 'lasts', expected: 0 });
});

test('on the first day, without a limit or without dates there is no forecast', () => {
  expect(trafficRateOf(limits, on('2026-06-01') + 3_600_000).kind).toBe('early');
  expect(trafficRateOf({ ...limits, limit: 0 }, on('2026-06-16')).kind).toBe('unknown');
  expect(trafficRateOf({ ...limits, range_end: '' }, on('2026-06-16')).kind).toBe('unknown');
  expect(trafficRateOf({ ...limits, used: 1_000 }, on('2026-06-16')).kind).toBe('over');
});

test('the forecast for a range that is over does not reach into the present', () => {
  expect(trafficRateOf({ ...limits, used: 900 }, on('2026-08-01'))).toEqual({ kind: 'lasts', expected: 900 });
});

test('shares are not rounded up: 99.9 % is not 100 %', () => {
  expect([0, 0.004, 0.5, 0.999, 1.2].map(percent)).toEqual(['0 %', 'under 1 %', '50 %', '99 %', '120 %']);
  expect(shareUsed({ ...limits, limit: 0, used_rate: 0.25 })).toBe(0.25);
});
