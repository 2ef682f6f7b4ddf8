import { z } from 'zod';
import { mapInSlices } from '../../core/async/in-slices.ts';
import type { ZoneHistory } from '../../core/command/zone-history.ts';
import { recordsIn, recordsOfLines } from '../../core/dns/zone-version.ts';
import { minute } from '../../core/text/words.ts';
import type { EngineContext } from '../context/engine-context.ts';

const linesSchema = z.array(z.string());
/** Three intervals of the alert. */
const watchedWithinMs = 15 * minute;

export function createZoneHistory({ store, now }: EngineContext): ZoneHistory {
  return {
    versions: async (zone) =>
      mapInSlices(await store.zoneVersions.list(zone.toLowerCase()), ({ isGone, byUser: by, changes, ...version }) => ({
        ...version,
        isGone: isGone === 1,
        by,
        ...recordsIn(changes ?? { removed: [], added: [] }),
      })),
    records: async (zone, n) => {
      const lines = await store.zoneVersions.findLines(zone.toLowerCase(), n);
      return lines && recordsOfLines(lines);
    },
    watched: async (zone) => {
      const observed = (await store.values.find('zone', [zone])).get(zone);
      // An older one is left from an alert that no channel has now.
      if (observed === undefined || observed.at < now() - watchedWithinMs) return undefined;
      const of = (value: unknown) => recordsOfLines(linesSchema.catch([]).parse(value));
      return { expected: of(observed.value.usual), seen: of(observed.value.seen) };
    },
  };
}
