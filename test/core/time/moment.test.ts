import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readPast, readTime, readWhen } from '../../../src/core/time/moment.ts';
import { sayHour } from '../../../src/core/time/say-hour.ts';
import { hasAllTests, isNightly, seed } from '../../support/suite/seed.ts';

const timeZone = 'Europe/Berlin';
/** Thursday, in the afternoon. */
const afternoon = { now: Date.parse('2026-11-26T14:30:20+01:00'), timeZone };
const night = { now: Date.parse('2026-11-27T01:00+01:00'), timeZone };
/** The day before the clocks go forward, and the day before they go back. */
const march = { now: Date.parse('2027-03-27T12:00+01:00'), timeZone };
const october = { now: Date.parse('2027-10-30T12:00+02:00'), timeZone };

const isoOf = (read: ReturnType<typeof readWhen>) => (read.ok ? new Date(read.at).toISOString() : read);

test.each<[said: string, clock: typeof afternoon, at: string]>([
  ['in 2h', afternoon, '2026-11-26T14:30:20+01:00+2h'],
  ['2h', afternoon, '2026-11-26T14:30:20+01:00+2h'],
  ['tonight 02:00', afternoon, '2026-11-27T02:00+01:00'],
  ['tonight at 2', afternoon, '2026-11-27T02:00+01:00'],
  ['tonight 22:00', afternoon, '2026-11-26T22:00+01:00'],
  ['2am tonight', afternoon, '2026-11-27T02:00+01:00'],
  ['midnight tonight', afternoon, '2026-11-27T00:00+01:00'],
  ['tonight 02:00', night, '2026-11-27T02:00+01:00'],
  ['tonight 00:30', night, '2026-11-28T00:30+01:00'],
  ['tonight 22:00', night, '2026-11-27T22:00+01:00'],
  ['sun 03:00', afternoon, '2026-11-29T03:00+01:00'],
  ['14:30', afternoon, '2026-11-27T14:30+01:00'],
  ['2026-12-01T22:00Z', afternoon, '2026-12-01T22:00Z'],
  ['2026-12-01T22:00-05:00', afternoon, '2026-12-01T22:00-05:00'],
  ['at 22:00 Europe/Moscow', afternoon, '2026-11-26T22:00+03:00'],
  ['03:00 UTC', afternoon, '2026-11-27T03:00Z'],
  ['at 0300Z', afternoon, '2026-11-27T03:00Z'],
  ['20:00 gmt+2 tomorrow', afternoon, '2026-11-27T20:00+02:00'],
  ['8pm MSK', afternoon, '2026-11-26T20:00+03:00'],
  ['at 2026-12-01T22:00Z', afternoon, '2026-12-01T22:00Z'],
  ['tommorow 9am', afternoon, '2026-11-27T09:00+01:00'],
  ['1 sept 22:00', { now: Date.parse('2026-08-30T12:00Z'), timeZone }, '2026-09-01T22:00+02:00'],
  ['1.12. 22:00', afternoon, '2026-12-01T22:00+01:00'],
  ['Dec 1, 10 p.m.', afternoon, '2026-12-01T22:00+01:00'],
  ['fri 4 december 22:00', afternoon, '2026-12-04T22:00+01:00'],
  ['25/12 at 9.30', afternoon, '2026-12-25T09:30+01:00'],
  ['the 5th at 10pm', afternoon, '2026-12-05T22:00+01:00'],
  ['tomorrow evening at 8', afternoon, '2026-11-27T20:00+01:00'],
  ['tomorrow half past six in the evening', afternoon, '2026-11-27T18:30+01:00'],
  ['quarter to eight tomorrow', afternoon, '2026-11-27T07:45+01:00'],
  ['21h15', afternoon, '2026-11-26T21:15+01:00'],
  ['tomorrow 22 uhr', afternoon, '2026-11-27T22:00+01:00'],
  ['at 24:00', afternoon, '2026-11-27T00:00+01:00'],
  ['at now + 2 hours', afternoon, '2026-11-26T16:30:20+01:00'],
  ['tomorrow 14h30', afternoon, '2026-11-27T14:30+01:00'],
  ['sunday @ 3am', afternoon, '2026-11-29T03:00+01:00'],
  ['in 2 days at nine', afternoon, '2026-11-28T09:00+01:00'],
  ['in an hour and a half', afternoon, '2026-11-26T16:00:20+01:00'],
  ['tomorrow 03:00', march, '2027-03-28T03:00+02:00'],
  ['tomorrow 01:59', march, '2027-03-28T01:59+01:00'],
  ['tomorrow 03:00', october, '2027-10-31T03:00+01:00'],
  // Half of the doubled hour is past, so one reading is left.
  ['02:30', { now: Date.parse('2027-10-31T02:45+02:00'), timeZone }, '2027-10-31T02:30+01:00'],
])('"%s" is read as a moment to come', (said, clock, at) => {
  const [iso = '', more] = at.split('+2h');
  expect(isoOf(readWhen(said, clock))).toBe(
    new Date(Date.parse(iso) + (more === undefined ? 0 : 7_200_000)).toISOString(),
  );
});

