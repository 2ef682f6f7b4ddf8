import { expect, onTestFinished, test } from 'vitest';
import { openStore, type Store } from '../../src/store/database.ts';
import { migratedDatabase } from '../support/database/databases.ts';
import { besideTransaction, openAlone } from './conformance.ts';
import { newOperation, newStep } from './rows.ts';

/** Replicas with clocks minutes apart, on PostgreSQL, whose clock decides about claims. */

async function replicas<const Skews extends readonly number[]>(...skewsMs: Skews) {
  const database = await migratedDatabase('postgres');
  const stores = await Promise.all(
    skewsMs.map((skewMs) => openStore(database.url, { now: () => Date.now() + skewMs, leaseClock: 'database' })),
  );
  onTestFinished(async () => {
    await Promise.all(stores.map((store) => store.close()));
    await database.drop();
  });
  // As many stores as skews.
  return stores as { [At in keyof Skews]: Store };
}

test('a lease is not taken over by a process whose clock is ahead', async () => {
  const [store, ahead] = await replicas(0, 90_000);
  await store.messages.put({ key: 'm1', channel: 'C1', view: '"1"' });
  expect(await store.messages.claimDue('a', 30_000, 10)).toHaveLength(1);
  expect(await ahead.messages.claimDue('b', 30_000, 10)).toEqual([]);
  await store.inbox.receive({ key: 'r1', body: '{}', claim: { owner: 'a', forMs: 60_000 } });
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
  const [behind, store] = await replicas(-90_000, 0);
  await store.operations.insert(newOperation({ id: 'o1', state: 'approved' }), []);
  expect(await behind.turns.claim('o1', 'a', 50)).toBeDefined();
  await expect.poll(() => store.turns.claimDue('b', 50, 10), { interval: 10 }).toHaveLength(1);
  await expect.poll(() => behind.turns.claimDue('a', 50, 10), { interval: 10 }).toHaveLength(1);
});

test('the store measures how far its clock is from the database', async () => {
  const stores = await replicas(0, 90_000, -45_000);
  const skews = await Promise.all(stores.map((store) => store.skewMs()));
  for (const [n, expected] of [0, 90_000, -45_000].entries())
    expect(Math.abs((skews[n] ?? Number.NaN) - expected)).toBeLessThan(10_000);
});

test('when two replicas claim at the same time, one gets all new messages of a channel', async () => {
  const [store, other] = await replicas(0, 0);
  for (let round = 0; round < 8; round++) {
    const keys = [0, 1, 2, 3].map((n) => `m${round}-${n}`);
    for (const key of keys) await store.messages.put({ key, channel: `C${round}`, view: '"x"' });
    const both = [store.messages.claimDue('a', 30_000, 2), other.messages.claimDue('b', 30_000, 2)];
    const again = [store.messages.claimDue('a', 30_000, 2), other.messages.claimDue('b', 30_000, 2)];
    const claims = (await Promise.all([...both, ...again])).flat();
    expect(new Set(claims.map(({ claimedBy }) => claimedBy)).size).toBe(1);
    expect(claims.map(({ key }) => key)).toContain(keys[0]);
    for (const key of keys) await store.messages.dead(key, 'x');
  }
});

test('keeping turns locks them in the order in which cards are drawn, so neither waits for the other for ever', async () => {
  const { database, store } = await openAlone('postgres');
  // Stored and claimed in the other order.
  for (const id of ['b', 'a']) {
    await store.operations.insert(newOperation({ id, state: 'approved' }), []);
    await store.turns.claim(id, 'p', 20_000);
  }
  await besideTransaction(database.url, {
    before: (cards) => cards.run("select id from operations where id = 'a' for update"),
    work: () => store.turns.keep('p', 60_000, ['b', 'a']),
    waitsAt: '%turn_owner',
    during: (cards) => cards.run("select id from operations where id = 'b' for update"),
  });
  const until = `select turn_until from operations where turn_until > ${Date.now() + 30_000}`;
  expect(await database.run(until)).toHaveLength(2);
});
