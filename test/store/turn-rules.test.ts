import { expect, test } from 'vitest';
import type { NewOperation } from '../../src/store/operation-row.ts';
import { onEachEngine, openAnew } from './conformance.ts';
import { newOperation, newStep } from './rows.ts';

// Each statement on turns changes only the row, or the rows, of which it is asked.

onEachEngine('the turn of an operation', (rig) => {
  let count = 0;
  const open = async () => ({ ...rig(), ...(await openAnew(rig())) });
  async function make(more: Partial<NewOperation> = {}): Promise<string> {
    const id = `op-${count++}`;
    await rig().store.operations.insert(newOperation({ id, state: 'approved', ...more }), [newStep(1)]);
    return id;
  }
  const turnOf = async (id: string) => {
    const { turnOwner, turnUntil, nextTurnAt, turnFailures } = (await rig().store.operations.find(id)) ?? {};
    const since = (at: number | null | undefined) => (at ? at - rig().clock.at : at);
    return { turnOwner, turnUntil: since(turnUntil), nextTurnAt: since(nextTurnAt), turnFailures };
  };
  const free = { turnOwner: null, turnUntil: 0, nextTurnAt: 0, turnFailures: 0 };

  test('is claimed alone, and due again at the end of its lease', async () => {
    const { store } = await open();
    const [id, other] = [await make(), await make()];
    expect(await store.turns.claim(id, 'a', 500, false)).toMatchObject({ id, turnOwner: 'a', args: {} });
    expect(await turnOf(id)).toEqual({ turnOwner: 'a', turnUntil: 500, nextTurnAt: 500, turnFailures: 0 });
    expect(await turnOf(other)).toEqual(free);
    const ended = await make({ state: 'done' });
    for (const id of ['none', ended]) expect(await store.turns.claim(id, 'a', 500, true)).toBeUndefined();
  });

  test('is claimed before it is due only where it was asked for', async () => {
    const { store, clock } = await open();
    const waiting = { state: 'waiting', expiresAt: clock.at + 100 } as const;
    const [id, asked] = [await make(waiting), await make(waiting)];
    expect(await store.turns.claim(asked, 'a', 500, true)).toBeDefined();
    expect(await store.turns.claim(id, 'a', 500, false)).toBeUndefined();
    clock.at += 99;
    expect(await store.turns.claim(id, 'a', 500, false)).toBeUndefined();
    clock.at += 1;
    expect(await store.turns.claim(id, 'a', 500, false)).toBeDefined();
    clock.at += 499;
    expect(await store.turns.claim(id, 'b', 500, true)).toBeUndefined();
    clock.at += 1;
    expect(await store.turns.claim(id, 'b', 500, true)).toBeDefined();
  });

  test('makes its row one of this version, unless it is of a newer one', async () => {
    const { store, database } = await open();
    const format = async (id: string) => (await store.operations.find(id))?.format;
    const [older, newer] = [await make(), await make()];
    await database.run(`update operations set format = 0 where id = '${older}'`);
    await database.run(`update operations set format = 7 where id = '${newer}'`);
    for (const id of [older, newer]) expect(await store.turns.claim(id, 'a', 500, false)).toBeDefined();
    expect([await format(older), await format(newer)]).toEqual([1, 7]);
  });

  test('of a newer version is left to it until that was not seen for ten minutes', async () => {
    const { store, database, clock } = await open();
    const id = await make();
    await database.run(`update operations set format = 7 where id = '${id}'`);
    await database.run(`insert into presence (id, at, build) values ('build 7', ${clock.at}, 7)`);
    clock.at += 599_999;
    expect(await store.turns.claim(id, 'a', 500, true)).toBeUndefined();
    clock.at += 1;
    expect(await store.turns.claim(id, 'a', 500, true)).toBeDefined();
  });

  test.each([
    ['for so long', { waitMs: 300 }, false, { ...free, nextTurnAt: 300 }],
    ['for good', { waitMs: null }, false, { ...free, nextTurnAt: null }],
    [
      'after a failure, which is counted',
      { waitMs: 300, hasFailed: true },
      false,
      { ...free, nextTurnAt: 300, turnFailures: 4 },
    ],
    ['for no time', { waitMs: 0 }, true, { ...free, nextTurnAt: 0 }],
  ])('is given back %s by its process alone', async (_, given, isDue, turn) => {
    const { store, database } = await open();
    const [id, other] = [await make(), await make()];
    await database.run(`update operations set turn_failures = 3 where id = '${id}'`);
    for (const one of [id, other]) await store.turns.claim(one, 'a', 500, false);
    const before = await turnOf(id);
    expect(await store.turns.giveBack(id, 'b', given)).toBe(false);
    expect(await turnOf(id)).toEqual(before);
    expect(await store.turns.giveBack(id, 'a', given)).toBe(isDue);
    expect(await turnOf(id)).toEqual(turn);
    expect(await turnOf(other)).toMatchObject({ turnOwner: 'a', turnUntil: 500 });
  });

  test('that was asked for meanwhile is due, whatever the turn says', async () => {
    const { store, clock } = await open();
    for (const waitMs of [300, 300, null, null]) {
      const id = await make();
      await store.turns.claim(id, 'a', 500, false);
      clock.at += 10;
      await store.turns.ask(id);
      expect(await turnOf(id)).toEqual({ turnOwner: 'a', turnUntil: 490, nextTurnAt: 0, turnFailures: 0 });
      expect(await store.turns.giveBack(id, 'a', { waitMs })).toBe(true);
      expect(await turnOf(id)).toEqual(free);
    }
  });

  test('is kept by its process alone while it takes it, with what was asked for meanwhile', async () => {
    const { store, clock, database } = await open();
    const ids = [await make(), await make(), await make(), await make(), await make()];
    const [mine = '', asked = '', over = '', left = '', other = ''] = ids;
    for (const id of [mine, asked, over, left]) await store.turns.claim(id, 'me', 500, false);
    await store.turns.claim(other, 'other', 500, false);
    // A row of which nothing is due any more.
    await database.run(`update operations set next_turn_at = null where id = '${over}'`);
    clock.at += 100;
    await store.turns.ask(asked);
    await store.turns.keep('me', 1_000, [mine, asked, over, other]);
    const kept = { turnOwner: 'me', turnUntil: 1_000, nextTurnAt: 1_000, turnFailures: 0 };
    expect(await turnOf(mine)).toEqual(kept);
    expect(await turnOf(asked)).toEqual({ ...kept, nextTurnAt: 0 });
    expect(await turnOf(over)).toEqual({ ...kept, turnUntil: 400, nextTurnAt: null });
    // Its process has ended the turn, and could not give it back.
    expect(await turnOf(left)).toEqual({ ...kept, turnUntil: 400, nextTurnAt: 400 });
    expect(await turnOf(other)).toEqual({ ...kept, turnOwner: 'other', turnUntil: 400, nextTurnAt: 400 });
  });

  test('is asked for alone, and not where nothing is left to do', async () => {
    const { store, clock } = await open();
    const expiresAt = clock.at + 100;
    const [id, other] = [await make({ state: 'waiting', expiresAt }), await make({ state: 'waiting', expiresAt })];
    const ended = await make({ state: 'done' });
    await store.turns.ask(id);
    await store.turns.ask(ended);
    expect([await turnOf(id), await turnOf(other), await turnOf(ended)]).toEqual([
      free,
      { ...free, nextTurnAt: 100 },
      { ...free, nextTurnAt: null },
    ]);
  });
});

