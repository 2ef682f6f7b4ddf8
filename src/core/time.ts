import { day } from './words.ts';

/**
 * Three forms of dates come from the provider (seen on live accounts, 2024): naive, with Z and with an offset. A naive
 * one is in the provider's local time, which nobody has published: it is read as UTC and may be off by most of a day,
 * so nothing finer than days is ever computed from it.
 */
export function parseProviderDate(text: string | null | undefined): { ms: number; isNaive: boolean } | undefined {
  if (text == null || text === '') return undefined;
  const isNaive = !/(Z|[+-]\d{2}:?\d{2})$/i.test(text);
  const ms = Date.parse(isNaive ? `${text.includes('T') ? text : `${text}T00:00:00`}Z` : text);
  return Number.isNaN(ms) ? undefined : { ms, isNaive };
}

/** Whole days from now; negative when past. Undefined when the date says nothing. */
export function daysUntil(text: string | null | undefined, now: number): number | undefined {
  const date = parseProviderDate(text);
  return date === undefined ? undefined : Math.floor((date.ms - now) / day);
}
