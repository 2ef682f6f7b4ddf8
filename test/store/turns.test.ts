import { expect, test } from 'vitest';
import { onEachEngine, race } from './conformance.ts';
import { newOperation, newStep } from './rows.ts';

onEachEngine('turns', (rig) => {
  let count = 0;
  async function approved(): Promise<string> {
    const id = `turn-${count++}`;
    await rig().store.operations.insert(newOperation({ id, state: 'approved' }), [newStep(1), newStep(2)]);
    return id;
  }
  const isDue = async (id: string) => (await rig().store.turns.due(1_000)).includes(id);

  test('when several processes claim a turn, one gets it, until it gives it back', async () => {
    const { store, replica } = rig();
    const id = await approved();
    expect(await isDue(id)).toBe(true);
    const won = await race(
      rig(),
      20,
      async ({ turns }, n) => (await turns.claim(id, `p${n}`, 1_000, false)) !== undefined,
    );
    expect(won).toBe(1);
    expect(await isDue(id)).toBe(false);
    expect(await replica.turns.claim(id, 'other', 1_000, true)).toBeUndefined();
    const owner = String((await store.operations.find(id))?.turnOwner);
    expect(await store.turns.giveBack(id, 'other', { waitMs: 0 })).toBe(false);
    expect(await store.turns.giveBack(id, owner, { waitMs: 500 })).toBe(false);
    expect(await isDue(id)).toBe(false);
    expect(await store.turns.claim(id, 'other', 1_000, false)).toBeUndefined();
    expect(await store.turns.claim(id, 'other', 1_000, true)).toMatchObject({ id, plan: { title: 'x' } });
  });

  test('a turn is due again when its time has come, and when its process is gone', async () => {
    const { store, clock } = rig();
    const id = await approved();
    await store.turns.claim(id, 'a', 1_000, false);
    clock.at += 999;
    expect(await isDue(id)).toBe(false);
    await store.turns.keep('a', 1_000, [id]);
    clock.at += 999;
    expect(await isDue(id)).toBe(false);
    clock.at += 1;
    expect(await isDue(id)).toBe(true);
    expect(await store.turns.claim(id, 'b', 1_000, false)).toBeDefined();
    // The owner that was gone comes back, and has nothing to give back.
    expect(await store.turns.giveBack(id, 'a', { waitMs: null })).toBe(false);
    expect(await store.turns.giveBack(id, 'b', { waitMs: 300 })).toBe(false);
    clock.at += 300;
    expect(await isDue(id)).toBe(true);
  });

  test('a turn that is requested while a process has it is due when it is given back, also when it was kept meanwhile', async () => {
    const { store, replica } = rig();
    const id = await approved();
    await store.turns.claim(id, 'a', 1_000, false);
    await replica.turns.ask(id);
    await store.turns.keep('a', 1_000, [id]);
    expect(await isDue(id)).toBe(false);
    expect(await store.turns.giveBack(id, 'a', { waitMs: null })).toBe(true);
    expect(await isDue(id)).toBe(true);
  });

  test('a turn that was given back without a next time is not due again', async () => {
    const { store } = rig();
    const id = await approved();
    await store.turns.claim(id, 'a', 1_000, false);
    expect(await store.turns.giveBack(id, 'a', { waitMs: null })).toBe(false);
    await store.turns.ask(id);
    expect(await isDue(id)).toBe(false);
    expect(await store.turns.claim(id, 'a', 1_000, true)).toBeUndefined();
  });

  test('the failures of an operation are counted until a turn succeeds, whichever process takes it', async () => {
    const { store, replica } = rig();
    const id = await approved();
    const failures = async () => (await store.operations.find(id))?.turnFailures;
    await store.turns.claim(id, 'a', 1_000, false);
    await store.turns.giveBack(id, 'a', { waitMs: 0, hasFailed: true });
    expect(await replica.turns.claim(id, 'b', 1_000, false)).toMatchObject({ turnFailures: 1 });
    await replica.turns.giveBack(id, 'b', { waitMs: 0, hasFailed: true });
    expect(await failures()).toBe(2);
    await store.turns.claim(id, 'a', 1_000, false);
    await store.turns.giveBack(id, 'a', { waitMs: 0 });
    expect(await failures()).toBe(0);
  });

  test('an operation that waits for people is due when its time ends, or when they decide', async () => {
    const { store, clock } = rig();
    const waiting = { state: 'waiting' as const, expiresAt: clock.at + 1_000 };
    await store.operations.insert(newOperation({ ...waiting, id: 'late' }), []);
    await store.operations.insert(newOperation({ ...waiting, id: 'decided' }), []);
    expect(await isDue('late')).toBe(false);
    await store.operations.move('decided', 'waiting', 'declined');
    expect(await isDue('decided')).toBe(true);
    clock.at += 1_000;
    expect(await isDue('late')).toBe(true);
  });

  test('a row of a newer version is left to that version while it runs', async () => {
    const { store, database, clock } = rig();
    const id = await approved();
    await database.run(`update operations set format = 99 where id = '${id}'`);
    await database.run(`insert into presence (id, at, build) values ('build 99', ${clock.at}, 99)`);
    expect(await isDue(id)).toBe(false);
    expect(await store.turns.claim(id, 'a', 1_000, true)).toBeUndefined();
    // Nothing of that version has run for ten minutes: it was rolled back.
    await database.run(`update presence set at = ${clock.at - 601_000} where id = 'build 99'`);
    expect(await isDue(id)).toBe(true);
  });

  test('an operation is stalled when no step of it is under way and no process has its turn', async () => {
    const { store, clock } = rig();
    const id = await approved();
    const isStalled = async () => (await store.turns.stalled(clock.at + 1, 1_000)).includes(id);
    expect(await isStalled()).toBe(true);
    expect(await store.turns.stalled(clock.at, 1_000)).not.toContain(id);
    await store.operations.move(id, 'approved', 'running');
    await store.steps.move(id, 1, 'pending', 'running');
    await store.steps.move(id, 1, 'running', 'accepted');
    expect(await isStalled()).toBe(false);
    // The first has ended and nobody was woken: the second waits for a turn.
    await store.steps.move(id, 1, 'accepted', 'failed');
    expect(await isStalled()).toBe(true);
    await store.turns.claim(id, 'a', 1_000, true);
    expect(await isStalled()).toBe(false);
    await store.turns.giveBack(id, 'a', { waitMs: null });
    await store.operations.move(id, 'running', 'failed');
    expect(await isStalled()).toBe(false);
  });
});
