import { expect } from 'vitest';
import { patienceMs } from '../support/suite/patience.ts';
import { onEachEngine, openAnew, race, test } from './conformance.ts';
import { newOperation, newStep } from './rows.ts';

onEachEngine('a lease', (rig) => {
  test('is taken by one process until it ends, and extended by that one', async ({ store, clock, database }) => {
    expect(await store.leases.isTaken('k')).toBe(false);
    expect(await race(rig(), 10, ({ leases }, n) => leases.acquire('k', `p${n}`, 500))).toBe(1);
    await database.run('delete from leases');
    expect(await store.leases.acquire('k', 'me', 500)).toBe(true);
    expect(await store.leases.acquire('other', 'me', 100)).toBe(true);
    clock.at += 499;
    expect(await store.leases.acquire('k', 'other', 500)).toBe(false);
    expect(await store.leases.isTaken('k')).toBe(true);
    expect(await store.leases.isTaken('other')).toBe(false);
    expect(await store.leases.acquire('k', 'me', 300)).toBe(true);
    clock.at += 299;
    expect(await store.leases.isTaken('k')).toBe(true);
    expect(await store.leases.acquire('k', 'other', 500)).toBe(false);
    clock.at += 1;
    expect(await store.leases.isTaken('k')).toBe(false);
    expect(await store.leases.acquire('k', 'other', 500)).toBe(true);
    expect(await store.leases.acquire('k', 'me', 500)).toBe(false);
  });

  test('is given back by its process alone', async ({ store }) => {
    for (const name of ['a', 'b']) await store.leases.acquire(name, 'me', 500);
    await store.leases.giveBack('a', 'other');
    expect(await store.leases.isTaken('a')).toBe(true);
    await store.leases.giveBack('a', 'me');
    expect(await store.leases.isTaken('a')).toBe(false);
    expect(await store.leases.isTaken('b')).toBe(true);
  });

  test('is renewed while the work under it lasts, and is given back at its end, also after an error', async () => {
    const { store, replica, clock, database } = rig();
    const until = async () =>
      (await database.run("select until from leases where name = 'work'")).map((row) => Number(row.until));
    const lasts = async () => {
      for (let round = 0; round < 3; round++) {
        clock.at += 25;
        await expect.poll(until, { timeout: patienceMs }).toEqual([clock.at + 30]);
        expect(await replica.leases.hold('work', 'other', 30, () => Promise.reject(new Error('twice')))).toBe(false);
      }
    };
    expect(await store.leases.hold('work', 'me', 30, lasts)).toBe(true);
    await expect(store.leases.hold('work', 'me', 30, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await until()).toEqual([]);
    expect(await replica.leases.hold('work', 'other', 30, async () => undefined)).toBe(true);
  });

  test('is forgotten when it has ended', async ({ store, clock, database }) => {
    await database.run('delete from leases');
    await store.leases.acquire('ended', 'me', 500);
    await store.leases.acquire('lasts', 'me', 501);
    clock.at += 500;
    await store.retention.prune('leases', clock.at);
    expect(await database.run('select name from leases')).toEqual([{ name: 'lasts' }]);
  });
});

onEachEngine('a process that begins', (rig) => {
  test('releases the claims of an ended process on SQLite', async ({ store, clock, database }) => {
    const isFreed = database.engine === 'sqlite';
    const claim = { owner: 'gone', forMs: 500 };
    for (const key of ['new', 'done']) await store.inbox.receive({ key, body: '{}', claim });
    await store.inbox.finish('done');
    for (const key of ['due', 'delivered']) await store.messages.put({ key, channel: 'C1', view: '1' });
    await store.messages.claimDue('gone', 500, 9);
    await database.run("update messages set state = 'delivered' where key = 'delivered'");
    for (const id of ['turn', 'rests', 'over']) {
      await store.operations.insert(newOperation({ id, state: 'approved' }), [newStep(1), newStep(2)]);
      if (id !== 'rests') await store.turns.claim(id, 'gone', 500);
    }
    await database.run("update operations set next_turn_at = null where id = 'over'");
    await database.run("update operations set next_turn_at = 7 where id = 'rests'");
    await store.leases.acquire('sweep', 'gone', 500);
    clock.at += 10;
    const tables = ['inbox', 'messages', 'steps', 'operations', 'leases'] as const;
    const all = async () => {
      const rows = await Promise.all(tables.map((table) => database.run(`select * from ${table} order by 1, 2`)));
      return Object.fromEntries(tables.map((table, at) => [table, rows[at]]));
    };
    const before = await all();
    const { store: begins } = await openAnew(rig());
    await begins.leases.releaseAll();
    const after = await all();
    if (!isFreed) {
      expect(after).toEqual(before);
      return;
    }
    const changed = (table: string, by: Record<string, object>) =>
      before[table]?.map((row) => ({ ...row, ...by[String(row.key ?? row.id)] }));
    expect(after).toEqual({
      inbox: changed('inbox', { new: { claimed_until: 0 } }),
      messages: changed('messages', { due: { claimed_until: 0 } }),
      steps: before.steps,
      operations: changed('operations', { turn: { turn_owner: null, turn_until: 0, next_turn_at: clock.at } }),
      leases: [],
    });
  });
});
