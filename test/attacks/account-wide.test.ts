import { expect, test } from 'vitest';
import { policySchema } from '../../src/core/policy/policy.ts';
import { pressAndSettle, requested } from '../engine/told.ts';
import { people } from '../support/bot/fake-slack.ts';
import { startTestBot } from '../support/bot/test-bot.ts';

// A grant on one server does not cover the account: snapshots, the private network, lists of names.

const can = ['read', 'operate', 'organize', 'destroy', 'spend', 'secrets', 'tickets'];
const narrow = policySchema.parse({
  grants: [{ to: [`user:${people.operator}`], can, on: ['order:34-12371'] }],
  rules: { destructive: 'confirm', dangerous: 'confirm' },
});
const onAll = policySchema.parse({ ...narrow, grants: [{ to: [`user:${people.operator}`], can }] });

const refused = [
  ['the snapshot of another server is restored onto ours', 'reinstall 34-12371 snapshot="web-1 before the upgrade"'],
  ['the same by its id', 'reinstall 34-12371 snapshot=1'],
  ['a name that is nearly right lists what there is', 'reinstall 34-12371 snapshot=web'],
  ['the names of all snapshots', 'catalog snapshots'],
  ['our server joins the private network of the account', 'network on 34-12371'],
  ['our server leaves it', 'network off 34-12371'],
  ['the private network is listed', 'net list'],
  ['the private network is made', 'net create'],
  ['the private network is deleted', 'net delete'],
  ['the SSH keys of the account are listed', 'ssh-key list'],
  ['a key of the account is linked to our server', 'ssh-key link 2 34-12371'],
  ['our server is installed with keys of the account', 'reinstall 34-12371 template=1 ssh_keys=default'],
  ['the address for comments in tickets is shown', 'ticket webhook'],
  ['a ticket about no order is opened', 'ticket open A B'],
  ['a project is made, or named by its twin', 'project create website'],
] as const;

test('with a grant on one server, a command on the whole account is refused', async () => {
  const bot = await startTestBot({ policy: narrow });
  for (const [what, line] of refused) {
    const before = bot.transcript().length;
    await bot.say('operator', line);
    const said = bot.transcript().slice(before);
    expect(said, what).toContain('here on order:34-12371, which does not include the account.');
  }
  await bot.settle();
  expect(bot.transcript()).not.toMatch(/before the upgrade — |Website|private network 1|Ada laptop|CI deploy/);
  expect(await bot.store.operations.list({ limit: 5 })).toEqual([]);
  expect(bot.writes()).toEqual([]);
});

test('with a grant on one server, a reinstall from a template is allowed: it uses nothing of the account', async () => {
  const bot = await requested('reinstall 34-12371 template="Debian 13"', { policy: narrow });
  expect(bot.story()).toContain('[Cancel]');
});

test('a snapshot of the account is not restored when the grant shrinks to one server while the card waits', async () => {
  const bot = await requested('reinstall 34-12371 snapshot=1', { policy: onAll });
  expect(bot.story()).toContain('[Cancel]');
  await bot.savePolicy('C0OPS', narrow, 1);
  await pressAndSettle(bot, 'operator', 'Confirm');
  expect(bot.story()).toContain('which does not include the account');
  expect(bot.writes()).toEqual([]);
});
