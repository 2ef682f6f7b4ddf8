import {
  asTyped,
  instantIn,
  notRead,
  type PersonClock,
  type ReadMoment,
  shownOnce,
  type Unread,
  unknownZone,
  usable,
  withoutZone,
  type ZonedClock,
} from './read-when.ts';
import { partsOf, spanOf } from './time-words.ts';
import { daysInMonth, firstAt, type Wall, wallClock, weekdayOf, zoneNamed } from './zone.ts';

/** Reads the typed words for a moment that is past: `2h ago`, `yesterday 14:00`, `monday 10:00`, `2026-11-20`. */

const examples = ['1h ago', 'yesterday', 'yesterday 14:00'];
const midnight = { hours: 0, minutes: 0 };

/** A day without an hour means its beginning, and an hour without a day is the last such hour. */
export function readPast(words: string, clock: PersonClock): ReadMoment {
  const read = meantIn(words, clock);
  if (typeof read === 'number') return { ok: true, at: read };
  return {
    ok: false,
    why: read.why,
    instead: usable(read.instead, (other) => typeof meantIn(other, clock) === 'number'),
  };
}

function meantIn(words: string, { now, timeZone }: PersonClock): number | Unread {
  if (timeZone !== undefined) return meantAt(words, { now, timeZone });
  const read = meantAt(words, { now, timeZone: 'UTC' });
  return typeof read === 'number' && dependsOnZone(words, now) ? withoutZone(read) : read;
}

function dependsOnZone(words: string, now: number): boolean {
  const phrase = words.trim().toLowerCase();
  const isSpan = phrase === 'now' || spanOf(phrase.replace(/ ago$/, '')) !== undefined;
  return (
    !isSpan && instantIn(words.trim()) === undefined && typeof wallIn(phrase, { now, timeZone: 'UTC' }) === 'object'
  );
}

function meantAt(words: string, clock: ZonedClock): number | Unread {
  const { now, timeZone } = clock;
  if (zoneNamed(timeZone) === undefined) return unknownZone(timeZone);
  const typed = words.trim();
  const phrase = typed.toLowerCase();
  const agoMs = phrase === 'now' ? 0 : spanOf(phrase.replace(/ ago$/, ''));
  const instant = agoMs === undefined ? instantIn(typed) : now - agoMs;
  const meant = instant ?? wallIn(phrase, clock);
  if (meant === undefined) return notRead(typed, examples);
  const first = typeof meant === 'number' ? meant : firstAt(meant, timeZone);
  if (first > now) return { why: `${asTyped(typed)} is still to come.`, instead: examples };
  if (first < 0) return { why: `${asTyped(typed)} is too long ago.`, instead: examples };
  if (typeof meant === 'number' || !meant.isExact) return first;
  return shownOnce(meant, timeZone, (reading) => reading <= now);
}

type PastWall = Wall & { /** With an hour. */ readonly isExact: boolean };

function wallIn(phrase: string, { now, timeZone }: ZonedClock): number | PastWall | undefined {
  const isYesterday = /\byesterday\b/.test(phrase);
  const parts = partsOf(phrase.replace(/^last /, '').replace(/\byesterday\b/, 'today'));
  if (parts === undefined) return undefined;
  if ('inMs' in parts) return now + parts.inMs;
  const today = wallClock(now, timeZone);
  const hour = parts.clock ?? midnight;
  const on = (days: number) => ({ ...today, day: today.day + days, ...hour, isExact: parts.clock !== undefined });
  const wasToday = firstAt(on(0), timeZone) <= now;
  const { when } = parts;
  if (when === undefined) return on(wasToday ? 0 : -1);
  if ('year' in when) return when.day > daysInMonth(when) ? undefined : { ...on(0), ...when };
  if ('daysAhead' in when) return on(isYesterday ? -1 : when.daysAhead);
  if (when.isNext) return on(7);
  const back = (weekdayOf(today) - when.weekday + 7) % 7;
  return on(back === 0 && (!wasToday || phrase.startsWith('last ')) ? -7 : -back);
}
