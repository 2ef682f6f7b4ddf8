import { z } from 'zod';
import { mapInSlices } from '../../core/async/in-slices.ts';
import type { ZoneHistory } from '../../core/command/zone-history.ts';
import { recordsOfLines } from '../../core/dns/zone-version.ts';
import { minute } from '../../core/text/words.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { mostKeptRecords } from '../context/zone-recorder.ts';

const linesSchema = z.array(z.string());
/** Three intervals of the alert. */
const watchedWithinMs = 15 * minute;

export function createZoneHistory({ store, now }: Pick<EngineContext, 'store' | 'now'>): ZoneHistory {
  return {
    mostRecords: mostKeptRecords,
    versions: async (zone) =>
      mapInSlices(
        await store.zoneVersions.list(zone.toLowerCase()),
        ({ n, at, since, isGone, operations, byUser, keptBy, changes }) => ({
          n,
          at,
          since,
          isGone: isGone === 1,
          operations,
          by: byUser,
          keptBy,
          removed: recordsOfLines(changes?.removed ?? []),
          added: recordsOfLines(changes?.added ?? []),
        }),
      ),
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
