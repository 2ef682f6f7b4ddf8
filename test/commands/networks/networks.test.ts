import { expect } from 'vitest';
import { planText, viewText } from '../../support/bot/view-text.ts';
import { answer } from '../answer.ts';
import { testsOf } from '../commands-called.ts';

const { openRunner, test } = testsOf('net');

test('net list shows the private network of the account, and says what the API does not report', async ({ viewOf }) => {
  expect(viewText(await viewOf('net list'))).toMatchInlineSnapshot(`
    "The account has private network 1. There is one per account.
    · The API does not report which servers are connected. /host net connect connects one.
    [Connect… → form net connect] [Disconnect… → form net disconnect] [Locations → net locations] [Delete… → net delete]"
  `);
  expect(viewText(await viewOf('net locations'))).toContain('\nNetherlands │ nl\n· 2 locations');
});

test('net create is refused beside a private network, net delete of an unknown id', async () => {
  const { refusalOf, writes } = await openRunner();
  expect(await refusalOf('net create')).toMatchObject({
    reason: 'impossible',
    message: 'The account has a private network already (1); there is one per account.',
  });
  expect(await refusalOf('net delete 7')).toMatchObject({
    message: 'There is no private network 7.',
    hint: 'The account has: 1.',
    field: 'network',
  });
  expect(writes()).toEqual([]);
});

test('the private network is deleted and created, one write each', async () => {
  const { planOf, run, runCommand, viewOf, writes } = await openRunner();
  const planned = await planOf('net delete');
  expect(planText(planned.plan)).toContain(
    'Servers: Connected servers lose the network at once. The provider does not',
  );
  expect(planned.command.risk).toBe('dangerous');
  expect((await run(planned)).ending?.text).toBe('private network 1 deleted');
  expect(viewText(await viewOf('net list'))).toMatch(/^The account has no private network\.\n\[Create → net create\]/);
  expect((await runCommand('net create')).ending?.text).toBe('private network created');
  expect(writes().map((write) => write.request)).toEqual(['DELETE /private-network/1/', 'POST /private-network/']);
});

const route = 'PATCH /vps/{order_id}/';

test('net connect connects a server with one write, and net disconnect disconnects it', async ({ runner }) => {
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
  const runner = await openRunner({ seed: { orders: 2 } });
  expect(await runner.refusalOf('net connect web-1')).toMatchObject({
    message: 'This account has no private network to connect to.',
    suggestions: [{ label: 'Create the network', command: 'net create' }],
  });
  expect((await runner.ask('net disconnect web-1')).kind).toBe('plan');
  expect(runner.writes()).toEqual([]);
});

test('a network that cannot be read is shown as unknown, and the request can be made', async ({ runner }) => {
  runner.sim.fault(answer('GET /private-network/', 500, 'down'));
  const planned = await runner.planOf('net connect web-1');
  expect(planned.plan.details).toContainEqual(['Network', 'Unknown: it could not be read.']);
});

test('a response that says otherwise does not count as done', async ({ runner }) => {
  runner.sim.fault(answer(route, 200, { private_network_enabled: false }));
  const ran = await runner.runCommand('net connect web-1');
  expect(ran).toMatchObject({ end: 'unverified', note: 'the provider answered: private network off' });
});

test('right before the write, a server that changed since the approval is not connected', async ({ runner }) => {
  const planned = await runner.planOf('net connect web-1');
  const step = planned.command.step(planned.plan.steps[0]?.data ?? null);
  await runner.provider.orders.update({ order_id: '34-12345', name: 'web-9' });
  await expect(step.recheckTarget({ reader: runner.provider } as never)).rejects.toThrow(
    'its name was web-1 and is web-9 now',
  );
});
