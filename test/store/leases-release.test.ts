import { expect, test } from 'vitest';
import { onEachEngine, openAnew } from './conformance.ts';
import { newOperation, newStep } from './rows.ts';

onEachEngine('a process that begins', (rig) => {
  test('releases the claims of an ended process on SQLite', async () => {
    const { store, clock, database } = rig();
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
