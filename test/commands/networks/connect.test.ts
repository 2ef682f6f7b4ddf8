import { expect, test } from 'vitest';
import { netConnect } from '../../../src/commands/networks/connect.ts';
import { netDisconnect } from '../../../src/commands/networks/disconnect.ts';
import { openCommandRunner } from '../../support/run-command.ts';
import { planText } from '../../support/view-text.ts';
import { answer } from '../answer.ts';

const commands = [netConnect, netDisconnect];
const route = 'PATCH /vps/{order_id}/';

test('net connect connects a server with one write, and net disconnect disconnects it', async () => {
  const runner = await openCommandRunner({ commands });
  const planned = await runner.planOf('net connect web-1');
  expect(planText(planned.plan)).toContain('Now: Unknown: the API does not show whether a server is connected.');
  const { ending, note } = await runner.run(planned);
  expect(ending).toEqual({ text: 'web-1 connected to the private network', undo: 'net disconnect 34-12345' });
  expect(note).toBe('the provider answered: private network on');
  const back = await runner.runCommand(ending?.undo ?? '');
  expect(back.ending?.text).toBe('web-1 disconnected from the private network');
  expect(runner.writes()).toEqual([
    { request: 'PATCH /vps/34-12345/', body: { private_network_enabled: true } },
    { request: 'PATCH /vps/34-12345/', body: { private_network_enabled: false } },
  ]);
});

test('net connect is refused without a private network, and nothing is sent', async () => {
  const runner = await openCommandRunner({ commands, seed: { orders: 2 } });
  expect(await runner.refusalOf('net connect web-1')).toMatchObject({
    message: 'This account has no private network to connect to.',
    suggestions: [{ label: 'Create the network', command: 'net create' }],
  });
  expect((await runner.ask('net disconnect web-1')).kind).toBe('plan');
  expect(runner.writes()).toEqual([]);
});

test('a network that cannot be read is shown as unknown, and the request can be made', async () => {
  const runner = await openCommandRunner({ commands });
  runner.sim.fault(answer('GET /private-network/', 500, 'down'));
  const planned = await runner.planOf('net connect web-1');
  expect(planned.plan.details).toContainEqual(['Network', 'Unknown: it could not be read.']);
});

test('a response that says otherwise does not count as done', async () => {
  const runner = await openCommandRunner({ commands });
  runner.sim.fault(answer(route, 200, { private_network_enabled: false }));
  expect(await runner.runCommand('net connect web-1')).toMatchObject({
    end: 'unverified',
    note: 'the provider answered: private network off',
  });
});

test('right before the write, a server that changed since the approval is not connected', async () => {
  const runner = await openCommandRunner({ commands });
  const planned = await runner.planOf('net connect web-1');
  const step = planned.command.step(planned.plan.steps[0]?.data ?? null);
  await runner.provider.orders.update({ order_id: '34-12345', name: 'web-9' });
  await expect(step.recheckTarget({ reader: runner.provider } as never)).rejects.toThrow(
    'its name was web-1 and is web-9 now',
  );
});