// The words | the clock | the reason | the alternatives.
const refused = `
today 09:00 | afternoon | \`today 09:00\` is past. | tomorrow 09:00, in 2h, tonight 02:00
2026-11-20 14:00 | afternoon | \`2026-11-20 14:00\` is past. | tomorrow 14:00, in 2h, tonight 02:00
2026-11-20T14:00Z | afternoon | \`2026-11-20T14:00Z\` is past. | in 2h, tonight 02:00, tomorrow 09:00
in 0m | afternoon | \`in 0m\` is past. | in 2h, tonight 02:00, tomorrow 09:00
tomorrow 02:30 | march | Sun Mar 28, 02:30 does not exist in Europe/Berlin: the clocks go forward then. | 2027-03-28 03:00
tomorrow 02:30 | october | Sun Oct 31, 02:30 comes twice in Europe/Berlin: the clocks go back then. | 2027-10-31T02:30+02:00, 2027-10-31T02:30+01:00
2027-06-01 22:00 | afternoon | \`2027-06-01 22:00\` is 187 days 6 h away; at most 90 days are possible. | in 90d
in 99w | afternoon | \`in 99w\` is 693 days away; at most 90 days are possible. | in 90d
in 999999999w | afternoon | \`in 999999999w\` is 6,999,999,993 days away; at most 90 days are possible. | in 90d
tonight | afternoon | \`tonight\` does not say the hour. | tonight 22:00, tonight 02:00
tonight at 9 | afternoon | 09:00 is not at night. | tonight 21:00, tomorrow 09:00
9am PST | afternoon | \`PST\` is the name of several time zones. | 9am America/Los_Angeles, 9am Asia/Manila
12/01 10pm | afternoon | \`12/01\` may be two days. | 2026-12-01 10pm, 2027-01-12 10pm
friday night | afternoon | \`friday night\` does not say the hour. | fri 22:00, sat 02:00
sat night at 2 | afternoon | \`sat night at 2\` may be one of two days. | sun 02:00, sat 02:00
sunday morning 3 | afternoon | \`sunday morning 3\` is not clear. | sun 03:00, sun 15:00
tomorrow evening | afternoon | \`tomorrow evening\` does not say the hour. | tomorrow 18:00, tomorrow 20:00
this weekend | afternoon | \`this weekend\` does not say the hour. | sat 09:00, sun 03:00
before 9am | afternoon | \`before 9am\` does not say the hour to begin. | 9am, in 2h, tonight 02:00
for 2h | afternoon | \`2h\` does not say when to begin. | in 2h
friday 25:00 | afternoon | \`25:00\` is no hour of the day. | friday 09:00, friday 22:00, friday 03:00
yesterday 9:00 | afternoon | \`yesterday 9:00\` is past. | tomorrow 9:00, in 2h, tonight 02:00
early tomorrow | afternoon | \`early tomorrow\` does not say the hour. | tomorrow 06:00, tomorrow 09:00
after 2h | afternoon | \`after 2h\` does not say the hour to begin. | in 2h, tonight 02:00, tomorrow 09:00
4.2 | afternoon | \`4.2\` is not a time. | in 2h, tonight 02:00, tomorrow 09:00
christmas | afternoon | \`christmas\` is not a time. | in 2h, tonight 02:00, tomorrow 09:00
31 november 9:00 | afternoon | \`31 november 9:00\` does not exist: November has 30 days. | 30 November 9:00, in 2h, tonight 02:00
mon 4 december | afternoon | \`mon 4 december\` does not exist: Dec 4 is a Friday. | 2026-12-04 09:00, mon 09:00
monday the 1st of december at 8 pm | afternoon | \`monday the 1st of december at 8 pm\` does not exist: Dec 1 is a Tuesday. | 2026-12-01 20:00, mon 20:00
mon 31 november 9:00 | afternoon | \`mon 31 november 9:00\` does not exist: November has 30 days. | mon 30 November 9:00, in 2h, tonight 02:00
21.11. 6:00 | afternoon | \`21.11. 6:00\` is past, and the next is 359 days 15 h away. | in 2h, tonight 02:00, tomorrow 09:00
tomorrow half 8 | afternoon | \`half 8\` may be two hours. | tomorrow 7:30, tomorrow 8:30
at 1796090400 | afternoon | \`at 1796090400\` is not a time. | in 2h, tonight 02:00, tomorrow 09:00
soon | afternoon | \`soon\` is not a time. | in 2h, tonight 02:00, tomorrow 09:00
 | afternoon | \`\` is not a time. | in 2h, tonight 02:00, tomorrow 09:00
2026-11-31 03:00 | afternoon | \`2026-11-31 03:00\` does not exist: November has 30 days. | 2026-11-30 03:00, in 2h, tonight 02:00
2026-11-31T03:00Z | afternoon | \`2026-11-31T03:00Z\` does not exist: November has 30 days. | 2026-11-30T03:00Z, in 2h, tonight 02:00
2027-02-29 | afternoon | \`2027-02-29\` does not exist: February 2027 has 28 days. | in 2h, tonight 02:00, tomorrow 09:00
`;
test.each(
  refused
    .slice(1, -1)
    .split('\n')
    .map((row) => row.split(' | ')),
)('"%s" is refused with the reason and the right alternatives', (said = '', clock, why, instead = '') => {
  const read = readWhen(said, clock === 'march' ? march : clock === 'october' ? october : afternoon);
  expect(read).toEqual({ ok: false, why, instead: instead.split(', ') });
});

