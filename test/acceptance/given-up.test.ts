import { expect, test } from 'vitest';
import { startSystem } from '../support/test-system.ts';

test('a request that two processes began and neither finished is reported as failed, and a third process does not begin it', async ({
  onTestFinished,
}) => {
  const system = await startSystem();
  onTestFinished(system.close);
  const { sim } = system.slack;
  const match = 'GET /vps/{order_id}/status/';
  system.provider.sim.fault({ kind: 'delay', match, ms: 600_000 });
  const looks = () => system.provider.sim.requests().filter(({ path }) => path.endsWith('/status/')).length;
  expect((await sim.say('operator', '#ops', '/host stop web-1')).error).toBeNull();

  for (let times = 1; times <= 2; times++) {
    await system.until(() => looks() === times, `process ${times} to work on it`);
    await system.crash();
  }
  await system.until(
    () => sim.transcript('dm', 'operator').includes('A request of yours failed (/host stop web-1)'),
    'the failure, told',
  );
  await system.settle();

  // The request of another person runs, and so would theirs.
  system.provider.sim.clearFaults();
  await sim.say('operator', '#ops', '/host stop web-1');
  await sim.waitFor('[Cancel]', { channel: '#ops' });
  expect(await system.store.operations.list({ limit: 10 })).toHaveLength(1);
  expect(sim.transcript('dm', 'operator').match(/A request of yours failed/g)).toHaveLength(1);
  expect(system.writes()).toEqual([]);
});
