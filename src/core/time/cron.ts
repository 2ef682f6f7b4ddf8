import { shortDay } from './time-words.ts';
import { everyDay, readWeekly, sayEvery } from './weekly.ts';

/** Reads the five fields of cron, to offer the days and the hour that mean the same. */

const pattern =
  /(?<=^| |=)(?:[\d*/,-]+ ){2}(?=(?:\S+ ){0,2}\S*\*)(?:[\d*/,-]+ ){2}(?:[\d*/,-]+|(?:(?:sun|mon|tue|wed|thu|fri|sat)[-,]?)+)(?= |$)/i;

/** `same`: the words of `every`, such as `sun 03:00`, and their meaning; undefined if there are none. */
export function cronIn(line: string) {
  const [expression] = pattern.exec(line) ?? [];
  if (expression === undefined) return undefined;
  const [, minute, hour, days = ''] = /^(\d{1,2}) (\d{1,2}) \* \* (\S+)$/.exec(expression) ?? [];
  const every = `${daysOf(days)} ${hour?.padStart(2, '0')}:${minute?.padStart(2, '0')}`;
  const read = readWeekly(every, 'UTC');
  return read.ok ? { expression, same: { every, says: sayEvery(read.recurrence) } } : { expression, same: undefined };
}

/** `mon,thu` of `1,4`; 0 and 7 are Sunday. */
function daysOf(typed: string): string {
  return typed === '*' ? 'daily' : typed.replace(/\d/g, (digit) => shortDay(Number(digit) % everyDay.length));
}
