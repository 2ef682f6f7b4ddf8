import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import { versionLines } from '../../../src/core/dns/zone-version.ts';
import { liveThrough } from '../../support/database/zone-year.ts';
import { onEachEngine, openAlone, test } from '../conformance.ts';

const day = 86_400_000;
const record = (host: string, value: string) => ({ host, type: 'A', value, prio: null, ttl: 300 });
const version = (at: number) => ({ at, since: null, isGone: 0, operations: [], byUser: null, changes: null }) as const;

onEachEngine('the versions of zones', (rig) => {
  test('can each be read back, and the one in effect at the limit survives the pruning', async () => {
    const { zoneVersions } = rig().store;
    const zone = 'example.com';
    const zones = Array.from({ length: 6 }, (_, n) =>
      versionLines([record('www', `192.0.2.${n}`), record('old', '192.0.2.9')]),
    );
    for (const [n, lines] of zones.entries()) {
      const before = zones[n - 1];
      const changes = before === undefined ? null : { removed: [before[1] ?? ''], added: [lines[1] ?? ''] };
      const content = { lines, hash: String(n) };
      if (n === 0) await zoneVersions.addFirst([{ zone, version: version(0), ...content }]);
      else expect(await zoneVersions.add({ zone, after: n }, { ...version(n * day), changes }, content)).toBe(true);
    }
    for (const [n, lines] of zones.entries()) expect(await zoneVersions.findLines(zone, n + 1)).toEqual(lines);
    expect(await zoneVersions.findLines(zone, 7)).toBeUndefined();
    // Day 2.5: the third version was in effect.
    await rig().store.retention.prune('zoneVersions', 2.5 * day);
    expect((await zoneVersions.list(zone)).map(({ n }) => n)).toEqual([6, 5, 4, 3]);
    expect(await zoneVersions.findLines(zone, 3)).toEqual(zones[2]);
    expect(await zoneVersions.findLines(zone, 2)).toBeUndefined();
  });

  test('are stored by one of two processes that saw the same change', async ({ store, replica }) => {
    const zone = 'example.org';
    const first = { zone, version: version(0), lines: versionLines([record('www', '192.0.2.1')]), hash: '1' };
    const firsts = await Promise.all([store, replica].map(({ zoneVersions }) => zoneVersions.addFirst([first])));
    expect(firsts.map(({ size }) => size).sort()).toEqual([0, 1]);
    const next = { lines: versionLines([record('www', '192.0.2.2')]), hash: '2' };
    const added = [store, replica].map(({ zoneVersions }) => zoneVersions.add({ zone, after: 1 }, version(0), next));
    expect((await Promise.all(added)).sort()).toEqual([false, true]);
    expect(await store.zoneVersions.list(zone)).toHaveLength(2);
  });
});

test('a year of ten changes a day in 50 zones of 50 records takes less than a megabyte: a tenth of it, a tenth', async () => {
  const clock = { at: Date.UTC(2026, 0, 1) };
  const { database, store } = await openAlone('sqlite', { now: () => clock.at });
  await liveThrough(store, clock, { zones: 5, records: 50, changes: 365 });
  const db = new DatabaseSync(database.url, { readOnly: true });
  const sized = db.prepare("select sum(pgsize) as bytes from dbstat where name like '%zone%'").get();
  db.close();
  expect(Number(sized?.bytes)).toBeGreaterThan(5_000);
  expect(Number(sized?.bytes)).toBeLessThan(100_000);
});
