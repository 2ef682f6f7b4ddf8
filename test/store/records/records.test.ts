import { expect, test } from 'vitest';
import { openOperations } from '../../support/open-operations.ts';
import { onEachEngine, race } from '../conformance.ts';

onEachEngine('sealed values', (rig) => {
  const secret = (id: string) => ({ id, userId: 'U1', title: 'Password of web-1', sealed: 'v1.abc' });

  test('a sealed value can be taken once, by its person, before it expires', async () => {
    const { store, clock } = rig();
    await store.secrets.put({ ...secret('s1'), operationId: 'op1', expiresAt: clock.at + 600 });
    expect(await store.secrets.claim('s1', 'U2', clock.at)).toBeUndefined();
    const won = await race(rig(), 20, async ({ secrets }) => (await secrets.claim('s1', 'U1', clock.at)) !== undefined);
    expect(won).toBe(1);
    await store.secrets.put({ ...secret('s2'), expiresAt: clock.at + 600 });
    expect(await store.secrets.claim('s2', 'U1', clock.at + 600)).toBeUndefined();
    expect(await store.secrets.purge(clock.at + 599)).toHaveLength(0);
    expect(await store.secrets.purge(clock.at + 600)).toHaveLength(1);
  });
});

onEachEngine('open forms', (rig) => {
  test('an open form belongs to one person and expires', async () => {
    const { store, replica, clock } = rig();
    await store.forms.put({ id: 'f1', userId: 'U1', data: { page: 1 }, expiresAt: clock.at + 100 });
    expect(await replica.forms.get('f1', 'U2')).toBeUndefined();
    expect(await store.forms.get('f1', 'U1')).toMatchObject({ data: { page: 1 }, expiresAt: clock.at + 100 });
    expect(await race(rig(), 20, ({ forms }) => forms.delete('f1'))).toBe(1);
    await store.forms.put({ id: 'f2', userId: 'U1', data: null, expiresAt: clock.at + 100 });
    clock.at += 100;
    expect(await store.forms.get('f2', 'U1')).toBeUndefined();
    expect(await store.forms.purge(clock.at)).toBe(1);
  });
});

onEachEngine('durations', (rig) => {
  test('the last fifty durations of each kind are kept', async () => {
    const { store } = rig();
    await store.durations.add('stop', 7);
    for (let ms = 1; ms <= 60; ms += 1) await store.durations.add('restart', ms);
    expect(await store.durations.recent('restart', 3)).toEqual([60, 59, 58]);
    expect(await store.durations.recent('restart', 99)).toHaveLength(50);
    expect(await store.durations.recent('stop', 99)).toEqual([7]);
  });
});

onEachEngine('the store', (rig) => {
  test('the store answers a ping, and its label shows where it is without credentials', async () => {
    const { store, database } = rig();
    await store.ping();
    expect(store.label).not.toContain('hostler:hostler');
    expect(store.label).toContain(database.engine === 'sqlite' ? database.url : '127.0.0.1:');
  });

  test('every frequent query has an index', async ({ skip }) => {
    const { store, database, queries, clock } = rig();
    skip(database.engine !== 'sqlite', 'SQLite is the one that tells its plan for an empty table');
    queries.length = 0;
    await store.inbox.unfinished(10);
    await openOperations(store);
    await store.turns.claimDue('a', 1, 10);
    await store.turns.underWay();
    await store.turns.keep('a', 10, ['x']);
    for (const filter of [{ requester: 'U' }, { channel: 'C' }, { command: 'c' }, { state: 'done' as const }]) {
      await store.operations.list({ ...filter, limit: 5, before: { createdAt: 1, id: 'x' } });
    }
    await store.operations.list({ limit: 5 });
    await store.votes.list('op');
    await store.freezes.active(clock.at);
    await store.messages.claimDue('a', 1, 10);
    await store.messages.pending();
    await store.messages.prune(1);
    for (const filter of [{ actor: 'U' }, { channel: 'C' }, { kind: 'k' }, { operationId: 'o' }]) {
      await store.audit.list({ ...filter, before: 9, limit: 5 });
    }
    await store.secrets.purge(1);
    await store.forms.purge(1);
    await store.durations.recent('k', 5);
    await store.values.get('policy', 'C1');
    await store.values.all('policy');
    await store.values.find('turn', ['power:1']);
    await store.values.list('turn', 'power:');
    await store.values.drifting('power');
    await store.values.prune(1);
    expect(queries.length).toBeGreaterThan(20);
    for (const text of queries) {
      const plan = await database.run(`explain query plan ${text.replaceAll('?', '1')}`);
      // The chosen rows of the outbox (due) are a result and json_each is a list in the statement, not tables; presence has
      // a row for each version that ever ran.
      const scans = plan
        .map(({ detail }) => String(detail))
        .filter((detail) => /^SCAN (?!due\b|json_each\b|presence\b)(?!.*USING)/.test(detail));
      expect({ text, scans }).toEqual({ text, scans: [] });
    }
  });
});
