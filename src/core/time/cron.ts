/** Reads the expressions of cron: `0 3 * * 0`. */

const names = 'sun|mon|tue|wed|thu|fri|sat';
const expression = new RegExp(
  `^(?:[\\d*/,-]+ ){2}(?=.*\\*)(?:[\\d*/,-]+ ){2}(?:[\\d*/,-]+|(?:${names})(?:[-,](?:${names}))*)$`,
  'i',
);

/** `sun 03:00` for `0 3 * * 0`, `impossible` if it says something else, and undefined if it is no expression. */
export function weeklyOfCron(fields: readonly string[]): string | undefined {
  if (!expression.test(fields.join(' '))) return undefined;
  const [minutes = '', hours = '', date, month, days = ''] = fields;
  const isHour = /^\d{1,2}$/.test(minutes) && /^\d{1,2}$/.test(hours) && Number(minutes) < 60 && Number(hours) < 24;
  if (!isHour || date !== '*' || month !== '*' || days.includes('/')) return 'impossible';
  // 7 is Sunday, too.
  const named = days.toLowerCase().replace(/[0-7]/g, (digit) => names.split('|')[Number(digit) % 7] ?? digit);
  return `${named === '*' ? 'daily' : named} ${hours.padStart(2, '0')}:${minutes.padStart(2, '0')}`;
}
