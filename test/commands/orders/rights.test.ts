import { expect, test } from 'vitest';
import { move } from '../../../src/commands/orders/move.ts';
import { rename } from '../../../src/commands/orders/rename.ts';
import { tag } from '../../../src/commands/orders/tag.ts';
import { type Policy, policySchema } from '../../../src/core/policy/policy.ts';
import { plain } from '../../../src/core/view/view.ts';
import { openCommandRunner } from '../../support/run-command.ts';

function openRunner(grants: Policy['grants']) {
  const policy = policySchema.parse({ grants });
  return openCommandRunner({
    commands: [rename, tag, move],
    bot: { policies: async () => new Map([['C1', policy]]) },
  });
}

test('adding a tag that lets people destroy a server has a higher risk than adding another tag', async () => {
  const { planOf } = await openRunner([
    { to: ['everyone'], can: ['organize'], on: ['all'] },
    { to: ['everyone'], can: ['destroy'], on: ['tag:scratch*'] },
  ]);
  const { raised, widens } = (await planOf('tag add web-1 scratch')).plan;
  expect(raised?.risk).toBe('dangerous');
  expect(plain(raised?.why ?? '')).toBe(
    'This changes who may do what: "everyone may destroy on tag:scratch*" here would come to include web-1.',
  );
  expect(widens?.map(({ channel, grants }) => [channel, ...grants.map(plain)])).toEqual([
    ['C1', expect.stringContaining('on tag:scratch')],
  ]);
  expect((await planOf('tag add web-1 blue')).plan.raised).toBeUndefined();
  expect((await planOf('tag remove web-1 web')).plan.raised).toBeUndefined();
});

test('a name or a project that opens rights has a higher risk, too', async () => {
  const { planOf } = await openRunner([
    { to: ['everyone'], can: ['operate'], on: ['order:dev-*'] },
    { to: ['everyone'], can: ['operate'], on: ['project:internal'] },
  ]);
  expect((await planOf('rename web-1 dev-9')).plan.raised?.risk).toBe('dangerous');
  expect((await planOf('rename web-1 web-9')).plan.raised).toBeUndefined();
  expect((await planOf('move web-1 Internal')).plan.raised?.risk).toBe('dangerous');
  expect((await planOf('move web-1 none')).plan.raised).toBeUndefined();
});

test('tag add asks again when a policy began to grant on the tag after the approval', async () => {
  let policy = policySchema.parse({});
  const { planOf, run } = await openCommandRunner({
    commands: [tag],
    bot: { policies: async () => new Map([['C1', policy]]) },
  });
  const planned = await planOf('tag add web-1 scratch');
  policy = policySchema.parse({ grants: [{ to: ['everyone'], can: ['destroy'], on: ['tag:scratch'] }] });
  expect((await run(planned)).end).toBe('changed');
});