test('an hour of an unknown time zone is refused', () =>
  expect(readWhen('22:00', { ...afternoon, timeZone: 'Mars/Olympus' })).toEqual({
    ok: false,
    why: 'The time zone Mars/Olympus is unknown.',
    instead: [],
  }));

test('a day is read if the calendar has it, in every form and both ways in time', () => {
  const early = { now: Date.UTC(2025, 11, 31), timeZone: 'UTC' };
  const late = { now: Date.UTC(2029, 0), timeZone: 'UTC' };
  const two = (number: number) => String(number).padStart(2, '0');
  const wrong: string[] = [];
  for (const [year, month, day] of daysOf(2026, 2028)) {
    const named = `${year}-${two(month)}-${two(day)}`;
    const judge = new Date(Date.UTC(year, month - 1, day, 10));
    const isReal = judge.getUTCMonth() === month - 1 && judge.getUTCDate() === day;
    for (const words of [`${named} 10:00`, `10am ${named}`, `${named}T10:00Z`, `${named}t11:00:00.000+01:00`]) {
      const reads = [readWhen(words, early, Number.POSITIVE_INFINITY), readPast(words, late)];
      const expected = isReal ? judge.getTime() : undefined;
      for (const read of reads) if ((read.ok ? read.at : undefined) !== expected) wrong.push(words);
      if (readTime(words, early) !== expected) wrong.push(`readTime ${words}`);
    }
  }
  expect(wrong).toEqual([]);
});

