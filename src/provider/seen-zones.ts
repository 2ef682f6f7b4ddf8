import type { Reader } from './client.ts';
import type { ProviderDomain } from './endpoints/dns.ts';

/** Learns of the zones that the bot reads. */
export interface ZoneWatcher {
  /** Called before a reading. */
  readonly begin: () => Promise<ZoneReading>;
}

/** Called once the reading has ended. */
export interface ZoneReading {
  readonly zone: (zone: string, records: ProviderDomain['entry_set']) => Promise<void>;
  /** `isThere` reads whether the account has a zone that the list lacks: a list may change while it is read. */
  readonly all: (
    zones: readonly ProviderDomain[],
    unreadable: readonly string[],
    isThere: (zone: string) => Promise<boolean>,
  ) => Promise<void>;
}

/** A reader that gives its complete readings of zones to the watcher as well. A reading that fails gives nothing. */
export function watchingZones(reader: Reader, watcher: ZoneWatcher): Reader {
  const isThere = async (zone: string) => {
    const matches = await reader.dns.domains({ q: zone });
    const names = [...matches.map(({ name }) => name), ...matches.unreadable.map(({ id }) => id)];
    return names.some((name) => name.toLowerCase() === zone);
  };
  return {
    ...reader,
    dns: {
      ...reader.dns,
      domains: async (input = {}, options) => {
        if (input.q !== undefined || input.tag !== undefined) return reader.dns.domains(input, options);
        const reading = await watcher.begin();
        const zones = await reader.dns.domains(input, options);
        const unreadable = zones.unreadable.map(({ id }) => id);
        await reading.all(zones, unreadable, isThere);
        return zones;
      },
      entries: async (input, options) => {
        if (input.q !== undefined || input.type !== undefined) return reader.dns.entries(input, options);
        const reading = await watcher.begin();
        const records = await reader.dns.entries(input, options);
        await reading.zone(input.name, records);
        return records;
      },
    },
  };
}
