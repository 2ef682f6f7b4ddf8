import { expect } from 'vitest';
import { onEachEngine, race, test } from '../conformance.ts';

onEachEngine('sealed values', (rig) => {
  const secret = (id: string) => ({
    id,
    userId: 'U1',
    operationId: null,
    title: 'Password of web-1',
    sealed: 'v1.abc',
  });

  test('a sealed value can be taken once, by its person, before it expires', async ({ store, clock }) => {
    await store.secrets.put({ ...secret('s1'), operationId: 'op1', expiresAt: clock.at + 600 });
    expect(await store.secrets.claim('s1', 'U2', clock.at)).toBeUndefined();
    const won = await race(rig(), 20, async ({ secrets }) => (await secrets.claim('s1', 'U1', clock.at)) !== undefined);
    expect(won).toBe(1);
    await store.secrets.put({ ...secret('s2'), expiresAt: clock.at + 600 });
    expect(await store.secrets.claim('s2', 'U1', clock.at + 600)).toBeUndefined();
    expect(await store.secrets.purge(clock.at + 599)).toHaveLength(0);
    expect(await store.secrets.purge(clock.at + 600)).toHaveLength(1);
  });
});

onEachEngine('open forms', (rig) => {
  test('an open form belongs to one person and expires', async ({ store, replica, clock }) => {
    await store.forms.put({ id: 'f1', userId: 'U1', data: { page: 1 }, expiresAt: clock.at + 100 });
    expect(await replica.forms.get('f1', 'U2')).toBeUndefined();
    expect(await store.forms.get('f1', 'U1')).toMatchObject({ data: { page: 1 }, expiresAt: clock.at + 100 });
    expect(await race(rig(), 20, ({ forms }) => forms.delete('f1'))).toBe(1);
    await store.forms.put({ id: 'f2', userId: 'U1', data: null, expiresAt: clock.at + 100 });
    clock.at += 100;
    expect(await store.forms.get('f2', 'U1')).toBeUndefined();
    expect(await store.retention.prune('forms', clock.at)).toBe(1);
  });
});

onEachEngine('durations', () => {
  test('the last fifty durations of each kind are kept', async ({ store, clock, database }) => {
    await store.durations.add('stop', 7);
    for (let ms = 1; ms <= 60; ms += 1) await store.durations.add('restart', ms);
    expect(await store.durations.recent('restart')).toEqual(Array.from({ length: 50 }, (_, n) => 60 - n));
    expect(await store.retention.prune('durations', clock.at)).toBe(10);
    expect(await database.run("select ms from durations where kind = 'restart' and ms < 12")).toHaveLength(1);
    expect(await store.durations.recent('stop')).toEqual([7]);
  });
});
