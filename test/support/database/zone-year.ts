import { createZoneRecorder } from '../../../src/engine/zones/zone-recorder.ts';
import type { Store } from '../../../src/store/database.ts';

/** Zones that are read through a year of changes, to measure the room and the time that their history takes. */
export async function liveThrough(
  store: Store,
  clock: { at: number },
  { zones, records, changes }: { readonly zones: number; readonly records: number; readonly changes: number },
): Promise<{ readonly firstMs: number; readonly sameMs: number; readonly changeMs: number }> {
  const names = Array.from({ length: zones }, (_, n) => `customer-${n}.example.com`);
  const ids = { next: 1 };
  const recordOf = (n: number) => ({
    id: ids.next++,
    host: n % 5 === 0 ? '' : `host-${n}`,
    type: n % 5 === 0 ? 'TXT' : 'A',
    value: n % 5 === 0 ? `v=token-${n} ${(n * 2_654_435_761) % 4_294_967_296}` : `192.0.${n % 250}.${(n * 7) % 250}`,
    prio: null,
    ttl: n % 3 === 0 ? null : 3600,
  });
  let read = names.map((name) => ({
    name,
    created: null,
    updated: null,
    tags: [],
    entry_set: Array.from({ length: records }, (_, n) => recordOf(n)),
  }));
  const complaints: unknown[] = [];
  const log = { warn: (fields: object) => complaints.push(fields) };
  const watcher = createZoneRecorder({ store, now: () => clock.at, log });
  const readAll = async () => {
    const before = performance.now();
    const reading = await watcher.begin();
    await reading.all(read, [], async () => true);
    return performance.now() - before;
  };
  const firstMs = await readAll();
  read = read.map((zone) => ({ ...zone, entry_set: [...zone.entry_set] }));
  const sameMs = await readAll();
  let changeMs = 0;
  for (let n = 0; n < changes; n++) {
    clock.at += (365 * 86_400_000) / changes;
    const zone = read[n % zones];
    const [first, ...rest] = zone?.entry_set ?? [];
    if (zone === undefined || first === undefined) throw new Error('a zone without records');
    zone.entry_set = [
      ...rest,
      { ...first, id: ids.next++, value: `192.0.2.${n % 250}`, type: 'A', host: `new-${n % 40}` },
    ];
    const before = performance.now();
    const reading = await watcher.begin();
    await reading.zone(zone.name, zone.entry_set);
    changeMs += performance.now() - before;
  }
  if (complaints.length > 0) throw new Error(`a version was not stored: ${JSON.stringify(complaints[0])}`);
  return { firstMs, sameMs, changeMs: changes === 0 ? 0 : changeMs / changes };
}
