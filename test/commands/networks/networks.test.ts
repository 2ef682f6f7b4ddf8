import { expect, test } from 'vitest';
import { openCommandRunner } from '../../support/run-command.ts';
import { planText, viewText } from '../../support/view-text.ts';
import { commandsCalled } from '../commands-called.ts';

const openRunner = (more: Partial<Parameters<typeof openCommandRunner>[0]> = {}) =>
  openCommandRunner({ commands: commandsCalled('net'), ...more });

test('net list shows the private network of the account, and says what the API does not report', async () => {
  const { viewOf } = await openRunner();
  expect(viewText(await viewOf('net list'))).toMatchInlineSnapshot(`
    "The account has private network 1. There is one per account.
    · The API does not report which servers are connected. /host net connect connects one.
    [Connect… → form net connect] [Disconnect… → form net disconnect] [Locations → net locations] [Delete… → net delete]"
  `);
  expect(viewText(await viewOf('net locations'))).toContain('\nNetherlands │ nl\n· 2 locations');
});

test('net create is refused when there is a private network, and net delete of an unknown id', async () => {
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

test('the private network is deleted and created, with one write each', async () => {
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
