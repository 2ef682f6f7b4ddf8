import { expect } from 'vitest';
import { onEachEngine, test } from '../conformance.ts';

onEachEngine('a freeze', (rig) => {
  const freeze = (id: string, until?: number) => ({
    ...{ id, scope: 'all', reason: 'a reason', byUser: 'U9' },
    ...(until !== undefined && { until }),
  });
  const active = async (at: number) => (await rig().replica.freezes.active(at)).map(({ id }) => id);

  test('is active from when it was made until its time, or until somebody ends it', async ({ store, clock }) => {
    const at = clock.at;
    await store.freezes.add(freeze('later', at + 60));
    clock.at -= 10;
    await store.freezes.add(freeze('sooner'));
    clock.at += 20;
    const row = { ...freeze('sooner'), since: at - 10, until: null, mutedIn: null, endedAt: null };
    expect(await store.freezes.active(at)).toEqual([row, { ...row, id: 'later', since: at, until: at + 60 }]);
    expect(await active(at + 59)).toEqual(['sooner', 'later']);
    expect(await active(at + 60)).toEqual(['sooner']);
    expect(await store.freezes.end('sooner')).toBe(true);
    expect(await store.freezes.end('sooner')).toBe(false);
    expect(await store.freezes.end('none')).toBe(false);
    const left = async (of: typeof store) => (await of.freezes.active(at)).map(({ id }) => id);
    expect(await left(store)).toEqual(['later']);
    // Another process may still rest on what it has just read.
    clock.at += 501;
    expect(await active(at)).toEqual(['later']);
  });

  test('that mutes alerts freezes nothing, and is kept beyond its time until it is ended', async ({ store, clock }) => {
    await store.freezes.add({ ...freeze('muted', clock.at + 60), mutedIn: 'C1' });
    expect(await active(clock.at)).not.toContain('muted');
    await store.freezes.expire('muted');
    expect((await store.freezes.mutes()).map(({ id, until }) => [id, until])).toEqual([['muted', clock.at]]);
    expect(await store.freezes.end('muted')).toBe(true);
    expect(await store.freezes.mutes()).toEqual([]);
  });

  test('is forgotten when it ended, or its time was over, before some moment', async ({ store, clock, database }) => {
    await database.run('delete from freezes');
    const at = clock.at;
    await store.freezes.add(freeze('over', at + 9));
    await store.freezes.add(freeze('over then', at + 10));
    for (const id of ['ended', 'lasts']) await store.freezes.add(freeze(id));
    await store.freezes.add(freeze('ended before its time', at + 99));
    for (const id of ['ended', 'ended before its time']) await store.freezes.end(id);
    clock.at += 10;
    await store.freezes.add(freeze('ended then'));
    await store.freezes.end('ended then');
    expect(await store.retention.prune('freezes', at)).toBe(0);
    expect(await store.retention.prune('freezes', at + 10)).toBe(3);
    const left = await database.run('select id from freezes order by id');
    expect(left.map(({ id }) => id)).toEqual(['ended then', 'lasts', 'over then']);
  });

  test('is read once for simultaneous callers', async ({ store, queries, clock }) => {
    queries.length = 0;
    await Promise.all([store.freezes.active(clock.at), store.freezes.active(clock.at + 1)]);
    expect(queries).toHaveLength(1);
  });
});