/**
 * The days of these years and the days beside the calendar, months 0 to 13 of 0 to 32 days: all of them at night, else
 * those around the ends of a month and one in its middle.
 */
function* daysOf(first: number, last: number) {
  const days = Array.from({ length: 33 }, (_, day) => day).filter(
    (day) => hasAllTests || day < 2 || day > 27 || day === 2 + (seed % 26),
  );
  for (let year = first; year <= last; year++)
    for (let month = 0; month <= 13; month++) for (const day of days) yield [year, month, day] as const;
}

test('an hour at the end of a month is said with a day of the calendar', () => {
  const clock = { now: Date.UTC(2026, 9, 31, 16), timeZone: 'America/New_York' };
  expect(readWhen('tomorrow 01:30', clock)).toMatchObject({
    why: expect.stringMatching(/^Sun Nov 1, 01:30 comes twice/),
  });
  const atMidnight = { now: Date.UTC(2023, 8, 29), timeZone: 'America/Asuncion' };
  expect(readWhen('2023-09-30 24:00', atMidnight)).toMatchObject({
    why: expect.stringMatching(/^Sun Oct 1, 00:00 does not exist/),
  });
});

test('every alternative of a refusal is read', () => {
  const zones = Intl.supportedValuesOf('timeZone');
  const said = fc.constantFrom(
    ...['today 00:30', 'tonight', 'tonight at 9', 'tonight 02:30', 'tomorrow 02:30', '01:30', 'x', 'in 100d'],
    ...['2028-01-01', '2026-11-01 01:30', 'today 23:59', '2026-02-30 10:00', 'sun 02:30', '2030-03-31T02:30Z'],
  );
  const now = fc.integer({ min: Date.UTC(2026, 0), max: Date.UTC(2031, 0) });
  const property = fc.property(said, now, fc.constantFrom(...zones), (words, now, timeZone) => {
    const clock = { now, timeZone };
    const read = readWhen(words, clock);
    if (read.ok) expect(read.at).toBeGreaterThan(now);
    else expect(read.instead.filter((other) => !readWhen(other, clock).ok)).toEqual([]);
    const past = readPast(words, clock);
    if (past.ok) expect(past.at).toBeLessThanOrEqual(now);
    else expect(past.instead.filter((other) => !readPast(other, clock).ok)).toEqual([]);
  });
  fc.assert(property, { numRuns: isNightly ? 1_000 : 80 });
});

test.each<[said: string, at: string]>([
  ['now', '2026-11-26T14:30:20+01:00'],
  ['1 minute ago', '2026-11-26T14:29:20+01:00'],
  ['2h ago', '2026-11-26T12:30:20+01:00'],
  ['an hour ago', '2026-11-26T13:30:20+01:00'],
  ['2h', '2026-11-26T12:30:20+01:00'],
  ['yesterday', '2026-11-25T00:00+01:00'],
  ['yesterday 14:00', '2026-11-25T14:00+01:00'],
  ['9am yesterday', '2026-11-25T09:00+01:00'],
  ['today', '2026-11-26T00:00+01:00'],
  ['2026-11-20', '2026-11-20T00:00+01:00'],
  ['2026-11-20 14:00', '2026-11-20T14:00+01:00'],
  ['2026-07-01 14:00', '2026-07-01T14:00+02:00'],
  ['2026-11-20T14:00Z', '2026-11-20T14:00Z'],
  ['monday 10:00', '2026-11-23T10:00+01:00'],
  ['last monday', '2026-11-23T00:00+01:00'],
  ['thursday 10:00', '2026-11-26T10:00+01:00'],
  ['thursday 15:00', '2026-11-19T15:00+01:00'],
  ['last thursday', '2026-11-19T00:00+01:00'],
  ['10:00', '2026-11-26T10:00+01:00'],
  ['15:00', '2026-11-25T15:00+01:00'],
])('"%s" is read as a moment that is past', (said, at) => {
  expect(isoOf(readPast(said, afternoon))).toBe(new Date(Date.parse(at)).toISOString());
});

