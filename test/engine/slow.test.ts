import { expect, test } from 'vitest';
import { openRoom } from '../support/room.ts';

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
