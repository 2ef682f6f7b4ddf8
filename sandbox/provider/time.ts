import { numbers } from './numbers.ts';

/** `2024-02-05T21:41:25`: the provider's local time without a zone, for orders. */
export function naiveDate(ms: number): string {
  return new Date(ms + numbers.localOffsetMinutes * 60_000).toISOString().slice(0, 19);
}

/** `2024-02-05T21:41:25+02:00`, for domains and reinstalls. */
export function offsetDate(ms: number): string {
  const minutes = numbers.localOffsetMinutes;
  const two = (value: number) => String(value).padStart(2, '0');
  return `${naiveDate(ms)}+${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** `2024-02-05T19:41:25.000Z`, for jobs and snapshots. */
export function zuluDate(ms: number): string {
  return new Date(ms).toISOString();
}

export function addMonths(ms: number, months: number): number {
  const date = new Date(ms);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, lastDay));
  return date.getTime();
}

export const roundMoney = (amount: number) => Math.round(amount * 100) / 100;
