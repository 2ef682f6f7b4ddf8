import { expect, test } from 'vitest';
import { openStates } from '../../../src/core/plan/operation.ts';
import type { NewOperation } from '../../../src/store/records/operation-row.ts';
import type { NewStep } from '../../../src/store/records/steps.ts';
import { onEachEngine, race } from '../conformance.ts';

onEachEngine('operations', (rig) => {
  let count = 0;
  const restart = (more: Partial<NewOperation> = {}): NewOperation => ({
    id: `op${++count}`,
    command: 'restart',
    args: { server: 'web-1' },
    channel: 'C1',
    requester: 'U1',
    place: { channel: 'C1', thread: null },
    risk: 'disruptive',
    rule: { confirm: true },
    policyVersion: '7',
    plan: { title: 'Restart web-1 „Übung“ 🚀', effects: ['…'] },
    factsHash: 'abc',
    ...more,
  });
  const step = (n: number, target = `order:${n}`): NewStep => ({ n, target, label: `step ${n}`, data: { n } });
  const insert = async (more: Partial<NewOperation> = {}, steps: NewStep[] = [step(1)]) => {
    const operation = restart(more);
    await rig().store.operations.insert(operation, steps);
    return operation.id;
  };

  test('an operation is read on the other replica as it was written, with its JSON parsed', async () => {
    const { replica, clock } = rig();
    const id = await insert({ thread: '171.1', undo: { route: 'x' }, expiresAt: clock.at + 900_000 });
    expect(await replica.operations.find(id)).toEqual({
      ...restart(),
      id,
      thread: '171.1',
      state: 'waiting',
      endReason: null,
      endText: null,
      glass: null,
      startsAt: null,
      timing: null,
      readyAt: null,
      outcome: null,
      undo: { route: 'x' },
      nextTurnAt: expect.any(Number),
      turnOwner: null,
      turnUntil: 0,
      heldAt: null,
      heldWhy: null,
      delayWhy: null,
      continuedAt: null,
      stopBy: null,
      stopAt: null,
      undoneBy: null,
      outside: null,
      outsideSince: null,
      turnFailures: 0,
      supersedes: null,
      createdAt: clock.at,
      expiresAt: clock.at + 900_000,
      decidedAt: null,
      startedAt: null,
      endedAt: null,
      updatedAt: clock.at,
    });
    expect(await replica.operations.find('nobody')).toBeUndefined();
    expect(await replica.steps.list(id)).toMatchObject([{ n: 1, target: 'order:1', data: { n: 1 }, state: 'pending' }]);
  });

  test('when twenty callers insert the same operation, one succeeds, with its steps', async () => {
    const operation = restart();
    expect(await race(rig(), 20, ({ operations }) => operations.insert(operation, [step(1), step(2)]))).toBe(1);
    expect(await rig().store.steps.list(operation.id)).toHaveLength(2);
  });

  test('an operation whose steps cannot be stored is not stored either', async () => {
    const { store } = rig();
    const operation = restart();
    await expect(store.operations.insert(operation, [step(1), step(1)])).rejects.toThrow();
    expect(await store.operations.find(operation.id)).toBeUndefined();
  });

  test('an operation that replaces another is inserted only while that one waits, and by only one of many callers', async () => {
    const { store, replica } = rig();
    const [waits, decided] = [await insert(), await insert({ state: 'approved' })];
    const inPlaceOf = (id: string) => ({ id, endText: 'Replaced.', by: 'U1' });
    const others = Array.from({ length: 6 }, () => restart());
    const made = await Promise.all(
      others.map((one, at) =>
        (at % 2 === 0 ? store : replica).operations.insert(one, [step(1)], undefined, inPlaceOf(waits)),
      ),
    );
    expect(made.filter(Boolean)).toHaveLength(1);
    expect(await store.operations.find(waits)).toMatchObject({
      state: 'withdrawn',
      endText: 'Replaced.',
      outcome: { by: 'U1' },
      endedAt: rig().clock.at,
      // A turn announces the end, and is due.
      nextTurnAt: expect.any(Number),
    });
    const found = await Promise.all(others.map(({ id }) => store.operations.find(id)));
    expect(found.map((row) => row !== undefined)).toEqual(made);
    const late = restart();
    expect(await store.operations.insert(late, [step(1)], undefined, inPlaceOf(decided))).toBe(false);
    expect(await store.operations.find(late.id)).toBeUndefined();
    expect(await store.operations.find(decided)).toMatchObject({ state: 'approved' });
    // A request that exists already after a crash does not prevent another one of the same commit.
    const again = others[made.indexOf(true)] ?? restart();
    const beside = restart();
    expect(
      await Promise.all([
        store.operations.insert(again, [step(1)], undefined, inPlaceOf(waits)),
        store.operations.insert(beside, [step(1)]),
      ]),
    ).toEqual([false, true]);
  });

  test('operations inserted at the same moment share a commit, and each gets its card, in their order', async () => {
    const { store, queries } = rig();
    const made = ['b', 'a', 'c'].map((name) => restart({ id: `together-${name}` }));
    const card = ({ id }: NewOperation) => ({ key: `card:${id}`, channel: 'C1', view: `{"summary":"${id}"}` });
    queries.length = 0;
    const isNew = await Promise.all(
      [...made, made[0] ?? restart()].map((one) => store.operations.insert(one, [step(1), step(2)], card(one))),
    );
    expect(isNew).toEqual([true, true, true, false]);
    expect(queries.filter((sql) => /^insert into "(operations|steps|messages)"/.test(sql))).toHaveLength(3);
    const cards = await Promise.all(made.map(({ id }) => store.messages.find(`card:${id}`)));
    expect(cards.map((row) => row?.view)).toEqual(made.map((one) => card(one).view));
    expect(cards.map((row) => row?.seq ?? 0)).toEqual(cards.map((row) => row?.seq ?? 0).toSorted((a, b) => a - b));
  });

  test('an operation that cannot be stored does not fail the others of its commit', async () => {
    const { store } = rig();
    const [good, bad] = [restart(), restart()];
    const outcomes = await Promise.allSettled([
      store.operations.insert(good, [step(1)]),
      store.operations.insert(bad, [step(1), step(1)]),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(await store.operations.find(good.id)).toBeDefined();
    expect(await store.operations.find(bad.id)).toBeUndefined();
  });

  test('cards drawn at the same moment share one reading of the rows, and each is drawn from its own rows', async () => {
    const { store, queries } = rig();
    const ids = [await insert(), await insert({}, [step(1), step(2)])];
    queries.length = 0;
    const drawn = await Promise.all(
      [...ids, 'nobody'].map((id) =>
        store.cards.put(id, ({ operation, steps }) => [
          { key: `card:${operation.id}`, channel: 'C1', view: `{"summary":"${steps.length}"}` },
          { key: `end:${operation.id}`, channel: 'C1', parentKey: `card:${operation.id}`, view: '{"summary":"end"}' },
        ]),
      ),
    );
    expect(drawn.map((one) => one && [one.operation.id, one.isChanged])).toEqual([
      [ids[0], true],
      [ids[1], true],
      undefined,
    ]);
    expect(queries.filter((sql) => /^select|^insert/.test(sql))).toHaveLength(4);
    const rows = await Promise.all(ids.map((id) => store.messages.find(`card:${id}`)));
    expect(rows.map((row) => row?.view)).toEqual(['{"summary":"1"}', '{"summary":"2"}']);
    expect(await store.cards.put(ids[0] ?? '', () => undefined)).toMatchObject({ isChanged: false });
  });

  test('when twenty callers move an operation to another state, one succeeds', async () => {
    const id = await insert();
    expect(await race(rig(), 20, ({ operations }) => operations.move(id, 'waiting', 'approved'))).toBe(1);
    expect(await race(rig(), 20, ({ operations }) => operations.move(id, ['approved'], 'running'))).toBe(1);
    expect(
      await race(rig(), 20, ({ operations }, n) =>
        operations.move(id, ['running', 'reading'], n % 3 === 0 ? 'failed' : 'done', { endText: `by ${n}` }),
      ),
    ).toBe(1);
  });

  test('every change of state stores its time, and the values that are given with it', async () => {
    const { store, clock } = rig();
    const id = await insert();
    const begun = clock.at;
    clock.at = begun + 1;
    await store.operations.move(id, 'waiting', 'approved');
    await store.operations.move(id, 'approved', 'waiting');
    expect(await store.operations.find(id)).toMatchObject({ state: 'waiting', decidedAt: null });
    await store.operations.move(id, 'waiting', 'approved');
    clock.at = begun + 2;
    await store.operations.move(id, 'approved', 'running', { endText: 'x' });
    clock.at = begun + 3;
    await store.operations.move(id, 'running', 'reading');
    await store.operations.move(id, 'reading', 'running');
    clock.at = begun + 4;
    await store.operations.move(id, 'running', 'done', { outcome: { power: 'on' }, endReason: 'done' });
    expect(await store.operations.find(id)).toMatchObject({
      state: 'done',
      decidedAt: begun + 1,
      startedAt: begun + 2,
      endedAt: begun + 4,
      updatedAt: begun + 4,
      endText: 'x',
      outcome: { power: 'on' },
      endReason: 'done',
    });
  });

  test('a change of state that is not allowed throws an error that names it', async () => {
    const id = await insert();
    const { operations, steps } = rig().store;
    await expect(operations.move(id, 'waiting', 'done')).rejects.toThrow('never goes from waiting to done');
    await expect(operations.move(id, ['approved', 'done'], 'running')).rejects.toThrow('from done to running');
    await expect(steps.move(id, 1, 'pending', 'done')).rejects.toThrow('never goes from pending to done');
  });

  test('a step changes from pending to running once', async () => {
    const { store } = rig();
    const id = await insert({}, [step(1), step(2)]);
    const won = await race(rig(), 20, ({ steps }, n) =>
      steps.move(id, 1, 'pending', 'running', { attempt: `try-${n}` }),
    );
    expect(won).toBe(1);
    await store.steps.move(id, 1, 'running', 'accepted', { job: { order_id: 5, job_id: 812, kind: 'restart' } });
    const [first, second] = await store.steps.list(id);
    expect(first).toMatchObject({ state: 'accepted', job: { order_id: 5, job_id: 812, kind: 'restart' } });
    expect(first?.attempt).toMatch(/^try-/);
    expect(first?.acceptedAt).not.toBeNull();
    expect(second).toMatchObject({ state: 'pending', attempt: null, startedAt: null });
  });

  test('lists are newest first and filtered, and the next page begins after the last row', async () => {
    const { store, clock } = rig();
    const ids: string[] = [];
    // Two share a millisecond: the page must not turn between them and lose one.
    for (const at of [1, 2, 2, 3]) {
      ids.unshift(await insert({ id: `list-${ids.length}`, requester: 'U-list', createdAt: clock.at + at }));
    }
    await store.operations.move('list-0', 'waiting', 'withdrawn');
    const pages: string[][] = [];
    let before: { createdAt: number; id: string } | undefined;
    do {
      const page = await store.operations.list({ requester: 'U-list', limit: 2, ...(before && { before }) });
      before = page.at(-1);
      pages.push(page.map(({ id }) => id));
    } while (before !== undefined);
    expect(pages.flat()).toEqual(['list-3', 'list-2', 'list-1', 'list-0']);
    const count = async (filter: object) =>
      (await store.operations.list({ requester: 'U-list', limit: 99, ...filter })).length;
    expect(await count({ open: true })).toBe(3);
    expect(await count({ open: false })).toBe(1);
    expect(await count({ state: 'withdrawn' })).toBe(1);
    expect(await count({ states: ['withdrawn', 'waiting'] })).toBe(4);
    expect(await count({ channel: 'C2' })).toBe(0);
    expect(await count({ command: 'restart', channel: 'C1' })).toBe(4);
  });

  test('open operations are counted by state, with a zero for an empty state', async () => {
    const { store } = rig();
    const before = await store.operations.countByState();
    await insert();
    const after = await store.operations.countByState();
    expect(after.waiting).toBe((before.waiting ?? 0) + 1);
    expect(Object.keys(after).toSorted()).toEqual(openStates.toSorted());
  });

  test('a person votes once, and may vote again after the vote was voided', async () => {
    const { store } = rig();
    const operationId = await insert();
    const approve = { operationId, userId: 'U2', vote: 'approve' as const };
    expect(await race(rig(), 20, ({ votes }) => votes.cast(approve))).toBe(1);
    expect(await store.votes.cast({ ...approve, vote: 'confirm' })).toBe(false);
    expect(await store.votes.cast({ ...approve, userId: 'U3', comment: 'fine' })).toBe(true);
    expect(await store.votes.void(operationId, 'U2', 'left the group')).toBe(true);
    expect(await store.votes.void(operationId, 'U2', 'again')).toBe(false);
    expect(await store.votes.list(operationId)).toMatchObject([
      { userId: 'U2', vote: 'approve', isVoid: true, why: 'left the group' },
      { userId: 'U3', comment: 'fine', isVoid: false },
    ]);
    expect(await store.votes.cast({ ...approve, vote: 'confirm' })).toBe(true);
    expect((await store.votes.list(operationId))[0]).toMatchObject({ vote: 'confirm', isVoid: false, why: null });
  });
});
