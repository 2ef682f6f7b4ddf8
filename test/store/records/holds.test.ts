import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { endStates, openStates } from '../../../src/core/plan/operation.ts';
import { onEachEngine, race, test } from '../conformance.ts';
import { newOperation, newStep } from '../rows.ts';

// Each statement on holds changes only requests that are under way, and each of them once.

const underWay = ['approved', 'running', 'reading'];
const operationStates = [...openStates, ...endStates];
/** As well those that wait for a moment. */
const decided = ['approved', 'scheduled', 'cooling', 'standing', 'running', 'reading'];

onEachEngine('holds', (rig) => {
  let count = 0;
  /** A request of each state, delayed and not held. */
  async function make(): Promise<string[]> {
    const { store, database } = rig();
    const series = count++;
    const ids = operationStates.map((state) => `${series}-${state}`);
    for (const [at, state] of operationStates.entries()) {
      const id = ids[at] ?? '';
      await store.operations.insert(newOperation({ id, state }), [newStep(1)]);
      await store.operations.patch(id, { delayWhy: 'frozen' });
    }
    await database.run("update operations set turn_owner = 'me'");
    return ids;
  }
  const read = async (id: string) => (await rig().replica.operations.find(id)) ?? expect.fail(`${id} was stored`);
  /** The states of the requests that the action changed; each call changes its own row, or no row. */
  async function changedBy(ids: readonly string[], act: (id: string) => Promise<boolean>) {
    rig().clock.at += 10;
    const states: string[] = [];
    const readAll = () => rig().replica.operations.list({ limit: 999 });
    let after = await readAll();
    for (const id of ids) {
      const before = after;
      const isChanged = await act(id);
      after = await readAll();
      const changed = after.flatMap((row, at) => (isDeepStrictEqual(before[at], row) ? [] : [row.id]));
      expect(changed).toEqual(isChanged ? [id] : []);
      if (isChanged) states.push(id.split('-')[1] ?? '');
    }
    return states;
  }

  test('a request under way is held once, by the process of its turn, and released once', async ({ store, clock }) => {
    const ids = await make();
    const running = ids.find((id) => id.endsWith('running')) ?? '';
    const before = await read(running);
    const hold = (id: string) => store.operations.hold(id, 'the bot was offline', 'me');
    const release = (id: string) => store.operations.release(id, 77);
    expect(await changedBy(ids, release)).toEqual([]);
    expect(await changedBy(ids, (id) => store.operations.hold(id, 'late', 'another'))).toEqual([]);
    expect(await changedBy(ids, hold)).toEqual(underWay);
    const held = { heldAt: clock.at, heldWhy: 'the bot was offline', delayWhy: null };
    expect(await read(running)).toEqual({ ...before, ...held, updatedAt: clock.at });
    expect(await changedBy(ids, hold)).toEqual([]);
    expect(await changedBy(ids, release)).toEqual(underWay);
    const free = { heldAt: null, heldWhy: null, delayWhy: null, continuedAt: 77 };
    // Due at once, even if the process that would wake it is killed.
    expect(await read(running)).toEqual({ ...before, ...free, updatedAt: clock.at, nextTurnAt: clock.at });
    expect(await changedBy(ids, release)).toEqual([]);
  });

  test('a request that was held when it ended is not released', async ({ store }) => {
    const id = (await make()).find((one) => one.endsWith('running')) ?? '';
    await store.operations.hold(id, 'x', 'me');
    await store.operations.move(id, 'running', 'done');
    expect(await store.operations.release(id, 77)).toBe(false);
    expect(await read(id)).toMatchObject({ heldWhy: 'x', continuedAt: null });
  });

  test('a request that is under way is stopped once', async ({ store, clock }) => {
    const ids = await make();
    const running = ids.find((id) => id.endsWith('running')) ?? '';
    const before = await read(running);
    expect(await changedBy(ids, (id) => store.operations.stop(id, 'U1'))).toEqual(decided);
    const stopped = { stopBy: 'U1', stopAt: clock.at, updatedAt: clock.at, nextTurnAt: clock.at };
    expect(await read(running)).toEqual({ ...before, ...stopped });
    expect(await changedBy(ids, (id) => store.operations.stop(id, 'U2'))).toEqual([]);
  });

  test('one of many simultaneous callers holds, releases or stops a request', async () => {
    const id = (await make()).find((one) => one.endsWith('running')) ?? '';
    expect(await race(rig(), 8, ({ operations }) => operations.hold(id, 'x', 'me'))).toBe(1);
    expect(await race(rig(), 8, ({ operations }) => operations.release(id, 77))).toBe(1);
    expect(await race(rig(), 8, ({ operations }, n) => operations.stop(id, `U${n}`))).toBe(1);
  });
});

onEachEngine('holding all holds the requests', (rig) => {
  test('that were decided and have steps to begin', async ({ store, clock }) => {
    for (const state of operationStates)
      await store.operations.insert(newOperation({ id: state, state }), [newStep(1)]);
    const state = 'running';
    await store.operations.insert(newOperation({ id: 'without steps', state }), []);
    for (const id of ['begun', 'begun in part'])
      await store.operations.insert(newOperation({ id, state }), [newStep(1), newStep(2)]);
    for (const n of [1, 2]) await store.steps.move('begun', n, 'pending', 'running');
    await store.steps.move('begun in part', 1, 'pending', 'running');
    await store.operations.insert(newOperation({ id: 'held', state }), [newStep(1)]);
    await store.turns.claim('held', 'me', 1_000);
    await store.operations.hold('held', 'before', 'me');
    await store.operations.patch('running', { delayWhy: 'frozen' });
    const before = await store.operations.find('running');
    clock.at += 10;
    const held = await store.operations.holdAll('the bot was offline', clock.at);
    expect(held.toSorted()).toEqual(['approved', 'begun in part', 'reading', 'running']);
    const at = { heldAt: clock.at, updatedAt: clock.at, nextTurnAt: clock.at };
    const row = { ...at, heldWhy: 'the bot was offline', delayWhy: null };
    expect(await store.operations.find('running')).toEqual({ ...before, ...row });
    for (const id of held) expect(await store.operations.find(id)).toMatchObject(row);
    for (const id of ['waiting', 'done', 'begun', 'without steps'])
      expect(await store.operations.find(id)).toMatchObject({ heldAt: null, heldWhy: null });
    expect(await store.operations.find('held')).toMatchObject({ heldWhy: 'before' });
    expect(await store.operations.holdAll('again', clock.at)).toEqual([]);
  });

  test('that were created, decided or continued, or whose hour or countdown ended, up to a given moment', async () => {
    const { store, database } = rig();
    await database.run('delete from operations');
    const make = (id: string, more: object) =>
      store.operations.insert(newOperation({ id, state: 'approved', ...more }), [newStep(1)]);
    for (const [when, at] of [
      ['then', 50],
      ['after', 51],
    ] as const) {
      await make(`made ${when}`, { createdAt: at });
      await make(`decided ${when}`, { createdAt: 10, decidedAt: at });
      await make(`hour ${when}`, { createdAt: 10, startsAt: at });
      await make(`countdown ${when}`, { createdAt: 10, readyAt: at });
      await make(`continued ${when}`, { createdAt: 10, decidedAt: 20 });
      await database.run(`update operations set continued_at = ${at} where id = 'continued ${when}'`);
    }
    const held = await store.operations.holdAll('x', 50);
    expect(held.toSorted()).toEqual(['continued then', 'countdown then', 'decided then', 'hour then', 'made then']);
  });
});
