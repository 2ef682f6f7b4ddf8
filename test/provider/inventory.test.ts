import { expect, test } from 'vitest';
import { readerOf } from '../../src/provider/client.ts';
import { createInventory, parts } from '../../src/provider/inventory.ts';
import { openAt } from './open.ts';
import { json, orderItem } from './server.ts';

/** A provider with one order, whose lists count their reads; the state holds them back or breaks them. */
async function open() {
  const asked: string[] = [];
  const state = { tag: 'before', isBroken: false, isDelayed: false, nowMs: 1_000_000 };
  const delayed: (() => void)[] = [];
  const { server, provider } = await openAt((request, response) => {
    const path = request.url.split('?')[0] ?? '';
    asked.push(path);
    const results = path === '/orders/' ? [{ ...orderItem, tags: [state.tag] }] : [];
    const body = path === '/network/ip-address/' ? [] : { count: 1, next: null, results };
    const reply = state.isBroken ? json(500, { detail: 'down' }) : json(200, body);
    if (state.isDelayed) delayed.push(() => reply(request, response));
    else reply(request, response);
  });
  const now = () => state.nowMs;
  const inventory = createInventory(readerOf(provider), { now, elapsed: now });
  const release = () => {
    for (const reply of delayed.splice(0)) reply();
  };
  return { inventory, asked, state, release, untilAsked: server.untilReceived };
}

const everything = ['/dns/domain/', '/network/ip-address/', '/orders/', '/orders/ds/', '/orders/vps/', '/project/'];

test('orders that did not change at the provider are not parsed again', async () => {
  const { inventory, state } = await open();
  const first = await inventory.read(parts);
  const second = await inventory.read(parts, { maxAgeMs: 0 });
  expect(second.orders).not.toBe(first.orders);
  expect(second.orders[0]).toBe(first.orders[0]);
  state.tag = 'after';
  const third = await inventory.read(parts, { maxAgeMs: 0 });
  expect(third.orders[0]?.tags).toEqual(['after']);
});

test('many simultaneous callers share one reading, which is kept for 30 seconds', async () => {
  const { inventory, asked, state } = await open();
  expect(inventory.peek(parts)).toBeUndefined();
  const [first, second] = await Promise.all([inventory.read(parts), inventory.read(parts), inventory.read(parts)]);
  expect(asked.toSorted()).toEqual(everything);
  expect(first).toEqual(second);
  const none = { vps: [], ds: [], domains: [], projects: [] };
  expect(first).toMatchObject({ orders: [{ id: '34-12345' }], ...none, readAt: 1_000_000 });
  state.nowMs += 29_999;
  await inventory.read(parts);
  expect(asked).toHaveLength(6);
  expect(inventory.peek(parts)).toMatchObject({ readAt: 1_000_000 });
  state.nowMs += 1;
  expect((await inventory.read(parts)).readAt).toBe(1_030_000);
  expect(asked).toHaveLength(12);
  state.nowMs += 500;
  await inventory.read(parts, { maxAgeMs: 100 });
  expect(asked).toHaveLength(18);
});

test('one part of the inventory can be read without the others', async () => {
  const { inventory, asked } = await open();
  expect(await inventory.read(['domains'])).toEqual({ domains: [], readAt: 1_000_000, error: undefined });
  expect(asked).toEqual(['/dns/domain/']);
  expect(inventory.peek(parts)).toBeUndefined();
  expect(inventory.peek(['domains'])).toMatchObject({ domains: [] });
  await inventory.read(parts);
  expect(asked.toSorted()).toEqual(everything);
});

test('after a write, the inventory in memory counts as old', async () => {
  const { inventory, asked, state } = await open();
  await inventory.read(['orders', 'projects']);
  state.tag = 'after';
  inventory.invalidate();
  const after = await inventory.read(['orders', 'projects']);
  expect(after.orders[0]?.tags).toEqual(['after']);
  expect(asked).toEqual(['/orders/', '/project/', '/orders/', '/project/']);
});

test('a reading that was under way during a write does not count as new', async () => {
  const { inventory, asked, state, release, untilAsked } = await open();
  state.isDelayed = true;
  const before = inventory.read(['orders']);
  await untilAsked(1);
  inventory.invalidate();
  const after = inventory.read(['orders']);
  state.isDelayed = false;
  release();
  expect((await before).orders[0]?.tags).toEqual(['before']);
  state.tag = 'after';
  expect((await after).orders[0]?.tags).toEqual(['after']);
  expect((await inventory.read(['orders'])).orders[0]?.tags).toEqual(['after']);
  expect(asked).toHaveLength(2);
});

test('all callers who want the present state during a reading share the next reading', async () => {
  const { inventory, asked, state, release, untilAsked } = await open();
  const present = () => inventory.read(['orders'], { maxAgeMs: 0 });
  state.isDelayed = true;
  const first = present();
  await untilAsked(1);
  state.nowMs += 5;
  const crowd = Array.from({ length: 20 }, () => present());
  // A caller that accepts an older state gets the reading under way.
  const patient = inventory.read(['orders'], { maxAgeMs: 5 });
  release();
  await Promise.all([first, patient]);
  state.tag = 'after';
  await untilAsked(2);
  state.isDelayed = false;
  release();
  for (const { orders, readAt } of await Promise.all(crowd)) {
    expect(orders[0]?.tags).toEqual(['after']);
    expect(readAt).toBe(1_000_005);
  }
  expect((await patient).orders[0]?.tags).toEqual(['before']);
  expect(asked).toHaveLength(2);
});

test('a reading that fails does not fail the next one', async () => {
  const { inventory, state, release, untilAsked } = await open();
  state.isDelayed = true;
  state.isBroken = true;
  const first = inventory.read(['orders']);
  first.catch(() => {});
  await untilAsked(1);
  inventory.invalidate();
  const second = inventory.read(['orders']);
  state.isDelayed = false;
  release();
  state.isBroken = false;
  await expect(first).rejects.toMatchObject({ kind: 'unavailable' });
  expect((await second).orders).toHaveLength(1);
});

test('when the provider is offline, a caller who accepts the old state gets it with its age and the error', async () => {
  const { inventory, state } = await open();
  state.isBroken = true;
  await expect(inventory.read(parts, { staleOk: true })).rejects.toMatchObject({ kind: 'unavailable' });
  state.isBroken = false;
  await inventory.read(parts);
  state.nowMs += 60_000;
  state.isBroken = true;
  await expect(inventory.read(parts)).rejects.toMatchObject({ kind: 'unavailable', words: 'down' });
  const stale = await inventory.read(parts, { staleOk: true });
  expect(stale).toMatchObject({ orders: [{ id: '34-12345' }], readAt: 1_000_000, error: { kind: 'unavailable' } });
  inventory.invalidate();
  expect(inventory.peek(parts)).toMatchObject({ readAt: 1_000_000 });
});
