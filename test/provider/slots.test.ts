import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { createSlots } from '../../src/provider/slots.ts';
import { errorOf, openAt, powerOn, server34 } from './open.ts';
import { job, json, oneByOne } from './server.ts';

const never = new AbortController().signal;
const turn = () => new Promise((resolve) => setImmediate(resolve));

test('reads leave two slots to writes, and a waiting write goes before waiting reads', async () => {
  const acquire = createSlots(4, never);
  const order: string[] = [];
  const enter = async (effect: 'read' | 'write', name: string) => {
    const release = await acquire(effect);
    order.push(name);
    return release;
  };
  const reads = [await enter('read', 'r1'), await enter('read', 'r2')];
  const third = enter('read', 'r3');
  const writes = [await enter('write', 'w1'), await enter('write', 'w2')];
  const late = enter('write', 'w3');
  await turn();
  expect(order).toEqual(['r1', 'r2', 'w1', 'w2']);
  reads[0]?.();
  const lateRelease = await late;
  expect(order.at(-1)).toBe('w3');
  // One slot is free again: it is kept for a write.
  writes[0]?.();
  await turn();
  expect(order).not.toContain('r3');
  writes[1]?.();
  lateRelease();
  (await third)();
  expect(order.at(-1)).toBe('r3');
});

test('writes go first, then pages of lists, then other reads, and then the calls for which no person waits', async () => {
  const acquire = createSlots(1, never);
  const order: string[] = [];
  const enter = async (lane: Parameters<typeof acquire>[0]) => {
    const release = await acquire(lane);
    order.push(lane);
    release();
  };
  const first = await acquire('read');
  const waiting = (['later read', 'later write', 'read', 'page', 'write', 'page'] as const).map(enter);
  first();
  await Promise.all(waiting);
  expect(order).toEqual(['write', 'page', 'page', 'read', 'later write', 'later read']);
});

test('a caller who gives up leaves the queue, and nobody gets a slot after it is closed', async () => {
  const closing = new AbortController();
  const acquire = createSlots(1, closing.signal);
  const release = await acquire('read');
  const signal = AbortSignal.abort(new Error('too late'));
  await expect(acquire('write', signal)).rejects.toThrow('too late');
  const waits = acquire('write');
  closing.abort(new Error('stopping'));
  await expect(waits).rejects.toThrow('stopping');
  release();
  await expect(acquire('read')).rejects.toThrow('stopping');
});

test('a signal that lives longer than its calls keeps no listener', async () => {
  const caller = new AbortController();
  const listeners = () => getEventListeners(caller.signal, 'abort').length;
  const { provider } = await openAt(powerOn);
  for (let n = 0; n < 3; n += 1) await provider.vps.status(server34, { signal: caller.signal });
  expect(listeners()).toBe(0);
  const acquire = createSlots(1, never);
  const release = await acquire('write');
  const next = acquire('write', caller.signal);
  expect(listeners()).toBe(1);
  release();
  (await next)();
  expect(listeners()).toBe(0);
  const holds = await acquire('write');
  const givesUp = acquire('write', caller.signal);
  caller.abort(new Error('enough'));
  await expect(givesUp).rejects.toThrow('enough');
  // A caller who gave up takes no free slot.
  holds();
  (await acquire('write'))();
});

test('at most six reads of a provider are under way, a write is sent beside them, and reads are sent in their order', async () => {
  const open: (() => void)[] = [];
  const { server, provider } = await openAt((request, response) => {
    if (request.method === 'POST') json(200, job)(request, response);
    else open.push(() => powerOn(request, response));
  });
  const calls = Array.from({ length: 12 }, (_, index) => provider.vps.status({ order_id: `34-${10000 + index}` }));
  await server.untilReceived(6);
  // A seventh read would have arrived before this write.
  await provider.vps.restart(server34);
  expect(server.received.map(({ method }) => method)).toEqual([...Array.from({ length: 6 }, () => 'GET'), 'POST']);
  for (const count of [8, 9, 10, 11, 12, 13]) {
    open.shift()?.();
    await server.untilReceived(count);
  }
  const late = [6, 7, 8, 9, 10, 11].map((index) => `/vps/34-${10000 + index}/status/`);
  expect(server.received.slice(7).map(({ url }) => url)).toEqual(late);
  for (const answer of open) answer();
  await Promise.all(calls);
});

test('the next page of a list does not wait behind all reads of one thing', async () => {
  const { server, provider } = await openAt(
    (request, response) => {
      const page = { count: 2, next: request.url.includes('page=2') ? null : '/orders/?page=2', results: [] };
      (request.url.startsWith('/orders/') ? json(200, page) : powerOn)(request, response);
    },
    { maxUnderWay: 1 },
  );
  const power = () => provider.vps.status(server34);
  await Promise.all([provider.orders.list(), power(), power(), power()]);
  const urls = server.received.map(({ url }) => url.replace(/\?.*(page=\d)$/, ' $1')).slice(0, 4);
  expect(urls).toEqual(['/orders/?page_size=100', '/vps/34-12345/status/', '/orders/ page=2', '/vps/34-12345/status/']);
});

test('a caller who gives up in the queue has sent nothing; the write of a caller who gives up after sending is lost', async () => {
  const { server, provider } = await openAt(() => {}, { maxUnderWay: 1 });
  const [first, second] = [new AbortController(), new AbortController()];
  const out = errorOf(provider.vps.restart(server34, { signal: first.signal }));
  const queued = errorOf(provider.vps.restart(server34, { signal: second.signal }));
  await server.untilReceived(1);
  second.abort();
  expect(await queued).toMatchObject({ kind: 'unavailable', words: 'not sent: the caller gave up waiting' });
  first.abort();
  expect(await out).toMatchObject({ kind: 'lost', words: 'the caller gave up waiting' });
  expect(server.received).toHaveLength(1);
});

test('a single slot serves reads and writes, is free after a call succeeded or failed, and is used by a write that holds it', async () => {
  const answers = oneByOne(powerOn, json(404, { detail: 'Not found.' }), powerOn, json(200, job));
  const { provider, transport } = await openAt(answers, { maxUnderWay: 1 });
  await provider.vps.status(server34);
  await errorOf(provider.vps.status(server34));
  expect(await provider.vps.status(server34)).toEqual({ status: 'on' });
  const release = await transport.takeWriteSlot();
  expect(await provider.vps.restart(server34, { hasSlot: true })).toMatchObject({ pk: 812 });
  release();
  expect(await provider.vps.restart(server34)).toMatchObject({ pk: 812 });
});
