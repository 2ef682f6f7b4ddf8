import { expect, test } from 'vitest';
import { readerOf } from '../../src/provider/client.ts';
import { createInventory } from '../../src/provider/inventory.ts';
import { openProvider } from './open.ts';
import { type Answer, json, orderItem, serve } from './server.ts';

/** A provider with one order, whose lists count their reads and can be held back or broken. */
async function open() {
  const asked: string[] = [];
  let tag = 'before';
  let isBroken = false;
  let isDelayed = false;
  const delayed: (() => void)[] = [];
  const answer: Answer = (request, response) => {
    const path = request.url.split('?')[0] ?? '';
    asked.push(path);
    const results = path === '/orders/' ? [{ ...orderItem, tags: [tag] }] : [];
    const body = path === '/network/ip-address/' ? [] : { count: 1, next: null, results };
    const reply = isBroken ? json(500, { detail: 'down' }) : json(200, body);
    if (isDelayed) delayed.push(() => reply(request, response));
    else reply(request, response);
  };
  const server = await serve(answer);
  let nowMs = 1_000_000;
  const { provider } = openProvider(server.url);
  const inventory = createInventory(readerOf(provider), { now: () => nowMs, elapsed: () => nowMs });
  return {
    inventory,
    asked,
    later(ms: number) {
      nowMs += ms;
    },
    retag(to: string) {
      tag = to;
    },
    breakDown() {
      isBroken = true;
    },
    mend() {
      isBroken = false;
    },
    delay() {
      isDelayed = true;
    },
    /** From now on, the lists answer at once. */
    letThrough() {
      isDelayed = false;
    },
    release() {
      for (const reply of delayed.splice(0)) reply();
    },
    untilAsked: server.untilReceived,
  };
}

const everything = ['/dns/domain/', '/network/ip-address/', '/orders/', '/orders/ds/', '/orders/vps/', '/project/'];

test('orders that did not change at the provider are not parsed again', async () => {
  const { inventory, retag } = await open();
  const first = await inventory.read();
  const second = await inventory.read({ maxAgeMs: 0 });
  expect(second.orders).not.toBe(first.orders);
  expect(second.orders[0]).toBe(first.orders[0]);
  retag('after');
  const third = await inventory.read({ maxAgeMs: 0 });
  expect(third.orders[0]?.tags).toEqual(['after']);
});

test('many simultaneous callers share one reading, which is kept for 30 seconds', async () => {
  const { inventory, asked, later } = await open();
  expect(inventory.peek()).toBeUndefined();
  const [first, second] = await Promise.all([inventory.read(), inventory.read(), inventory.read()]);
  expect(asked.toSorted()).toEqual(everything);
  expect(first).toEqual(second);
  expect(first).toMatchObject({
    orders: [{ id: '34-12345' }],
    vps: [],
    ds: [],
    domains: [],
    projects: [],
    readAt: 1_000_000,
  });
  later(29_999);
  await inventory.read();
  expect(asked).toHaveLength(6);
  expect(inventory.peek()).toMatchObject({ readAt: 1_000_000, ageMs: 29_999 });
  later(1);
  expect((await inventory.read()).readAt).toBe(1_030_000);
  expect(asked).toHaveLength(12);
  later(500);
  await inventory.read({ maxAgeMs: 100 });
  expect(asked).toHaveLength(18);
});

test('one part of the inventory can be read without the others', async () => {
  const { inventory, asked } = await open();
  expect(await inventory.read({ only: ['domains'] })).toEqual({ domains: [], readAt: 1_000_000, error: undefined });
  expect(asked).toEqual(['/dns/domain/']);
  expect(inventory.peek()).toBeUndefined();
  expect(inventory.peek(['domains'])).toMatchObject({ domains: [] });
  await inventory.read();
  expect(asked.toSorted()).toEqual(everything);
});

test('after a write, the inventory in memory counts as old', async () => {
  const { inventory, asked, retag } = await open();
  await inventory.read({ only: ['orders', 'projects'] });
  retag('after');
  inventory.invalidate(['orders']);
  const after = await inventory.read({ only: ['orders', 'projects'] });
  expect(after.orders[0]?.tags).toEqual(['after']);
  expect(asked).toEqual(['/orders/', '/project/', '/orders/']);
});

test('a reading that was under way during a write does not count as new', async () => {
  const { inventory, asked, retag, delay, release, letThrough, untilAsked } = await open();
  delay();
  const before = inventory.read({ only: ['orders'] });
  await untilAsked(1);
  inventory.invalidate();
  const after = inventory.read({ only: ['orders'] });
  letThrough();
  release();
  expect((await before).orders[0]?.tags).toEqual(['before']);
  retag('after');
  expect((await after).orders[0]?.tags).toEqual(['after']);
  expect((await inventory.read({ only: ['orders'] })).orders[0]?.tags).toEqual(['after']);
  expect(asked).toHaveLength(2);
});

test('all callers who want the present state during a reading share the next reading', async () => {
  const { inventory, asked, later, retag, delay, release, letThrough, untilAsked } = await open();
  const now = { only: ['orders'], maxAgeMs: 0 } as const;
  delay();
  const first = inventory.read(now);
  await untilAsked(1);
  later(5);
  const crowd = Array.from({ length: 20 }, () => inventory.read(now));
  // A caller that accepts an older state gets the reading under way.
  const patient = inventory.read({ only: ['orders'], maxAgeMs: 5 });
  release();
  await Promise.all([first, patient]);
  retag('after');
  await untilAsked(2);
  letThrough();
  release();
  for (const { orders, readAt } of await Promise.all(crowd)) {
    expect(orders[0]?.tags).toEqual(['after']);
    expect(readAt).toBe(1_000_005);
  }
  expect((await patient).orders[0]?.tags).toEqual(['before']);
  expect(asked).toHaveLength(2);
});

test('a reading that fails does not fail the next one', async () => {
  const { inventory, breakDown, mend, delay, release, letThrough, untilAsked } = await open();
  delay();
  breakDown();
  const first = inventory.read({ only: ['orders'] });
  first.catch(() => {});
  await untilAsked(1);
  inventory.invalidate();
  const second = inventory.read({ only: ['orders'] });
  letThrough();
  release();
  mend();
  await expect(first).rejects.toMatchObject({ kind: 'unavailable' });
  expect((await second).orders).toHaveLength(1);
});

test('when the provider is offline, a caller who accepts the old state gets it with its age and the error', async () => {
  const { inventory, later, breakDown } = await open();
  await inventory.read();
  later(60_000);
  breakDown();
  await expect(inventory.read()).rejects.toMatchObject({ kind: 'unavailable', words: 'down' });
  const stale = await inventory.read({ staleOk: true });
  expect(stale).toMatchObject({ orders: [{ id: '34-12345' }], readAt: 1_000_000, error: { kind: 'unavailable' } });
  inventory.invalidate();
  expect(inventory.peek()).toMatchObject({ readAt: 1_000_000, ageMs: 60_000 });
});

test('the reading fails when the provider is offline and nothing was read yet', async () => {
  const { inventory, breakDown } = await open();
  breakDown();
  await expect(inventory.read({ staleOk: true })).rejects.toMatchObject({ kind: 'unavailable' });
});
