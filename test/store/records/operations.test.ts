import { describe, expect } from 'vitest';
import type { OperationState } from '../../../src/core/plan/operation.ts';
import type { NewOperation } from '../../../src/store/records/operation-row.ts';
import type { OperationFields, OperationPatch } from '../../../src/store/records/operations.ts';
import { anew, onEachEngine, race } from '../conformance.ts';
import { newOperation, newStep } from '../rows.ts';

// Each statement on requests changes the given one only.

const test = anew();

onEachEngine('a request', (rig) => {
  let count = 0;
  const another = (more: Partial<NewOperation> = {}) => newOperation({ id: `op-${count++}`, ...more });
  async function make(more: Partial<NewOperation> = {}): Promise<string> {
    const operation = another(more);
    await rig().store.operations.insert(operation, []);
    return operation.id;
  }
  const read = async (id: string) => (await rig().replica.operations.find(id)) ?? expect.fail(`${id} was stored`);

  test('is read on the other replica as it was written, with its JSON parsed', async ({ clock }) => {
    const token = { id: 'abcdefgh', name: 'ci', line: 'a'.repeat(64) };
    const plan = { title: '„Übung“ 🚀', effects: ['…'] };
    const more = { args: { server: 'web-1' }, token, rule: { confirm: true }, plan };
    const operation = another({ ...more, thread: '171.1', undo: { route: 'x' }, expiresAt: clock.at + 900_000 });
    await rig().store.operations.insert(operation, [newStep(1)]);
    const unset = [
      ...['endReason', 'endText', 'glass', 'startsAt', 'readyAt', 'outcome', 'turnOwner', 'heldAt', 'heldWhy'],
      ...['delayWhy', 'continuedAt', 'stopBy', 'stopAt', 'undoneBy', 'outside', 'outsideSince'],
      ...['decidedAt', 'startedAt', 'endedAt'],
    ];
    expect(await read(operation.id)).toEqual({
      ...Object.fromEntries(unset.map((name) => [name, null])),
      ...operation,
      ...{ state: 'waiting', begins: { kind: 'now' }, nextTurnAt: expect.any(Number), turnUntil: 0, turnFailures: 0 },
      ...{ createdAt: clock.at, updatedAt: clock.at },
    });
    expect(await rig().replica.operations.find('nobody')).toBeUndefined();
  });

  describe('is moved', () => {
    test('with the times of its states, and of its start only once', async ({ store, clock }) => {
      const expiresAt = clock.at + 900_000;
      const [id, other] = [await make({ expiresAt }), await make({ expiresAt })];
      const before = await read(other);
      const at = clock.at;
      const moved = async (from: OperationState, to: OperationState) => {
        clock.at += 10;
        expect(await store.operations.move(id, from, to)).toBe(true);
        const { state, decidedAt, startedAt, endedAt, updatedAt } = await read(id);
        expect([state, updatedAt]).toEqual([to, clock.at]);
        return [decidedAt, startedAt, endedAt].map((time) => time && time - at);
      };
      expect(await moved('waiting', 'approved')).toEqual([10, null, null]);
      expect(await moved('approved', 'waiting')).toEqual([null, null, null]);
      expect(await moved('waiting', 'approved')).toEqual([30, null, null]);
      expect(await moved('approved', 'running')).toEqual([30, 40, null]);
      expect(await moved('running', 'reading')).toEqual([30, 40, null]);
      expect(await moved('reading', 'running')).toEqual([30, 40, null]);
      expect(await moved('running', 'done')).toEqual([30, 40, 70]);
      expect(await read(other)).toEqual(before);
    });

    test.for<[OperationState, number | null, number | null]>([
      ['approved', 10, null],
      ['declined', 10, 10],
      ['expired', null, 10],
      ['withdrawn', null, 10],
      ['refused', null, 10],
    ])('from waiting to %s, and is due at once', async ([to, decided, ended], { store, clock }) => {
      const at = clock.at;
      // The statement is prepared once and used again later.
      for (const first of [true, false]) {
        const id = await make({ expiresAt: clock.at + 900_000 });
        clock.at += 10;
        expect(await store.operations.move(id, 'waiting', to)).toBe(true);
        const since = first ? 0 : 10;
        expect(await read(id)).toMatchObject({
          ...{ state: to, nextTurnAt: clock.at, startedAt: null },
          decidedAt: decided && at + since + decided,
          endedAt: ended && at + since + ended,
        });
      }
    });

    test('later without another turn', async ({ store, clock }) => {
      const id = await make({ state: 'approved' });
      const { nextTurnAt } = await read(id);
      clock.at += 10;
      await store.operations.move(id, 'approved', 'running');
      await store.operations.move(id, ['reading', 'running'], 'failed');
      expect(await read(id)).toMatchObject({ state: 'failed', nextTurnAt });
    });

    test('only from the states that are named, and only where one may follow the other', async ({ store }) => {
      const id = await make({ state: 'running' });
      const before = await read(id);
      expect(await store.operations.move(id, 'reading', 'done')).toBe(false);
      expect(await store.operations.move('none', 'running', 'done')).toBe(false);
      const wrong = 'an operation never goes from approved to done';
      await expect(store.operations.move(id, ['running', 'approved'], 'done')).rejects.toThrow(wrong);
      expect(await read(id)).toEqual(before);
      const won = await race(rig(), 20, ({ operations }, n) =>
        operations.move(id, ['reading', 'running'], n % 3 === 0 ? 'failed' : 'done'),
      );
      expect(won).toBe(1);
    });

    test.for<[OperationPatch]>([
      [{ outcome: { power: 'on' } }],
      [{ outcome: null }],
      [{ undo: { route: 'x' } }],
      [{ undo: null }],
      [{ endText: 'It began.', endReason: 'why', delayWhy: null, decidedAt: 6 }],
    ])('with what is given: %j', async ([patch], { store, clock }) => {
      const id = await make({ state: 'approved', outcome: { power: 'off' }, undo: { route: 'before' } });
      const before = await read(id);
      clock.at += 10;
      await store.operations.move(id, 'approved', 'running', patch);
      const times = { startedAt: clock.at, updatedAt: clock.at };
      expect(await read(id)).toEqual({ ...before, state: 'running', ...times, ...patch });
    });
  });

  test.for<[OperationFields]>([[{ delayWhy: 'frozen' }], [{ delayWhy: null, undoneBy: 'op9' }]])(
    'keeps its state when it is given %j',
    async ([fields], { store, clock }) => {
      const expiresAt = clock.at + 900_000;
      const [id, other] = [await make({ expiresAt, undo: {}, outcome: {} }), await make({ expiresAt })];
      const [before, beside] = [await read(id), await read(other)];
      clock.at += 10;
      await store.operations.patch(id, fields);
      expect(await read(id)).toEqual({ ...before, ...fields, updatedAt: clock.at });
      expect(await read(other)).toEqual(beside);
    },
  );

  test.for(['standing', 'scheduled'] as const)(
    '%s gets another hour only in its present row, not in one that was read before other hours',
    async (state, { store, clock }) => {
      const id = await make({ state });
      const hours = [null, clock.at + 60_000, null];
      const rows = [];
      for (const [n, startsAt] of hours.entries()) {
        const row = await read(id);
        rows.push(row);
        clock.at += 10;
        expect(await store.operations.reschedule(row, { expiresAt: null, startsAt, begins: { n } }, state)).toBe(true);
      }
      const before = await read(id);
      expect(before).toMatchObject({ state, startsAt: null, begins: { n: 2 }, nextTurnAt: clock.at });
      const late = { expiresAt: null, startsAt: 1, begins: { kind: 'now' } };
      for (const row of rows) expect(await store.operations.reschedule(row, late, state)).toBe(false);
      expect(await read(id)).toEqual(before);
    },
  );

  describe('is inserted', () => {
    const card = (key: string) => ({ key, channel: 'C1', view: `"${key}"` });

    test('with the values of the first of simultaneous callers', async ({ store }) => {
      const operation = another();
      const made = [
        store.operations.insert(operation, [newStep(1)], card('first')),
        store.operations.insert({ ...operation, channel: 'C2' }, [newStep(1), newStep(2)], card('second')),
      ];
      expect(await Promise.all(made)).toEqual([true, false]);
      expect(await read(operation.id)).toMatchObject({ channel: 'C1', state: 'waiting' });
      expect(await store.steps.list(operation.id)).toHaveLength(1);
      expect(await store.messages.find('first')).toBeDefined();
      expect(await store.messages.find('second')).toBeUndefined();
      const fresh = another();
      expect(await race(rig(), 20, ({ operations }) => operations.insert(fresh, [newStep(1)]))).toBe(1);
      expect(await store.steps.list(fresh.id)).toHaveLength(1);
    });

    test('alone when it cannot be stored with another one of its commit', async ({ store }) => {
      const [good, bad] = [another(), another()];
      const outcomes = await Promise.allSettled([
        store.operations.insert(good, [newStep(1)]),
        store.operations.insert(bad, [newStep(1), newStep(1)]),
      ]);
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
      expect(await store.operations.find(good.id)).toBeDefined();
      expect(await store.operations.find(bad.id)).toBeUndefined();
    });

    test('without steps and a card by one statement, and with them only when it is new', async ({ store, sent }) => {
      const [old, fresh] = [another(), another()];
      expect(await store.operations.insert(old, [])).toBe(true);
      expect(sent.filter(({ sql }) => sql.startsWith('insert'))).toHaveLength(1);
      expect(await read(old.id)).toMatchObject(old);
      const made = [old, fresh].map((one) => store.operations.insert(one, [newStep(1)], card(`card:${one.id}`)));
      expect(await Promise.all(made)).toEqual([false, true]);
      expect(await store.steps.list(old.id)).toEqual([]);
      expect(await store.steps.list(fresh.id)).toMatchObject([{ ...newStep(1), state: 'pending' }]);
      expect(await store.messages.find(`card:${old.id}`)).toBeUndefined();
      expect(await store.messages.find(`card:${fresh.id}`)).toMatchObject(card(`card:${fresh.id}`));
    });

    test('in the order of its id among others, its card in that of the calls', async ({ store, database, sent }) => {
      const ids = ['o-b', 'o-d', 'o-a', 'o-c'];
      await Promise.all(ids.map((id) => store.operations.insert(another({ id }), [newStep(1)], card(`card:${id}`))));
      expect(sent.filter(({ sql }) => /^insert into "(operations|steps|messages)"/.test(sql))).toHaveLength(3);
      const cards = await Promise.all(ids.map(async (id) => (await store.messages.find(`card:${id}`))?.seq ?? 0));
      expect(cards).toEqual(cards.toSorted((a, b) => a - b));
      const place = database.engine === 'sqlite' ? 'rowid' : 'ctid';
      const rows = await database.run(`select id from operations where id like 'o-%' order by ${place}`);
      expect(rows.map(({ id }) => id)).toEqual(ids.toSorted());
    });

    test('fifty in a commit at most', async ({ store, sent }) => {
      const made = Array.from({ length: 51 }, () => store.operations.insert(another(), [newStep(1)]));
      expect((await Promise.all(made)).every(Boolean)).toBe(true);
      expect(sent.filter(({ sql }) => sql.startsWith('insert into "operations"'))).toHaveLength(2);
    });
  });

  describe('is replaced', () => {
    const endTextOf = (id: string) => `Replaced ${id}.`;
    const inPlaceOf = (id: string, { operations } = rig().store) => ({
      id,
      change: (on: Parameters<typeof operations.move>[4]) =>
        operations.move(id, 'waiting', 'withdrawn', { endText: endTextOf(id), outcome: { by: 'U2' } }, on),
    });

    test('in the order of its id, beside requests that replace nothing', async ({ store, sent }) => {
      const ids = ['r-b', 'r-d', 'r-a', 'r-c'];
      for (const id of ids) await make({ id });
      const made = ids.flatMap((id) => [
        store.operations.insert(another(), []),
        store.operations.insert(another(), [], undefined, inPlaceOf(id)),
      ]);
      expect((await Promise.all(made)).every(Boolean)).toBe(true);
      const ended = sent.filter(({ sql }) => sql.startsWith('update "operations"'));
      expect(ended.map(({ parameters }) => ids.find((id) => parameters.includes(id)))).toEqual(ids.toSorted());
      const rows = await Promise.all(ids.map(read));
      expect(rows.map(({ endText }) => endText)).toEqual(ids.map(endTextOf));
    });

    test('by one of several simultaneous replacements, which is stored alone', async ({ store, clock }) => {
      const id = await make();
      const others = Array.from({ length: 6 }, () => another());
      const replace = (one: NewOperation, by = store) => by.operations.insert(one, [], undefined, inPlaceOf(id));
      expect(await race(rig(), 6, (by, n) => replace(others[n] ?? another(), by))).toBe(1);
      expect(await read(id)).toMatchObject({ state: 'withdrawn', outcome: { by: 'U2' }, endedAt: clock.at });
      const found = await Promise.all(others.map((one) => store.operations.find(one.id)));
      expect(found.filter((row) => row !== undefined)).toHaveLength(1);
      // A request that was stored before a crash does not prevent another one of the same commit.
      const again = others[found.findIndex((row) => row !== undefined)] ?? another();
      expect(await Promise.all([replace(again), store.operations.insert(another(), [])])).toEqual([false, true]);
    });

    test('only while it waits', async ({ store, sent }) => {
      const id = await make({ state: 'approved' });
      const before = await read(id);
      expect(await store.operations.insert(another(), [], undefined, inPlaceOf(id))).toBe(false);
      expect(sent.some(({ sql }) => sql.startsWith('insert'))).toBe(false);
      expect(await read(id)).toEqual(before);
    });
  });
});
