import { z } from 'zod';

/** Hours of each day, such as quiet hours: `22:00`–`07:00`. */

const clockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'a time of day such as 22:00');

export const dayHoursSchema = z.strictObject({ from: clockTime, to: clockTime });
export type DayHours = z.infer<typeof dayHoursSchema>;

/** `22:00`–`07:00` spans midnight; two equal times mean the whole day. */
export function isWithin({ from, to }: DayHours, timeZone: string, now: number): boolean {
  const clock = { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const time = new Intl.DateTimeFormat('en-GB', clock).format(now);
  return from < to ? from <= time && time < to : from <= time || time < to;
}
