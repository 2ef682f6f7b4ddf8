import { expect, test } from 'vitest';
import { endings } from '../stories/endings.ts';
import { tellEach } from '../stories/in-room.ts';
import { openRoom } from '../support/room.ts';

// Each ending of an operation, as the channel reads it.

tellEach(endings);

test('expired: nobody approves in a day; in a quarter of an hour it is not', async () => {
  const room = await openRoom();
  await room.say('operator', 'hard-reset web-1');
  await room.settle();
  await room.pass(16 * 60_000);
  expect(room.story()).toContain('[waiting for approval]');
  await room.pass(24 * 3_600_000);
  await room.until(() => room.story().includes('[expired]'), 'the end of the day');
  await room.settle();
  expect(room.story()).toContain('    @operator expired: nobody approved it in time. Nothing was done.');
  expect(room.writes()).toEqual([]);
});

test('the provider is away while a job runs: it is waited for, and the end is told', async () => {
  const room = await openRoom({ jobMs: 60_000 });
  await room.say('operator', 'restart web-1');
  await room.press('operator', 'Confirm');
  await room.until(() => room.story().includes('accepted by the provider, job 812'));
  room.sim.fault({ kind: 'answer', status: 503, body: { detail: 'Maintenance.' } });
  const before = room.sim.requests().length;
  await room.until(() => room.sim.requests().length > before + 3, 'several looks in vain');
  room.sim.job({ pk: 812, state: 'done' });
  room.sim.clearFaults();
  await room.settle();
  expect(room.story()).toContain('@operator web-1 restarted');
});
