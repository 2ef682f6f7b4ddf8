import { expect } from 'vitest';
import { tables } from '../../src/store/migrate.ts';
import { retention } from '../../src/store/retention.ts';
import { onEachEngine, test } from './conformance.ts';

test('every table of the schema says how long its rows are kept', () => {
  const named = Object.keys(retention).map((table) => table.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
  expect(named.sort()).toEqual([...tables, 'schema_version'].sort());
});

test('the days are those that docs/security.md promises', () => {
  const days = Object.entries(retention).flatMap(([table, rule]) =>
    typeof rule === 'string' ? [] : [`${table} ${rule.days}`],
  );
  expect(days.join()).toBe(
    'inbox 3,messages 30,alerts 30,freezes 90,storedValues 30,zoneHeads 395,zoneVersions 395,forms 0,leases 1,durations 0',
  );
});

onEachEngine('the rows of a table', (_rig) => {
  test('are deleted after their days, and not before', async ({ store, clock, database }) => {
    const left = async () => (await database.run('select key from inbox order by key')).map(({ key }) => key);
    clock.at = 100 * 86_400_000;
    await database.run('delete from inbox');
    for (const key of ['a', 'b']) {
      await store.inbox.receive({ key, body: '', state: 'done' });
      clock.at += 1;
    }
    clock.at += 3 * 86_400_000 - 1;
    await store.retention.pruneAll();
    expect(await left()).toEqual(['b']);
  });

  test('of a domain that was removed long ago are deleted, and not of a returned one', async ({ store, database }) => {
    const { zoneVersions } = store;
    const version = { at: 1, since: null, isGone: 0, operations: [], byUser: null, changes: null };
    const content = { lines: ['x'], hash: '1' };
    const gone = { ...version, isGone: 1, changes: { removed: ['x'], added: [] } };
    const back = { ...version, at: 50, changes: { removed: [], added: ['x'] } };
    for (const zone of ['gone', 'later', 'returned']) {
      await zoneVersions.addFirst([{ zone, version, ...content }]);
      await zoneVersions.add({ zone, after: 1 }, { ...gone, at: zone === 'later' ? 90 : 20 }, { lines: [], hash: '2' });
    }
    await zoneVersions.add({ zone: 'returned', after: 2 }, back, content);
    for (const table of ['zoneHeads', 'zoneVersions'] as const) await store.retention.prune(table, 60);
    const left = await database.run("select zone, n from zone_versions where zone in ('gone', 'later', 'returned')");
    expect(left.map(({ zone, n }) => `${zone} ${n}`).sort()).toEqual(['later 1', 'later 2', 'returned 3']);
  });
});
