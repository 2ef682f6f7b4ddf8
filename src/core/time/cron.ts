/** Reads the expressions of cron: `0 3 * * 0`. */

const field = /^(?:[\d*/,-]+|(?:sun|mon|tue|wed|thu|fri|sat)(?:[-,](?:sun|mon|tue|wed|thu|fri|sat))*)$/;

/** Whether the words begin with the five fields of an expression. */
export function isCron(words: readonly string[]): boolean {
  const fields = words.slice(0, 5);
  return (
    fields.length === 5 &&
    fields.slice(2).join('').includes('*') &&
    fields.every((word) => field.test(word.toLowerCase()))
  );
}

/** `sun 03:00` for `0 3 * * 0`; undefined where it says something else than days of the week and one hour. */
export function weeklyOfCron(words: readonly string[]): string | undefined {
  const [minutes = '', hours = '', date, month, days = ''] = words.map((word) => word.toLowerCase());
  const isHour = /^\d{1,2}$/.test(minutes) && /^\d{1,2}$/.test(hours) && Number(minutes) < 60 && Number(hours) < 24;
  if (!isHour || date !== '*' || month !== '*' || days.includes('/')) return undefined;
  // 7 is Sunday, too.
  const named = days.replace(
    /\d/g,
    (digit) => ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'][Number(digit)] ?? digit,
  );
  return `${named === '*' ? 'daily' : named} ${hours.padStart(2, '0')}:${minutes.padStart(2, '0')}`;
}
