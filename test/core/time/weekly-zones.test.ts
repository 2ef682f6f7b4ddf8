import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextOf, readWeekly, sayWeekly, type Weekly } from '../../../src/core/time/weekly.ts';
import { nextWindow } from '../../../src/core/time/window.ts';

/** Compares with Intl, which the library of zones is not. `npm --prefix proof run zones` checks all zones. */

const minute = 60_000;
const day = 1_440 * minute;
const begin = Date.UTC(2026, 0);
const years = 5 * 365;

/** The wall at an instant as if it were UTC, by Intl. */
function wallIn(timeZone: string): (ms: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' },
  });
  return (ms) => {
    const parts = format.formatToParts(ms);
    const of = (type: string) => Number(parts.find((part) => part.type === type)?.value);
    return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'));
  };
}

/** The first instant after a day on which the clocks change, or the day itself in a zone where they do not. */
function changeAfter(wallAt: (ms: number) => number, from: number): number {
  const offset = (ms: number) => wallAt(ms) - ms;
  let late = from;
  for (let step = 0; step < 40 && offset(late) === offset(from); step++) late += 10 * day;
  if (offset(late) === offset(from)) return from;
  let early = late - 10 * day;
  while (late - early > minute) {
    const middle = early + Math.floor((late - early) / 2 / minute) * minute;
    if (offset(middle) === offset(early)) early = middle;
    else late = middle;
  }
  return late;
}

/** Half of them in the hours that change. */
const minutesOfDay = fc.oneof(fc.integer({ min: 0, max: 1_439 }), fc.integer({ min: 0, max: 240 }));
const place = fc.record({
  timeZone: fc.constantFrom(...Intl.supportedValuesOf('timeZone')),
  dayNumber: fc.integer({ min: 0, max: years - 1 }),
  clock: minutesOfDay,
});

const everyDay = [0, 1, 2, 3, 4, 5, 6];

test('a daily run comes once a day, at its hour or after the gap, beside every change of the clocks', () => {
  fc.assert(
    fc.property(place, ({ timeZone, dayNumber, clock }) => {
      const wallAt = wallIn(timeZone);
      const change = changeAfter(wallAt, begin + dayNumber * day);
      const recurrence: Weekly = { days: everyDay, hours: Math.floor(clock / 60), minutes: clock % 60, timeZone };
      let at = nextOf(recurrence, change - 3 * day);
      let wanted = Math.floor(wallAt(at) / day) * day + clock * minute;
      for (let n = 0; n < 6; n++) {
        const shown = wallAt(at);
        // In a gap the clocks jump over the hour at this instant.
        if (shown !== wanted) expect([wallAt(at - minute) < wanted, shown > wanted]).toEqual([true, true]);
        for (const earlier of [30, 60, 120]) expect(wallAt(at - earlier * minute)).not.toBe(wanted);
        const next = nextOf(recurrence, at);
        expect(next).toBeGreaterThan(at);
        expect(nextOf(recurrence, next - 1)).toBe(next);
        at = next;
        wanted += day;
      }
    }),
    { numRuns: 80 },
  );
});

test('a window opens and closes at its hours, holds the instant or comes after it, and never overlaps the next', () => {
  fc.assert(
    fc.property(place, fc.integer({ min: 30, max: 1_439 }), ({ timeZone, dayNumber, clock }, length) => {
      const wallAt = wallIn(timeZone);
      const change = changeAfter(wallAt, begin + dayNumber * day);
      const timeOf = (minutes: number) => ({ hours: Math.floor((minutes % 1_440) / 60), minutes: minutes % 60 });
      const window = { days: everyDay, from: timeOf(clock), to: timeOf(clock + length), timeZone };
      let { from, to } = nextWindow(window, change - 2 * day);
      for (let n = 0; n < 5; n++) {
        expect(to).toBeGreaterThan(from);
        for (const inside of [from, Math.floor((from + to) / 2), to - 1])
          expect(nextWindow(window, inside)).toEqual({ from, to });
        const next = nextWindow(window, to);
        expect(next.from).toBeGreaterThanOrEqual(to);
        ({ from, to } = next);
      }
    }),
    { numRuns: 30 },
  );
});

test('a recurrence is said in words that read as the same one', () => {
  const days = fc.subarray(everyDay, { minLength: 1 });
  fc.assert(
    fc.property(days, minutesOfDay, fc.constantFrom('Europe/Berlin', 'UTC', 'Europe/Kyiv'), (days, clock, timeZone) => {
      const recurrence = { days, hours: Math.floor(clock / 60), minutes: clock % 60, timeZone };
      expect(readWeekly(sayWeekly(recurrence), 'Asia/Tokyo')).toEqual({ ok: true, recurrence });
    }),
    { numRuns: 200 },
  );
});
