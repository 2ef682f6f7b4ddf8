/** Formats and parses numbers and spans for people, and counts letters. */

/** The number of letters and digits that show something: the fillers of Hangul are letters, and show nothing. */
export function lettersIn(text: string): number {
  return text.match(/(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{N}]/gu)?.length ?? 0;
}

/** The words of lists, a space between them: in an array, each would take a line. */
export function wordSet(...lists: readonly string[]): ReadonlySet<string> {
  return new Set(lists.join(' ').split(' '));
}

/** The phrases of a list, a dot between them. */
export function phraseList(list: string): readonly string[] {
  return list.split('·').map((phrase) => phrase.trim().replaceAll(/\s+/g, ' '));
}

export const second = 1_000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

const unitMs: Readonly<Record<string, number>> = { s: second, m: minute, h: hour, d: day, w: 7 * day };

/** Parses `90s`, `15m`, `24h`, `7d`, `2w` and `1h30m`; undefined if the text is not a span. */
export function parseSpan(text: string): number | undefined {
  const wanted = text.trim().toLowerCase();
  if (!/^(\d{1,9}[smhdw])+$/.test(wanted)) return undefined;
  let total = 0;
  for (const [, count, unit] of wanted.matchAll(/(\d{1,9})([smhdw])/g))
    total += Number(count) * (unitMs[unit ?? ''] ?? 0);
  return total;
}

/** Formats a span in the largest exact unit: `14d`. Rounds to seconds, the smallest unit that can be typed. */
export function spanText(ms: number): string {
  const unit = (['d', 'h', 'm'] as const).find((name) => ms > 0 && ms % (unitMs[name] ?? 0) === 0) ?? 's';
  return `${Math.round(ms / (unitMs[unit] ?? second))}${unit}`;
}

/** `1 min 12 s`, `3 h`, `13 days`: at most two units, the small ones dropped. */
export function sayDuration(ms: number): string {
  const total = Math.max(0, Math.round(ms / second));
  if (total < 60) return `${total} s`;
  const units: [number, (n: number) => string][] = [
    [Math.floor(total / 86_400), (n) => count(n, 'day')],
    [Math.floor((total % 86_400) / 3_600), (n) => `${n} h`],
    [Math.floor((total % 3_600) / 60), (n) => `${n} min`],
    [total % 60, (n) => `${n} s`],
  ];
  const first = units.findIndex(([n]) => n > 0);
  return units
    .slice(first, first + 2)
    .filter(([n]) => n > 0)
    .map(([n, say]) => say(n))
    .join(' ');
}

export function count(n: number, noun: string, plural = `${noun}s`): string {
  // Small numbers look the same in every locale, and the first call of toLocaleString takes 20 ms.
  return `${Math.abs(n) < 1_000 ? n : n.toLocaleString('en-US')} ${n === 1 ? noun : plural}`;
}

/** `€ 84.20`; a currency without a sign keeps its code, and an unknown one is omitted. */
export function money(amount: number, currency: string | undefined): string {
  const code = currency?.toUpperCase() ?? '';
  const sign = { EUR: '€', USD: '$', GBP: '£' }[code] ?? code;
  return `${sign} ${amount.toLocaleString('en-US', { minimumFractionDigits: Number.isInteger(amount) ? 0 : 2, maximumFractionDigits: 2 })}`.trim();
}

export function moneyOrUnknown(amount: number | null, currency: string | undefined): string {
  return amount === null ? 'unknown' : money(amount, currency);
}

/** `€ 12 a month` */
export function monthly(amount: number | null, currency: string | undefined): string {
  return amount === null ? 'monthly cost unknown' : `${money(amount, currency)} a month`;
}

/** Formats bytes in decimal units, in which traffic is sold. */
export function bytes(n: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];
  let value = Math.abs(n);
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) [value, unit] = [value / 1_000, unit + 1];
  const digits = unit === 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  return `${n < 0 ? '−' : ''}${value.toFixed(digits)} ${units[unit]}`;
}

/** Sorts `web-2` before `web-10`. `localeCompare` would make a collator at each call. */
export const byNumbers = new Intl.Collator('en', { numeric: true }).compare;

/** `a, b and c` */
export function list(words: readonly string[], last = 'and'): string {
  if (words.length < 2) return words[0] ?? '';
  return `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
}

/** A few names as a list; more as a number: `5 servers`. */
export function countOrList<T>(all: readonly T[], noun: string, nameOf: (item: T) => string = String): string {
  return all.length > 4 ? count(all.length, noun) : list(all.map(nameOf));
}

/** Capitalizes the first word of a sentence, unless it is a name such as `web-1`. */
export function sentenceStart(words: string): string {
  return words.replace(/^[a-z](?=[a-z']*(?:[ ,.:;]|$))/, (letter) => letter.toUpperCase());
}

/** The first words and the number of omitted ones; `say` names what is not a word. */
export function firstFew<T>(all: readonly T[], most: number, say: (item: T) => string = String): string {
  const words = all.slice(0, most).map((item) => say(item));
  return all.length <= most ? list(words) : `${words.join(', ')} and ${all.length - most} more`;
}

/** A text cut to this many characters. */
export function shortened(text: string, most = 60): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/** The first lines, and a line with the number of omitted ones. */
export function firstLines<T>(lines: readonly T[], most: number): readonly (T | string)[] {
  return lines.length <= most ? lines : [...lines.slice(0, most), `and ${lines.length - most} more`];
}

export const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `Nov 28, 2026`: the day in UTC, for every reader alike. */
export function dayInWords(ms: number): string {
  const day = new Date(ms);
  return `${months[day.getUTCMonth()]} ${day.getUTCDate()}, ${day.getUTCFullYear()}`;
}

/** For "Did you mean": the known word at the smallest edit distance, if that is small for the word's length. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  return allNearest(word, candidates).words[0];
}

/** `Did you mean power?`; without a known word near this one, something else. */
export function nearestOr(otherwise: string, word: string, candidates: Iterable<string>): string {
  const near = nearest(word, candidates);
  return near === undefined ? otherwise : `Did you mean ${near}?`;
}

/** All known words at the smallest edit distance; people choose among equally near ones. */
export function allNearest(word: string, candidates: Iterable<string>) {
  const wanted = word.toLowerCase();
  const limit = wanted.length <= 3 ? 1 : wanted.length <= 6 ? 2 : 3;
  let words: string[] = [];
  let best = limit;
  for (const candidate of new Set(candidates)) {
    if (Math.abs(candidate.length - wanted.length) > best) continue;
    const distance = editDistance(wanted, candidate.toLowerCase(), best + 1);
    if (distance > best) continue;
    words = distance < best ? [candidate] : [...words, candidate];
    best = distance;
  }
  // A word with every letter changed is a different word.
  return best < wanted.length ? { words, distance: best } : { words: [], distance: best };
}

/** Optimal string alignment: swapped neighbors count as one edit. Stops at `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let value = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        value = Math.min(value, (beforeLast[j - 2] ?? 0) + 1);
      }
      row.push(value);
      least = Math.min(least, value);
    }
    if (least >= limit) return limit;
    [beforeLast, last] = [last, row];
  }
  return last[b.length] ?? limit;
}

/** Strips trailing signs. Works from the end, since an expression such as `,+$` restarts at each sign of a long run. */
export function withoutEnd(text: string, signs: string): string {
  let end = text.length;
  while (end > 0 && signs.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
