import { wordSet } from '../text/words.ts';
import { zoneNamed } from './zone.ts';

/** Reads the time zone at the end of typed words: `22:00 Europe/Berlin`, `03:00 UTC`, `9am PST`, `9am pacific time`. */

/** The zones that an abbreviation may be, the usual one first; people write the winter's name in summer, too. */
const abbreviations: Readonly<Record<string, string>> = {
  'utc gmt z': 'UTC',
  'pst pdt pt pacific': 'America/Los_Angeles Asia/Manila',
  'mst mdt mt mountain': 'America/Denver America/Phoenix',
  'cst cdt ct central': 'America/Chicago Asia/Shanghai America/Havana',
  'est edt et eastern': 'America/New_York America/Panama Australia/Sydney',
  bst: 'Europe/London Asia/Dhaka',
  ist: 'Asia/Kolkata Europe/Dublin Asia/Jerusalem',
  'cet cest': 'Europe/Berlin Africa/Algiers',
  msk: 'Europe/Moscow',
  jst: 'Asia/Tokyo',
};
const zonesOf: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(abbreviations).flatMap(([words, zones]) =>
    [...wordSet(words)].map((word) => [word, zones.split(' ')] as const),
  ),
);

export const zoneWords: readonly string[] = [...zonesOf.keys()];

/** An abbreviation, an offset or a name of the time zone database; undefined for another word. */
function zonesNamed(word: string): readonly string[] | undefined {
  const [, sign, hours = '', minutes = '00'] = /^(?:utc|gmt)?([+-])(\d{1,2})(?::?(\d\d))?$/.exec(word) ?? [];
  const name =
    sign === undefined ? /^[a-z]+\/[\w/+-]+$/.exec(word)?.[0] : `${sign}${hours.padStart(2, '0')}:${minutes}`;
  const zone = name === undefined ? undefined : zoneNamed(name);
  return zonesOf.get(word) ?? (zone === undefined ? undefined : [zone]);
}

/** `zones`: none if no zone is typed, several if the word `name` may be any of them. */
export function zoneBehind(typed: string) {
  const words = typed
    .trim()
    .replace(/ (?:my |our )?(?:local )?time\b/gi, '')
    // `03:00Z` and `22:00+01:00`; with a day before `T` it is one instant.
    .replace(/^((?:.* )?\d\d(?::?\d\d)?)(z|[+-]\d\d:\d\d)$/i, '$1 $2')
    .split(/\s+/);
  const at = words.findLastIndex((word, index) => index > 0 && zonesNamed(word.toLowerCase()) !== undefined);
  const name = words[at] ?? '';
  return {
    words: words.filter((_, index) => index !== at).join(' '),
    zones: zonesNamed(name.toLowerCase()) ?? [],
    name,
  };
}
