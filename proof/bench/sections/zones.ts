import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openStore } from '../../../src/store/database.ts';
import { liveThrough } from '../../../test/support/database/zone-year.ts';
import { type Amount, atMost, type Row, type Section } from '../measure.ts';

interface Load {
  readonly zones: number;
  readonly records: number;
  readonly changes: number;
  readonly most?: number;
}

const usual: Load = { zones: 50, records: 50, changes: 3_650, most: 1_000_000 };
const loads: Readonly<Record<Amount, readonly Load[]>> = {
  full: [usual, { zones: 200, records: 500, changes: 3_650 }],
  quick: [usual],
  smoke: [{ zones: 2, records: 5, changes: 10, most: 1_000_000 }],
};

/** The history of zones over a year: the room that it takes, and the time of a reading. */
export const zones: Section = {
  name: 'zones',
  title: 'History of zones over a year',
  run: async ({ amount, folder, say }) => {
    const rows: Row[] = [];
    for (const { most, ...load } of loads[amount]) {
      const what = `${load.zones} zones of ${load.records} records, ${load.changes} changes`;
      say(what);
      const file = join(folder, `zones-${load.zones}.db`);
      const clock = { at: Date.UTC(2026, 0, 1) };
      const store = await openStore(file, { now: () => clock.at });
      const times = await liveThrough(store, clock, load);
      const beforeRead = performance.now();
      const oldest = await store.zoneVersions.findLines('customer-0.example.com', 1);
      const readMs = performance.now() - beforeRead;
      if (oldest?.length !== load.records) throw new Error('the oldest version is not what was read first');
      await store.close();
      rows.push(
        {
          what: `${what}: size`,
          unit: 'kB',
          hostler: sizeOf(file) / 1_000,
          ...(most === undefined ? {} : atMost(sizeOf(file), most, 'At most 1 MB')),
        },
        { what: `${what}: first reading of all`, unit: 'ms', hostler: times.firstMs },
        { what: `${what}: reading of all, unchanged`, unit: 'ms', hostler: times.sameMs },
        { what: `${what}: one change`, unit: 'ms', hostler: times.changeMs },
        { what: `${what}: the oldest version`, unit: 'ms', hostler: readMs },
      );
    }
    return rows;
  },
};

function sizeOf(file: string): number {
  const db = new DatabaseSync(file, { readOnly: true });
  const row = db.prepare("select sum(pgsize) as bytes from dbstat where name like '%zone%'").get();
  db.close();
  return Number(row?.bytes ?? 0);
}
