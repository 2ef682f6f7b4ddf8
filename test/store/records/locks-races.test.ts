import { expect, test } from 'vitest';
import { onEachEngine, race } from '../conformance.ts';

onEachEngine('locks', (rig) => {
  const by = (operationId: string) => ({ operationId, owner: 'U1', reason: 'restart' });

  test('a request locks all its targets or none, and the second request learns who has the lock', async () => {
    const { store, replica, clock } = rig();
    expect(await store.locks.acquire(['order:2', 'order:1'], by('op1'))).toEqual({ ok: true });
    expect(await replica.locks.acquire(['order:3', 'order:2'], by('op2'))).toEqual({
      ok: false,
      holder: { target: 'order:2', operationId: 'op1', owner: 'U1', reason: 'restart', since: clock.at },
    });
    expect((await store.locks.list()).map(({ target }) => target)).toEqual(['order:1', 'order:2']);
    expect(await replica.locks.acquire(['order:3'], by('op2'))).toEqual({ ok: true });
    await store.locks.release('op1', 'me');
    expect((await store.locks.list()).map(({ target }) => target)).toEqual(['order:3']);
  });

  test('the holder of a lock may lock again, and lock more targets', async () => {
    const { store, replica } = rig();
    await store.locks.acquire(['a'], by('op3'));
    expect(await replica.locks.acquire(['a', 'a', 'b'], by('op3'))).toEqual({ ok: true });
    expect((await store.locks.acquire(['b'], by('op4'))).ok).toBe(false);
    expect(await store.locks.acquire([], by('op4'))).toEqual({ ok: true });
  });

  test('when twenty requests want the same two targets in any order, one gets both', async () => {
    const { store } = rig();
    const won = await race(rig(), 20, async ({ locks }, n) => {
      const targets = n % 3 === 0 ? ['x', 'y'] : ['y', 'x'];
      return (await locks.acquire(targets, by(`race-${n}`))).ok;
    });
    expect(won).toBe(1);
    const locks = (await store.locks.list()).filter(({ target }) => target === 'x' || target === 'y');
    expect(new Set(locks.map(({ operationId }) => operationId)).size).toBe(1);
  });

  test('a lock has one holder at a time, while others lock and release', async () => {
    const { store } = rig();
    let holders = 0;
    let most = 0;
    await race(rig(), 40, async ({ locks }, n) => {
      const got = await locks.acquire(['p', 'q'], by(`turn-${n}`));
      if (!got.ok) return false;
      most = Math.max(most, ++holders);
      await store.locks.list();
      holders -= 1;
      await locks.release(`turn-${n}`, 'me');
      return true;
    });
    expect(most).toBe(1);
  });
});

onEachEngine('freezes', (rig) => {
  test('a freeze is active until its time ends or somebody ends it', async () => {
    const { store, replica, clock } = rig();
    await store.freezes.add({ id: 'f1', scope: 'all', reason: 'black friday', byUser: 'U9' });
    clock.at += 1;
    await store.freezes.add({ id: 'f2', scope: 'tag:web', reason: 'move', byUser: 'U9', until: clock.at + 60 });
    const active = async (at: number) => (await replica.freezes.active(at)).map(({ id }) => id);
    expect(await active(clock.at)).toEqual(['f1', 'f2']);
    expect(await active(clock.at + 60)).toEqual(['f1']);
    expect(await replica.freezes.end('f1')).toBe(true);
    expect(await store.freezes.end('f1')).toBe(false);
    expect(await active(clock.at)).toEqual(['f2']);
    expect(await store.freezes.prune(clock.at + 61)).toBe(2);
  });
});