const saids = ['in 2h', 'tomorrow', 'today 15:00', 'next monday', '2026-12-01', '2026-12-01T10:00Z'];
test.each(saids)('"%s" is refused as still to come', (said) => {
  const instead = ['1h ago', 'yesterday', 'yesterday 14:00'];
  expect(readPast(said, afternoon)).toEqual({ ok: false, why: `\`${said}\` is still to come.`, instead });
});

test('a moment before all records is refused', () => {
  expect(readPast('999999999w ago', afternoon)).toMatchObject({ ok: false, why: '`999999999w ago` is too long ago.' });
});

test('a past hour that the clocks skipped or showed twice is refused with the right ones', () => {
  const clock = { now: Date.parse('2026-11-26T12:00Z'), timeZone };
  const result = readPast('2026-10-25 02:30', clock);
  expect(result).toMatchObject({ ok: false, instead: ['2026-10-25T02:30+02:00', '2026-10-25T02:30+01:00'] });
  expect(readPast('2026-03-29 02:30', clock)).toMatchObject({ ok: false, instead: ['2026-03-29 03:00'] });
  // In Cairo that day begins at 01:00.
  expect(isoOf(readPast('2026-04-24', { ...clock, timeZone: 'Africa/Cairo' }))).toBe('2026-04-23T22:00:00.000Z');
});

test('an hour is said on the clocks of its zone, with the offset where it comes twice', () => {
  expect(sayHour(Date.parse('2026-11-29T02:00Z'), timeZone)).toBe('Sun Nov 29, 03:00 Europe/Berlin');
  expect(sayHour(Date.parse('2027-10-31T00:30Z'), timeZone)).toBe('Sun Oct 31, 02:30 Europe/Berlin (UTC+02:00)');
});

test('without a time zone, spans and instants are read, and an hour is refused with the same hour in UTC', () => {
  const clock = { now: Date.UTC(2026, 10, 18, 13, 30), timeZone: undefined };
  expect(readWhen('in 2h', clock)).toEqual({ ok: true, at: clock.now + 2 * 3_600_000 });
  expect(readWhen('2026-12-01T22:00Z', clock)).toEqual({ ok: true, at: Date.UTC(2026, 11, 1, 22) });
  expect(readWhen('2026-12-01 22:00', clock)).toEqual({
    ok: false,
    why: 'Slack did not say your time zone: write the hour like `2026-12-01T22:00Z`.',
    instead: ['2026-12-01T22:00Z'],
  });
  expect(readWhen('tonight', clock)).toMatchObject({ ok: false, instead: [] });
  expect(readWhen('soon', clock)).toMatchObject({ ok: false, why: '`soon` is not a time.', instead: ['in 2h'] });
  expect(readPast('2h ago', clock)).toEqual({ ok: true, at: clock.now - 2 * 3_600_000 });
  expect(readPast('yesterday 14:00', clock)).toMatchObject({ ok: false, instead: ['2026-11-17T14:00Z'] });
});

test('a time on clocks of an unknown time zone is not read, and without a time zone it is in UTC', () => {
  const clock = { now: Date.UTC(2026, 10, 18, 13, 30), timeZone: 'Mars/Olympus' };
  expect(readTime('2026-11-01 0:00', clock)).toBeUndefined();
  expect(readTime('2026-11-01 0:00', { ...clock, timeZone: undefined })).toBe(Date.UTC(2026, 10, 1));
});
