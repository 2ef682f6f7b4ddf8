import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createSlots } from '../../src/provider/slots.ts';

test('reads leave two slots to writes, and a waiting write goes before waiting reads', async () => {
  const slots = createSlots(4, new AbortController().signal);
  const order: string[] = [];
  const enter = async (effect: 'read' | 'write', name: string) => {
    const release = await slots.acquire(effect);
    order.push(name);
    return release;
  };
  const reads = [await enter('read', 'r1'), await enter('read', 'r2')];
  const third = enter('read', 'r3');
  const writes = [await enter('write', 'w1'), await enter('write', 'w2')];
  const late = enter('write', 'w3');
  await sleep(1);
  expect(order).toEqual(['r1', 'r2', 'w1', 'w2']);
  reads[0]?.();
  const lateRelease = await late;
  expect(order.at(-1)).toBe('w3');
  // One slot is free again: it is kept for a write.
  writes[0]?.();
  await sleep(1);
  expect(order).not.toContain('r3');
  writes[1]?.();
  lateRelease();
  (await third)();
  expect(order.at(-1)).toBe('r3');
});

test('writes go first, then pages of lists, then other reads, and then the calls for which no person waits', async () => {
  const slots = createSlots(1, new AbortController().signal);
  const order: string[] = [];
  const enter = async (lane: Parameters<typeof slots.acquire>[0]) => {
    const release = await slots.acquire(lane);
    order.push(lane);
    release();
  };
  const first = await slots.acquire('read');
  const waiting = (['later read', 'later write', 'read', 'page', 'write', 'page'] as const).map(enter);
  first();
  await Promise.all(waiting);
  expect(order).toEqual(['write', 'page', 'page', 'read', 'later write', 'later read']);
});

test('a caller who gives up leaves the queue, and nobody gets a slot after it is closed', async () => {
  const closing = new AbortController();
  const slots = createSlots(1, closing.signal);
  const release = await slots.acquire('read');
  const signal = AbortSignal.abort(new Error('too late'));
  await expect(slots.acquire('write', signal)).rejects.toThrow('too late');
  const waits = slots.acquire('write');
  closing.abort(new Error('stopping'));
  await expect(waits).rejects.toThrow('stopping');
  release();
  await expect(slots.acquire('read')).rejects.toThrow('stopping');
});
