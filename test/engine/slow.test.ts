import { expect, test } from 'vitest';
import { usualPolicy } from '../support/policy.ts';
import { openRoom } from '../support/room.ts';
import { opsGroup } from '../support/workspace.ts';

const status = 'GET /vps/{order_id}/status/';

test('a request that takes minutes is worked on once: nobody takes it for left over', async () => {
  const room = await openRoom({ headersTimeoutMs: 10_000 });
  room.sim.fault({ kind: 'delay', match: status, ms: 2_000, times: 1 });
  room.sim.clearRequests();
  const asking = room.say('operator', 'restart web-1', { replica: 0 });
  const reads = () => room.sim.requests().filter(({ route }) => route === status);
  await room.until(() => reads().length === 1, 'the plan to be made');
  for (let round = 0; round < 4; round += 1) {
    room.skip(40_000);
    for (const replica of room.replicas) await replica.sweep();
  }
  expect(reads()).toHaveLength(1);
  await asking;
  await room.settle();
  expect(reads()).toHaveLength(1);
  expect(room.story()).toContain('Restart web-1');
});

const pictures = async (room: Awaited<ReturnType<typeof openRoom>>) => {
  const [operation] = await room.store.operations.list({ limit: 1 });
  const row = await room.store.messages.find(`card:${operation?.id}`);
  return { state: operation?.state, drawn: row?.wanted };
};

test('what makes no job is read back within the turn: its card is drawn when it starts and when it is done', async () => {
  const room = await openRoom({ pace: 10, policy: { ...usualPolicy(opsGroup), rules: { routine: 'none' } } });
  await room.say('operator', 'rename mail-1 mail-9');
  await room.settle();
  expect(await pictures(room)).toEqual({ state: 'done', drawn: 2 });
});

test('a reading that takes long is told as one, and the turn does not wait for it', async () => {
  const room = await openRoom({ pace: 1, policy: { ...usualPolicy(opsGroup), rules: { routine: 'none' } } });
  room.sim.fault({ kind: 'delay', match: 'GET /orders/{order_id}/', ms: 700 });
  await room.say('operator', 'rename mail-1 mail-9');
  await room.until(() => room.transcript().includes('verifying'), 'the card to say so');
  await room.settle();
  expect(await pictures(room)).toEqual({ state: 'done', drawn: 3 });
});
