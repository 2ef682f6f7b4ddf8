import postgres from 'postgres';
import { expect, onTestFinished, test } from 'vitest';
import { openStore, type Store } from '../../src/store/database.ts';
import { freshDatabase } from '../support/databases.ts';
import { newOperation, newStep } from './rows.ts';

/** Replicas with clocks minutes apart, on PostgreSQL, whose clock decides about claims. */

async function replicas(...skewsMs: number[]): Promise<Store[]> {
  const database = await freshDatabase('postgres');
  const stores = await Promise.all(
    skewsMs.map((skewMs) => openStore(database.url, { now: () => Date.now() + skewMs, leaseClock: 'database' })),
  );
  onTestFinished(async () => {
    await Promise.all(stores.map((store) => store.close()));
    await database.drop();
  });
  return stores;
}

function onlyTwo([first, second]: Store[]): [Store, Store] {
  if (first === undefined || second === undefined) throw new Error('two replicas are open');
  return [first, second];
}

test('a lease is not taken over by a process whose clock is ahead', async () => {
  const [store, ahead] = onlyTwo(await replicas(0, 90_000));
  await store.messages.put({ key: 'm1', channel: 'C1', view: '"1"' });
  expect(await store.messages.claimDue('a', 30_000, 10)).toHaveLength(1);
  expect(await ahead.messages.claimDue('b', 30_000, 10)).toEqual([]);

  await store.inbox.receive({ key: 'r1', kind: 'line', body: '{}', claim: { owner: 'a', forMs: 60_000 } });
  expect(await ahead.inbox.unfinished(10)).toEqual([]);
  expect(await ahead.inbox.claimAgain('r1', 'b', 60_000)).toBe(false);

  await store.operations.insert(newOperation({ id: 'o1', state: 'approved' }), [newStep(1)]);
  expect(await store.turns.claim('o1', 'a', 20_000)).toBeDefined();
  expect(await ahead.turns.claimDue('b', 20_000, 10)).toEqual([]);
  expect(await ahead.turns.claim('o1', 'b', 20_000)).toBeUndefined();

  expect(await store.leases.acquire('sweep', 'a', 60_000)).toBe(true);
  expect(await ahead.leases.acquire('sweep', 'b', 60_000)).toBe(false);
});

test('an expired lease of a process whose clock is behind can be taken by both processes', async () => {
  const [behind, store] = onlyTwo(await replicas(-90_000, 0));
  await store.operations.insert(newOperation({ id: 'o1', state: 'approved' }), []);
  await behind.turns.claim('o1', 'a', 50);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(await store.turns.claimDue('b', 50, 10)).toHaveLength(1);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(await behind.turns.claimDue('a', 50, 10)).toHaveLength(1);
});

test('the store measures how far its clock is from the database', async () => {
  const stores = await replicas(0, 90_000, -45_000);
  const skews = await Promise.all(stores.map((store) => store.skewMs()));
  for (const [n, expected] of [0, 90_000, -45_000].entries())
    expect(Math.abs((skews[n] ?? Number.NaN) - expected)).toBeLessThan(10_000);
});

test('when two replicas claim at the same time, one gets all new messages of a channel', async () => {
  const [store, other] = onlyTwo(await replicas(0, 0));
  for (let round = 0; round < 30; round++) {
    for (let n = 0; n < 4; n++)
      await store.messages.put({ key: `m${round}-${n}`, channel: `C${round}`, view: `"${n}"` });
    const claims = await Promise.all([
      store.messages.claimDue('a', 30_000, 2),
      other.messages.claimDue('b', 30_000, 2),
      store.messages.claimDue('a', 30_000, 2),
      other.messages.claimDue('b', 30_000, 2),
    ]);
    const holders = new Set(claims.flat().map(({ claimedBy }) => claimedBy));
    expect(holders.size).toBe(1);
    const keys = claims.flat().map(({ key }) => key);
    expect(keys).toContain(`m${round}-0`);
    for (const message of await store.messages.claimDue('a', 30_000, 10)) await store.messages.dead(message.key, 'x');
    for (const message of await other.messages.claimDue('b', 30_000, 10)) await other.messages.dead(message.key, 'x');
    for (const key of keys) await store.messages.dead(key, 'x');
  }
});

test('keeping turns locks them in the order in which cards are drawn, so neither waits for the other for ever', async () => {
  const database = await freshDatabase('postgres');
  const store = await openStore(database.url);
  const client = postgres(database.url, { max: 2 });
  onTestFinished(async () => {
    await Promise.all([store.close(), client.end()]);
    await database.drop();
  });
  // Stored and claimed in the other order.
  for (const id of ['b', 'a']) {
    await store.operations.insert(newOperation({ id, state: 'approved' }), []);
    await store.turns.claim(id, 'p', 20_000);
  }
  const isWaiting = async () => {
    const [found] = await client`select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%turn_owner%'`;
    return found !== undefined;
  };
  let kept: Promise<void> | undefined;
  await client.begin(async (cards) => {
    await cards`select id from operations where id = 'a' for update`;
    kept = store.turns.keep('p', 60_000, ['b', 'a']);
    kept.catch(() => undefined);
    await expect.poll(isWaiting).toBe(true);
    await cards`select id from operations where id = 'b' for update`;
  });
  await kept;
  const until = await client`select turn_until from operations where turn_until > ${Date.now() + 30_000}`;
  expect(until).toHaveLength(2);
});
