import { day } from '../text/words.ts';
import type { Text } from './view.ts';

/**
 * Three forms of dates come from the provider (seen on live accounts, 2024): naive, with Z and with an offset; a space
 * in place of the T is how Python writes them. A naive date is in the provider's local time, whose offset is not documented.
 * Hostler reads it as UTC. The result may be wrong by most of a day, so the code computes whole days only.
 */
export function parseProviderDate(text: string | null | undefined): { ms: number; isNaive: boolean } | undefined {
  const [, day, clock = '00:00:00', zone = ''] =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)\s*(Z|UTC|[+-]\d{2}:?\d{2})?)?$/i.exec(
      (text ?? '').trim(),
    ) ?? [];
  if (day === undefined) return undefined;
  const offset = /^[+-]/.test(zone) ? `${zone.slice(0, 3)}:${zone.slice(-2)}` : 'Z';
  const ms = Date.parse(`${day}T${clock}${offset}`);
  return Number.isNaN(ms) ? undefined : { ms, isNaive: zone === '' };
}

/** The day of a provider date, unconverted: the same for all readers. An unreadable date keeps the provider's words. */
export function sayDay(text: string | null | undefined): Text {
  const date = dayNamed(text);
  return date === undefined ? text || 'unknown' : [{ date, style: 'day' }];
}

/** The start in UTC of the day that a provider date names. */
export function dayNamed(text: string | null | undefined): number | undefined {
  return parseProviderDate(text) === undefined ? undefined : Date.parse((text ?? '').trim().slice(0, 10));
}

/** Whole days from now, negative for the past; undefined if the date cannot be read. */
export function daysUntil(text: string | null | undefined, now: number): number | undefined {
  const date = parseProviderDate(text);
  return date === undefined ? undefined : Math.floor((date.ms - now) / day);
}

/** `is paid until tomorrow`, `is paid for 5 more days`: what is known of an order that may renew. */
export function sayPaid(days: number): string {
  return days > 1 ? `is paid for ${days} more days` : `is paid until ${days < 1 ? 'today' : 'tomorrow'}`;
}

const soonDays = 14;

/** Whether something ends so soon that lists and Home mark it in yellow. */
export function endsSoon(text: string | null | undefined, now: number): boolean {
  const days = daysUntil(text, now);
  return days !== undefined && days < soonDays;
}
