import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished } from 'vitest';
import type { Console } from '../../support/database/console.ts';
import { besideTransaction, onEachEngine, openAlone, race, test } from '../conformance.ts';
import { newOperation } from '../rows.ts';

onEachEngine('the locks of a request', (rig) => {
  const by = (operationId: string) => ({ operationId, owner: 'U1', reason: 'restart' });
  const held = async () =>
    (await rig().store.locks.list()).map(({ target, operationId }) => `${target} ${operationId}`);

  test('keep the moment when they were acquired, and are listed by it', async ({ store, clock }) => {
    const at = clock.at;
    await store.locks.acquire(['c'], by('op1'));
    clock.at += 5;
    await store.locks.acquire(['b', 'a', 'c'], { ...by('op1'), reason: 'again' });
    const row = { operationId: 'op1', owner: 'U1' };
    expect(await store.locks.list()).toEqual([
      { ...row, target: 'c', reason: 'restart', since: at },
      { ...row, target: 'a', reason: 'again', since: at + 5 },
      { ...row, target: 'b', reason: 'again', since: at + 5 },
    ]);
  });

  test('are refused with the first other holder, also to one of some of them', async ({ store, replica, clock }) => {
    await store.locks.acquire(['d'], by('op2'));
    const holder = { target: 'b', operationId: 'op1', owner: 'U1', reason: 'again', since: clock.at };
    expect(await replica.locks.acquire(['d', 'c', 'b'], by('op2'))).toEqual({ ok: false, holder });
    expect(await store.locks.acquire(['b'], by('op2'))).toMatchObject({ ok: false, holder: { operationId: 'op1' } });
    expect(await held()).toEqual(['c op1', 'a op1', 'b op1', 'd op2']);
  });

  test('have one holder at a time, while others lock and release in any order', async ({ store }) => {
    let holders = 0;
    let most = 0;
    const won = await race(rig(), 40, async ({ locks }, n) => {
      const { ok } = await locks.acquire(n % 3 === 0 ? ['p', 'q'] : ['q', 'p'], by(`race-${n}`));
      if (!ok) return false;
      most = Math.max(most, ++holders);
      await store.locks.list();
      holders -= 1;
      await locks.release(`race-${n}`, 'me');
      return true;
    });
    expect(won).toBeGreaterThan(0);
    expect(most).toBe(1);
    expect(await race(rig(), 20, async ({ locks }, n) => (await locks.acquire(['p', 'q'], by(`late-${n}`))).ok)).toBe(
      1,
    );
    const [p, q] = (await held()).filter((one) => /^[pq] /.test(one));
    expect(q?.slice(1)).toBe(p?.slice(1));
    await store.locks.release(p?.slice(2) ?? '', 'me');
  });

  test('need one statement for one target, and no statement without a target', async ({ store, queries }) => {
    queries.length = 0;
    await store.locks.acquire(['d', 'd'], by('op2'));
    expect(queries).toHaveLength(1);
    expect(await store.locks.acquire([], by('op2'))).toEqual({ ok: true });
    expect(queries).toHaveLength(1);
  });

  test('are all released together, with those of requests that end at the same moment in one statement', async () => {
    const { store, queries } = rig();
    await store.locks.acquire(['e'], by('op3'));
    queries.length = 0;
    await Promise.all(['op2', 'op1', 'op2'].map((id) => store.locks.release(id, 'me')));
    // A batch that was written is not written again.
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(queries).toHaveLength(1);
    expect(await held()).toEqual(['e op3']);
  });

  test('of a request under way are released only by the process that has its turn', async ({ store, replica }) => {
    await store.operations.insert(newOperation({ id: 'turn', state: 'running' }), []);
    await store.locks.acquire(['g'], by('turn'));
    for (const claims of ['another', 'me']) {
      await store.locks.release('turn', 'me');
      expect(await held()).toContain('g turn');
      expect(await replica.turns.claim('turn', claims, 1_000)).toBeDefined();
      await replica.turns.giveBack('turn', 'another', { dueAt: 0 });
    }
    await store.locks.release('turn', 'me');
    expect(await held()).not.toContain('g turn');
  });

  test('throw any error that is not about another holder', async ({ store }) => {
    const wrong = { ...by('op4'), reason: null as unknown as string };
    await expect(store.locks.acquire(['f', 'g'], wrong)).rejects.toThrow(/not.null/i);
    expect(await held()).toEqual(['e op3']);
  });

  test('are removed when their request is not under way', async ({ store }) => {
    const states = ['waiting', 'approved', 'running', 'reading', 'done', 'refused'] as const;
    for (const state of states) {
      await store.operations.insert(newOperation({ id: `left-${state}`, state }), []);
      await store.locks.acquire([`of ${state}`], by(`left-${state}`));
    }
    await store.locks.acquire(['of none'], by('left-none'));
    const kept = (await held()).filter((one) => /running|reading|approved/.test(one));
    expect(await store.locks.releaseLeft()).toBe(8 - kept.length);
    expect(await held()).toEqual(kept);
    expect(await store.locks.releaseLeft()).toBe(0);
  });
});

test('targets are locked in one order, so that two requests never wait for each other', async () => {
  const { database, store } = await openAlone('postgres');
  const insertLock = (target: string) => (other: Console) =>
    other.run(
      `insert into locks (target, operation_id, owner, reason, since) values ('${target}', 'op2', 'U2', 'stop', 1)`,
    );
  const acquired = await besideTransaction(database.url, {
    before: insertLock('a'),
    work: () => store.locks.acquire(['b', 'a'], { operationId: 'op1', owner: 'U1', reason: 'restart' }),
    waitsAt: 'insert into "locks"',
    during: insertLock('b'),
  });
  expect(acquired).toMatchObject({ ok: false, holder: { target: 'a', operationId: 'op2' } });
});

test('a lock that is released between the try and the read of its holder is tried again', async () => {
  let tries = 0;
  let removeAll = () => {};
  const { database, store } = await openAlone('sqlite', {
    onQuery: ({ sql }) => {
      if (!sql.startsWith('insert into "locks"')) return;
      tries += 1;
      if (tries === 2) removeAll();
    },
  });
  const console = new DatabaseSync(database.url);
  onTestFinished(() => console.close());
  removeAll = () => console.exec('delete from locks');
  await store.locks.acquire(['a'], { operationId: 'op1', owner: 'U1', reason: 'restart' });
  expect(await store.locks.acquire(['a'], { operationId: 'op2', owner: 'U2', reason: 'stop' })).toEqual({ ok: true });
  expect(tries).toBe(3);
  expect(await store.locks.list()).toMatchObject([{ target: 'a', operationId: 'op2' }]);
});
