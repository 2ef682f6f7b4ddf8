import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { versionLines } from '../../../src/core/dns/zone-version.ts';
import { openStore } from '../../../src/store/database.ts';
import { engines, freshDatabase } from '../../support/databases.ts';
import { liveThrough } from '../../support/zone-year.ts';

/** The versions of zones in the database. */

const day = 86_400_000;

async function openVersions(engine: (typeof engines)[number]) {
  const database = await freshDatabase(engine);
  const clock = { at: Date.UTC(2026, 0, 1) };
  const store = await openStore(database.url, { now: () => clock.at });
  onTestFinished(async () => {
    await store.close();
    await database.drop();
  });
  return { store, clock, database };
}

const record = (host: string, value: string) => ({ host, type: 'A', value, prio: null, ttl: 300 });
const version = (at: number) => ({ at, since: null, isGone: 0, operations: [], byUser: null, changes: null }) as const;

test.each(engines)(
  'on %s, every version can be read back, and the one in effect at the limit survives the pruning',
  async (engine) => {
    const { store } = await openVersions(engine);
    const { zoneVersions } = store;
    const zones = Array.from({ length: 6 }, (_, n) =>
      versionLines([record('www', `192.0.2.${n}`), record('old', '192.0.2.9')]),
    );
    for (const [n, lines] of zones.entries()) {
      const before = zones[n - 1];
      const changes = before === undefined ? null : { removed: [before[1] ?? ''], added: [lines[1] ?? ''] };
      const hash = String(n);
      if (n === 0) await zoneVersions.addFirst([{ zone: 'example.com', version: version(0), lines, hash }]);
      else
        expect(
          await zoneVersions.add({ zone: 'example.com', after: n }, { ...version(n * day), changes }, { lines, hash }),
        ).toBe(true);
    }
    for (const [n, lines] of zones.entries()) expect(await zoneVersions.findLines('example.com', n + 1)).toEqual(lines);
    expect(await zoneVersions.findLines('example.com', 7)).toBeUndefined();
    // Day 2.5: the third version was in effect.
    await zoneVersions.prune(2.5 * day);
    expect((await zoneVersions.list('example.com')).map(({ n }) => n)).toEqual([6, 5, 4, 3]);
    expect(await zoneVersions.findLines('example.com', 3)).toEqual(zones[2]);
    expect(await zoneVersions.findLines('example.com', 2)).toBeUndefined();
  },
);

test.each(engines)('on %s, of two processes that saw the same change, one stores it', async (engine) => {
  const { store } = await openVersions(engine);
  const lines = versionLines([record('www', '192.0.2.1')]);
  const first = { zone: 'example.com', version: version(0), lines, hash: '1' };
  const firsts = await Promise.all([store.zoneVersions.addFirst([first]), store.zoneVersions.addFirst([first])]);
  expect(firsts.map(({ size }) => size).sort()).toEqual([0, 1]);
  const add = (after: number, value: string) => {
    const lines = versionLines([record('www', value)]);
    return store.zoneVersions.add({ zone: 'example.com', after }, version(0), { lines, hash: value });
  };
  expect((await Promise.all([add(1, '192.0.2.2'), add(1, '192.0.2.2')])).sort()).toEqual([false, true]);
  expect(await store.zoneVersions.list('example.com')).toHaveLength(2);
});

test('a year of ten changes a day in 50 zones of 50 records takes less than a megabyte: a fifth of it, a fifth', async () => {
  const { store, clock, database } = await openVersions('sqlite');
  await liveThrough(store, clock, { zones: 10, records: 50, changes: 730 });
  const db = new DatabaseSync(database.url, { readOnly: true });
  const sized = db.prepare("select sum(pgsize) as bytes from dbstat where name like '%zone%'").get();
  db.close();
  expect(Number(sized?.bytes)).toBeGreaterThan(10_000);
  expect(Number(sized?.bytes)).toBeLessThan(200_000);
});
