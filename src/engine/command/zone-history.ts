import { z } from 'zod';
import type { ZoneHistory } from '../../core/command/zone-history.ts';
import { recordsOfLines } from '../../core/dns/zone-version.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { mostKeptRecords } from '../context/zone-recorder.ts';

const linesSchema = z.array(z.string());

export function createZoneHistory({ store }: Pick<EngineContext, 'store'>): ZoneHistory {
  return {
    mostRecords: mostKeptRecords,
    versions: async (zone) =>
      (await store.zoneVersions.list(zone.toLowerCase())).map(
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
    expected: async (zone) => {
      const observed = (await store.notes.observed('zone', [zone])).get(zone);
      const lines = linesSchema.safeParse(observed?.usual).data;
      return lines && recordsOfLines(lines);
    },
  };
}
