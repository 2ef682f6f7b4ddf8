import { expect, test } from 'vitest';
import { timeTicks } from '../../src/charts/time-ticks.ts';

const hour = 3_600_000;
const at = (text: string) => Date.parse(text);

function labels(from: string, to: string, timeZone: string) {
  const ticks = timeTicks(at(from), at(to), timeZone);
  return ticks.at.map(ticks.label).join(' ');
}

test('a day has ticks in hours of the reader’s time zone, with the date at midnight', () => {
  expect(labels('2026-01-10T10:20:00Z', '2026-01-11T10:20:00Z', 'Europe/Amsterdam')).toBe(
    '12:00 15:00 18:00 21:00 11 Jan 03:00 06:00 09:00',
  );
  expect(labels('2026-01-10T10:20:00Z', '2026-01-11T10:20:00Z', 'America/New_York')).toBe(
    '06:00 09:00 12:00 15:00 18:00 21:00 11 Jan 03:00',
  );
});

test('in a time zone with an offset of 45 minutes, the ticks are at round local times', () => {
  const ticks = timeTicks(at('2026-01-10T10:20:00Z'), at('2026-01-10T11:20:00Z'), 'Asia/Kathmandu');
  const times = ticks.at.map((ms) => new Date(ms).toISOString().slice(11, 16));
  expect(times.join(' ')).toBe('10:25 10:35 10:45 10:55 11:05 11:15');
  expect(ticks.at.map(ticks.label)[0]).toBe('16:10');
});

test('a week has ticks in days, at midnight also over the change to summer time', () => {
  const ticks = timeTicks(at('2026-03-26T12:00:00Z'), at('2026-04-01T12:00:00Z'), 'Europe/Amsterdam');
  expect(ticks.at.map(ticks.label).join(' ')).toBe('27 Mar 28 Mar 29 Mar 30 Mar 31 Mar 1 Apr');
  const [, , before = 0, after = 0] = ticks.at;
  expect(after - before).toBe(23 * hour);
});

test('an unknown time zone is read as UTC', () => {
  expect(labels('2026-01-10T00:00:00Z', '2026-01-10T03:00:00Z', 'Mars/Olympus')).toBe(
    '10 Jan 00:30 01:00 01:30 02:00 02:30 03:00',
  );
});
