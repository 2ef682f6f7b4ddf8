import { expect } from 'vitest';
import { onEachEngine, race, test } from '../conformance.ts';
import { newOperation, newStep } from '../rows.ts';

onEachEngine('turns', (rig) => {
  let count = 0;
  async function approved(): Promise<string> {
    const id = `turn-${count++}`;
    await rig().store.operations.insert(newOperation({ id, state: 'approved' }), [newStep(1), newStep(2)]);
    return id;
  }
  /** Whether a process could claim it now, without doing so. */
  const isDue = async (id: string) => {
    const { database, clock } = rig();
    const due = `next_turn_at <= ${clock.at} and turn_until <= ${clock.at}`;
    return (await database.run(`select id from operations where id = '${id}' and ${due}`)).length > 0;
  };

  test('when several processes claim a turn, one gets it, until it gives it back', async ({ store, replica }) => {
    const id = await approved();
    expect(await isDue(id)).toBe(true);
    const won = await race(rig(), 20, async ({ turns }, n) => (await turns.claim(id, `p${n}`, 1_000)) !== undefined);
    expect(won).toBe(1);
    expect(await isDue(id)).toBe(false);
    expect(await replica.turns.claim(id, 'other', 1_000)).toBeUndefined();
    const owner = String((await store.operations.find(id))?.turnOwner);
    expect(await store.turns.giveBack(id, 'other', { dueAt: rig().clock.at })).toBe(false);
    expect(await store.turns.giveBack(id, owner, { dueAt: rig().clock.at + 500 })).toBe(false);
    expect(await isDue(id)).toBe(false);
    expect(await store.turns.claim(id, 'other', 1_000)).toMatchObject({ operation: { id, plan: { title: 'x' } } });
  });

  test('a process gets the turn that its own poll has claimed, another process does not, and after its end it is never due', async () => {
    const { store, replica } = rig();
    const id = await approved();
    const due = await store.turns.claimDue('a', 1_000, 99);
    expect(due.map(({ operation }) => operation.id)).toContain(id);
    expect(await replica.turns.claim(id, 'b', 1_000)).toBeUndefined();
    expect(await store.turns.claim(id, 'a', 1_000)).toMatchObject({ operation: { id, turnOwner: 'a' } });
    expect(await store.turns.giveBack(id, 'a', { dueAt: null })).toBe(false);
    await store.turns.request(id);
    expect(await isDue(id)).toBe(false);
    expect(await store.turns.claim(id, 'a', 1_000), 'it is over').toBeUndefined();
  });

  test('a turn is due again when its time has come, and when its process is gone', async ({ store, clock }) => {
    const id = await approved();
    await store.turns.claim(id, 'a', 1_000);
    clock.at += 999;
    expect(await isDue(id)).toBe(false);
    await store.turns.keep('a', 1_000, [id]);
    clock.at += 999;
    expect(await isDue(id)).toBe(false);
    clock.at += 1;
    expect(await isDue(id)).toBe(true);
    expect(await store.turns.claim(id, 'b', 1_000)).toBeDefined();
    // The old owner comes back, and its release has no effect.
    expect(await store.turns.giveBack(id, 'a', { dueAt: null })).toBe(false);
    expect(await store.turns.giveBack(id, 'b', { dueAt: rig().clock.at + 300 })).toBe(false);
    clock.at += 300;
    expect(await isDue(id)).toBe(true);
  });

  test('a turn that is requested while a process has it is due when it is given back, also when it was kept meanwhile', async () => {
    const { store, replica } = rig();
    const id = await approved();
    await store.turns.claim(id, 'a', 1_000);
    await replica.turns.request(id);
    await store.turns.keep('a', 1_000, [id]);
    expect(await isDue(id)).toBe(false);
    expect(await store.turns.giveBack(id, 'a', { dueAt: null })).toBe(true);
    expect(await isDue(id)).toBe(true);
  });

  test('the failures of an operation count over all processes until a turn succeeds', async ({ store, replica }) => {
    const id = await approved();
    const failures = async () => (await store.operations.find(id))?.turnFailures;
    await store.turns.claim(id, 'a', 1_000);
    await store.turns.giveBack(id, 'a', { dueAt: rig().clock.at, hasFailed: true });
    expect(await replica.turns.claim(id, 'b', 1_000)).toMatchObject({ operation: { turnFailures: 1 } });
    await replica.turns.giveBack(id, 'b', { dueAt: rig().clock.at, hasFailed: true });
    expect(await failures()).toBe(2);
    await store.turns.claim(id, 'a', 1_000);
    await store.turns.giveBack(id, 'a', { dueAt: rig().clock.at });
    expect(await failures()).toBe(0);
  });

  test('an operation that waits for people is due when its time ends, or they decide', async ({ store, clock }) => {
    const waiting = { state: 'waiting' as const, expiresAt: clock.at + 1_000 };
    await store.operations.insert(newOperation({ ...waiting, id: 'late' }), []);
    await store.operations.insert(newOperation({ ...waiting, id: 'decided' }), []);
    expect(await isDue('late')).toBe(false);
    await store.operations.move('decided', 'waiting', 'declined');
    expect(await isDue('decided')).toBe(true);
    clock.at += 1_000;
    expect(await isDue('late')).toBe(true);
  });

  test('due operations are claimed by one process each, the longest due first', async ({ store, clock, database }) => {
    const ids: string[] = [];
    for (let n = 0; n < 12; n += 1) ids.push(await approved());
    await database.run("update operations set next_turn_at = null where id not like 'turn-%'");
    for (const [n, id] of ids.entries())
      await database.run(`update operations set next_turn_at = ${n} where id = '${id}'`);
    const first = await store.turns.claimDue('a', 1_000, 2);
    const claimed = first.map(({ operation, at }) => [operation.id, operation.turnOwner, at]);
    const longest = ids.slice(0, 2).map((id) => [id, 'a', clock.at]);
    expect(claimed.toSorted()).toEqual(longest.toSorted());
    const claims: string[] = [];
    await race(rig(), 6, async ({ turns }, n) => {
      for (const { operation } of await turns.claimDue(`p${n}`, 1_000, 3)) claims.push(operation.id);
      return true;
    });
    for (const { operation } of await store.turns.claimDue('last', 1_000, 99)) claims.push(operation.id);
    expect(claims.filter((id) => ids.includes(id)).toSorted()).toEqual(ids.slice(2).toSorted());
  });

  test('nothing is claimed once a newer version has changed the schema', async ({ store, database }) => {
    const id = await approved();
    expect(await store.isOutdated()).toBe(false);
    await database.run("insert into schema_version (version, name, applied_at) values (99, 'next', 0)");
    expect(await store.isOutdated()).toBe(true);
    expect(await store.turns.claim(id, 'a', 1_000)).toBeUndefined();
    expect(await store.turns.claimDue('a', 1_000, 9)).toEqual([]);
    await database.run('delete from schema_version where version = 99');
    expect(await store.turns.claim(id, 'a', 1_000)).toBeDefined();
  });

  test('operations that the provider works on are counted', async ({ store }) => {
    const before = await store.turns.underWay();
    const id = await approved();
    expect(await store.turns.underWay()).toBe(before);
    await store.operations.move(id, 'approved', 'running');
    expect(await store.turns.underWay()).toBe(before + 1);
  });
});
