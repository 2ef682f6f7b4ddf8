import { wordSet } from '../text/words.ts';
import { zoneNamed, zoneOfCity } from './zone.ts';

/** Reads the time zone at the end of typed words: `22:00 Europe/Berlin`, `03:00 UTC`, `9am PST`, `9am berlin time`. */

/** The zones that an abbreviation may be, the usual one first; people write the winter's name in summer, too. */
const abbreviations: Readonly<Record<string, string>> = {
  'pst pdt pt pacific': 'America/Los_Angeles Asia/Manila',
  'mst mdt mt mountain': 'America/Denver America/Phoenix',
  'cst cdt ct central': 'America/Chicago Asia/Shanghai America/Havana',
  'est edt et eastern': 'America/New_York America/Panama Australia/Sydney',
  'ast adt': 'America/Halifax Asia/Riyadh',
  bst: 'Europe/London Asia/Dhaka',
  ist: 'Asia/Kolkata Europe/Dublin Asia/Jerusalem',
  'wet west': 'Europe/Lisbon Africa/Casablanca',
  'cet cest': 'Europe/Berlin Africa/Algiers',
  'eet eest': 'Europe/Kyiv Africa/Cairo',
  gst: 'Asia/Dubai Atlantic/South_Georgia',
  msk: 'Europe/Moscow',
  jst: 'Asia/Tokyo',
  kst: 'Asia/Seoul',
  hkt: 'Asia/Hong_Kong',
  sgt: 'Asia/Singapore',
  'aest aedt': 'Australia/Sydney Australia/Brisbane',
  'acst acdt': 'Australia/Adelaide Australia/Darwin',
  awst: 'Australia/Perth',
  'nzst nzdt': 'Pacific/Auckland',
};
const zonesOf: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...['utc', 'gmt', 'z', 'zulu'].map((word) => [word, ['UTC']] as const),
  ...Object.entries(abbreviations).flatMap(([words, zones]) =>
    [...wordSet(words)].map((word) => [word, zones.split(' ')] as const),
  ),
]);

export const zoneWords: readonly string[] = [...zonesOf.keys()];

/** An abbreviation, an offset or a name of the time zone database; undefined for another word. */
function zonesNamed(word: string): readonly string[] | undefined {
  const [, sign, hours = '', minutes = '00'] = /^(?:utc|gmt)?([+-])(\d{1,2})(?::?(\d\d))?$/.exec(word) ?? [];
  const name =
    sign === undefined ? (/^[a-z]+\/[\w/+-]+$/.test(word) ? word : '') : `${sign}${hours.padStart(2, '0')}:${minutes}`;
  const zone = name === '' ? undefined : zoneNamed(name);
  return zonesOf.get(word) ?? (zone === undefined ? undefined : [zone]);
}

/** `zones`: none if no zone is typed, several if the word `name` may be any of them. */
export function zoneBehind(typed: string): {
  readonly words: string;
  readonly zones: readonly string[];
  readonly name: string;
} {
  // `03:00Z`, `0300Z` and `22:00+01:00`; with a day before `T` it is one instant.
  const text = typed
    .trim()
    .replace(/^((?:.* )?\d\d(?::?\d\d)?)(z|[+-]\d\d:\d\d)$/i, '$1 $2')
    .replace(/\b(\d\d)(\d\d) z$/i, '$1:$2 z');
  const words = text.replace(/ (?:(?:my|our) local|my|our|local) time$/i, '').split(/\s+/);
  for (let at = words.length - 1; at > 0; at--)
    for (const count of [2, 1]) {
      const isTime = words[at + count]?.toLowerCase() === 'time';
      const name = words.slice(at, at + count).join(' ');
      const city = isTime ? zoneOfCity(name.toLowerCase()) : undefined;
      const zones = zonesNamed(name.toLowerCase()) ?? city;
      if (zones !== undefined) return { words: words.toSpliced(at, isTime ? count + 1 : count).join(' '), zones, name };
    }
  return { words: words.join(' '), zones: [], name: '' };
}