onEachEngine('turns that are looked for', (rig) => {
  test('the longest due comes first, of those that no process has', async () => {
    const { store, clock } = rig();
    for (const [id, ms] of [
      ['later', 300],
      ['soon', 100],
      ['held', 50],
      ['sooner', 200],
    ] as const)
      await store.operations.insert(newOperation({ id, expiresAt: clock.at + ms }), []);
    clock.at += 99;
    expect(await store.turns.due(9)).toEqual(['held']);
    await store.turns.claim('held', 'a', 1_000, false);
    expect(await store.turns.due(9)).toEqual([]);
    clock.at += 101;
    expect(await store.turns.due(9)).toEqual(['soon', 'sooner']);
    clock.at += 100;
    expect(await store.turns.due(9)).toEqual(['soon', 'sooner', 'later']);
    expect(await store.turns.due(2)).toEqual(['soon', 'sooner']);
    // Asked for while a process has it: it is due when that gives it back.
    await store.turns.ask('held');
    expect(await store.turns.due(9)).not.toContain('held');
  });

  test('those are stalled that were decided, and neither rest nor have a step under way', async () => {
    const { store, clock, database } = rig();
    const states = ['waiting', 'approved', 'running', 'reading', 'failed'] as const;
    for (const state of states) {
      await store.operations.insert(newOperation({ id: `s-${state}`, state }), [newStep(1)]);
      await store.operations.insert(newOperation({ id: `t-${state}`, state }), [newStep(1)]);
    }
    const stalled = async (limit = 99) =>
      (await store.turns.stalled(clock.at + 1, limit)).filter((id) => /^[st]-/.test(id)).toSorted();
    const all = ['s-approved', 's-reading', 's-running', 't-approved', 't-reading', 't-running'];
    expect(await stalled()).toEqual(all);
    expect(await stalled(2)).toHaveLength(2);
    expect(await store.turns.stalled(clock.at, 99)).toEqual([]);
    await database.run("update operations set held_at = 5 where id = 's-approved'");
    await store.turns.claim('s-running', 'a', 500, false);
    await store.steps.move('s-reading', 1, 'pending', 'running');
    expect(await stalled()).toEqual(all.slice(3));
    // A step that has ended, and one that ended before it began, are not under way.
    await store.steps.move('s-reading', 1, 'running', 'failed');
    await store.steps.move('t-reading', 1, 'pending', 'skipped');
    expect(await stalled()).toEqual(['s-reading', ...all.slice(3)]);
    clock.at += 500;
    expect(await stalled()).toEqual(['s-reading', 's-running', ...all.slice(3)]);
  });
});
