import { expect, test } from 'vitest';
import { netCreate } from '../../../src/commands/networks/create.ts';
import { netDelete } from '../../../src/commands/networks/delete.ts';
import { netList } from '../../../src/commands/networks/list.ts';
import { netLocations } from '../../../src/commands/networks/locations.ts';
import { openCommandRunner } from '../../support/run-command.ts';
import { planText, viewText } from '../../support/view-text.ts';

const openRunner = (more: Partial<Parameters<typeof openCommandRunner>[0]> = {}) =>
  openCommandRunner({ commands: [netList, netLocations, netCreate, netDelete], ...more });

test('net list shows the private network of the account, and says what the API does not report', async () => {
  const { viewOf } = await openRunner();
  expect(viewText(await viewOf('net list'))).toMatchInlineSnapshot(`
    "The account has private network 1. There is one per account.
    · The API does not report which servers are connected. /host net connect connects one.
    [Connect… → form net connect] [Disconnect… → form net disconnect] [Locations → net locations] [Delete… → net delete]"
  `);
  expect(viewText(await viewOf('net locations'))).toMatchInlineSnapshot(`
    "Place │ Code
    Germany │ de
    Netherlands │ nl
    · 2 locations"
  `);
});

test('net create is refused without a write when there is a private network', async () => {
  const { refusalOf, writes } = await openRunner();
  expect(await refusalOf('net create')).toMatchObject({
    reason: 'impossible',
    message: 'The account has a private network already (1); there is one per account.',
  });
  expect(writes()).toEqual([]);
});

test('the private network is deleted and created, with one write each', async () => {
  const { planOf, run, runCommand, viewOf, writes } = await openRunner();
  const planned = await planOf('net delete');
  expect(planText(planned.plan)).toMatchInlineSnapshot(`
    "Delete private network 1
      private network 1
      Effect: The private network is deleted. Servers then reach each other over public addresses only.
      Servers: Connected servers lose the network at once. The provider does not show which are connected."
  `);
  expect(planned.command.risk).toBe('dangerous');
  expect(await run(planned)).toMatchObject({
    end: 'done',
    ending: { text: 'private network 1 deleted' },
    note: 'private network 1 is no longer in the list',
  });
  expect((await planOf('net delete')).plan.nothingToDo).toBe('The account has no private network.');
  expect(viewText(await viewOf('net list'))).toMatchInlineSnapshot(`
    "The account has no private network.
    [Create → net create] [Locations → net locations]"
  `);
  expect(await runCommand('net create')).toMatchObject({
    end: 'done',
    ending: { text: 'private network created' },
    note: 'the private network is in the list',
  });
  expect(writes().map((write) => write.request)).toEqual(['DELETE /private-network/1/', 'POST /private-network/']);
});

test('net delete of an unknown id is refused with the known ids', async () => {
  const { refusalOf } = await openRunner();
  expect(await refusalOf('net delete 7')).toMatchObject({
    message: 'There is no private network 7.',
    hint: 'The account has: 1.',
    field: 'network',
  });
});

test('after a lost response the networks are read, and a refusal of the provider is quoted', async () => {
  const { sim, runCommand, writes } = await openRunner();
  await runCommand('net delete');
  sim.fault({
    kind: 'answer',
    match: 'POST /private-network/',
    status: 400,
    body: { non_field_errors: ['The account already has a private network.'] },
    times: 1,
  });
  expect((await runCommand('net create')).note).toContain('The account already has a private network.');
  sim.fault({ kind: 'lose', match: 'POST /private-network/' });
  expect(await runCommand('net create')).toMatchObject({ end: 'done', note: 'the private network is in the list' });
  expect(writes()).toHaveLength(3);
});
