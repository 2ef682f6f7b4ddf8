import { expect, test } from 'vitest';
import { keyBody } from '../../../sandbox/provider/seed/ssh-keys.ts';
import { sshKeyList } from '../../../src/commands/ssh-keys/account-keys.ts';
import { emptyAccount } from '../../../src/core/account/account.ts';
import { makeOrder } from '../../core/support.ts';
import { formIn, suggested } from '../../engine/told.ts';
import { granting } from '../../support/bot/policy.ts';
import { startTestBot, type TestBot } from '../../support/bot/test-bot.ts';
import { planText, viewText } from '../../support/bot/view-text.ts';
import { openerOf } from '../commands-called.ts';

const drive = openerOf('ssh-key');
const body = keyBody('ssh-ed25519', 'eve');
const eve = `ssh-key add "Eve desk" ssh-ed25519 ${body} eve@desk`;

test('keys are listed by fingerprint and comment, never in full', async () => {
  const { viewOf } = await drive();
  const list = viewText(await viewOf('ssh-key list'));
  expect(list).toMatchInlineSnapshot(`
    "Title │ Fingerprint │ Linked to
    Ada laptop · default │ SHA256:A2xaug904sRjhefvsAXLPVMQdy3CoWa65ec8pFwTQvo │ 12 of 12 servers
    CI deploy │ SHA256:RqnlZBKAUDqpk9D6AMYMJbjjy9f/rZ7U4CBamVKdjVI │ 4 of 12 servers
    Old workstation │ SHA256:zBw06edjYmPuBwIE9GqwJtfeLEJwimlDgh72I8ZEZI4 │ 0 of 12 servers
    [Show one in full ▾ [Ada laptop → ssh-key show 1] [CI deploy → ssh-key show 2] [Old workstation → ssh-key show 3]]
    · 3 SSH keys
    [Add a key… → form ssh-key add] [Remove a key… → form ssh-key remove]"
  `);
  expect(list).not.toContain(keyBody('ssh-ed25519', 'Ada laptop').slice(20));
  expect(viewText(await viewOf('ssh-key show ci'))).toContain('\nLinked to: staging-1, web-1, web-2 and web-3\n');
  expect(viewText(await viewOf('ssh-key list db-1'))).toContain('which it holds now cannot be read');
});

test('the keys of the account need a grant on the account, and those of a server a grant on the server', async () => {
  const { viewOf, planOf } = await drive();
  const account = { account: { ...emptyAccount, orders: [makeOrder('34-12345', 'web-1')] }, maySee: () => true };
  const kindsOf = (raw: Record<string, string[]>) => sshKeyList.prepare(raw, account).targets.map(({ kind }) => kind);
  expect(kindsOf({})).toEqual(['account']);
  expect(kindsOf({ server: ['web-1'] })).toEqual(['order']);
  for (const line of [eve, 'ssh-key remove 1', 'ssh-key link 2 db-1', 'ssh-key unlink 2 web-1'])
    expect(
      (await planOf(line)).targets.map(({ kind }) => kind),
      line,
    ).toContain('account');
  expect(viewText(await viewOf('ssh-key list web-1'))).toContain('CI deploy');
});

test('ssh-key add says that the key is linked to all servers, verifies it, and can be undone', async () => {
  const { planOf, run, runCommand: does, writes, sim } = await drive();
  const planned = await planOf(eve);
  const said = planText(planned.plan);
  expect(said).toMatchInlineSnapshot(`
    "Add the SSH key Eve desk
      Eve desk · ssh-ed25519, 256 bits · SHA256:wUBW19XEQvYUrbZ9d0F4mRtiKZOrrtkMo1zsEtfSiK4 · eve@desk
      Effect: The provider links the key to all 12 servers of the account. Anybody who holds it can log in to each of them once it is installed again.
      Default: No
      Written: Only when a server is created or reinstalled. Running servers are not changed."
  `);
  expect(said).not.toContain(body);
  expect(planned.command).toMatchObject({ capability: 'secrets', risk: 'dangerous' });
  const ran = await run(planned);
  expect(ran).toMatchObject({ end: 'done', note: 'key 4 is in the account; linked to 12 of the 12 servers read' });
  const sent = { key: `ssh-ed25519 ${body} eve@desk`, title: 'Eve desk', default: false };
  expect(writes()).toEqual([{ request: 'POST /ssh_keys/', body: sent }]);
  expect((await planOf(`ssh-key add other ssh-ed25519 ${body}`)).plan.nothingToDo).toBe(
    'This key is in the account already, as Eve desk (key 4).',
  );
  expect(await does(ran.ending?.undo ?? '')).toMatchObject({ end: 'done' });
  expect(sim.state().sshKeys.map(({ title }) => title)).not.toContain('Eve desk');
});

test('a private or damaged key is refused without being quoted, and nothing is sent', async () => {
  const { refusalOf, writes } = await drive();
  const secret = 'b3BlbnNzaC1rZXktdjEAAAAA';
  const refusal = await refusalOf(`ssh-key add mine "-----BEGIN OPENSSH PRIVATE KEY----- ${secret}"`);
  expect(refusal).toMatchObject({ field: 'key', message: 'This is a private key, not a public one.' });
  expect(JSON.stringify([refusal.message, refusal.hint])).not.toContain(secret);
  expect((await refusalOf(`ssh-key add mine ssh-ed25519 ${body.slice(4)}`)).message).toContain('damaged');
  expect(writes()).toEqual([]);
});

test('after a lost request the bot does not find the key by its fingerprint', async () => {
  const { sim, runCommand: does, writes } = await drive();
  sim.fault({ kind: 'drop', match: 'POST /ssh_keys/' });
  const other = keyBody('ssh-ed25519', 'mallory');
  expect(await does(`ssh-key add M ssh-ed25519 ${other}`)).toMatchObject({ end: 'failed' });
  expect(writes()).toHaveLength(1);
});

test('the undo of ssh-key remove adds the key again, with its default', async () => {
  const { planOf, run, runCommand: does, sim } = await drive();
  const planned = await planOf('ssh-key remove "ada laptop"');
  expect(planText(planned.plan)).toContain(
    'Stays: On every machine it was written to. Remove it there from ~/.ssh/authorized_keys.',
  );
  const { ending } = await run(planned);
  expect(sim.state().orders.some(({ vps }) => vps?.sshKeys.includes(1))).toBe(false);
  expect(await does(ending?.undo ?? '')).toMatchObject({ end: 'done' });
  expect(sim.state().sshKeys.at(-1)).toMatchObject({ title: 'Ada laptop', isDefault: true });
});

test('ssh-key link links the servers that lack the key, and its undo unlinks them', async () => {
  const { planOf, run, runCommand: does, writes } = await drive();
  const planned = await planOf('ssh-key link "CI deploy" web-1,db-1');
  expect(planned.plan).toMatchObject({ title: 'Link the SSH key CI deploy to db-1' });
  expect(planned.plan.details).toContainEqual(['Left out', 'web-1: linked already']);
  const { end, ending, note } = await run(planned);
  expect({ end, note }).toEqual({ end: 'done', note: 'CI deploy is linked to db-1' });
  expect(await does(ending?.undo ?? '')).toMatchObject({ end: 'done', note: 'CI deploy is not linked to db-1' });
  const sent = writes().map(({ request }) => request);
  expect(sent).toEqual(['POST /vps/34-12346/ssh_keys/add/', 'POST /vps/34-12346/ssh_keys/delete/']);
});

test('a list of keys that cannot be read does not count as empty', async () => {
  const { sim, refusalOf, planOf } = await drive();
  sim.fault({ kind: 'answer', match: 'GET /vps/{order_id}/ssh_keys/', only: '34-12346', status: 403, body: {} });
  expect(await refusalOf('ssh-key link 2 db-1')).toMatchObject({ reason: 'unavailable' });
  const { plan } = await planOf('ssh-key remove 3');
  expect(plan.details).toContainEqual(['Linked to', 'no server; 1 of 12 servers could not be read']);
});

// The forms of `create` and `reinstall` offer the keys of the account, by title and fingerprint.

async function offered(bot: TestBot, line: string) {
  let form = await bot.open('operator', { line });
  const pages = [{ hardware: 'plan', plan: ['Cloud NVMe 2'] }, { template: ['Debian 13'] }];
  for (const values of line === 'create' ? pages : []) {
    const answer = await bot.submit('operator', form, values);
    if (answer.kind !== 'next') throw new Error(JSON.stringify(answer));
    form = answer.form;
  }
  const field = formIn(form).fields.find(({ name }) => name === 'ssh_keys');
  expect(field).toMatchObject({ widget: 'search', source: 'ssh-keys-or-default', many: true, optional: true });
  return suggested(bot, 'operator', form, 'ssh-keys-or-default');
}

test.each(['create', 'reinstall web-1'])('the form of %s offers keys and "default", and none in full', async (line) => {
  const bot = await startTestBot();
  const all = await offered(bot, line);
  expect(all.map(({ label }) => label)).toEqual([
    expect.stringContaining('default'),
    expect.stringContaining('Ada laptop'),
    expect.stringContaining('CI deploy'),
    expect.stringContaining('Old workstation'),
  ]);
  expect(JSON.stringify(all)).toContain('SHA256:');
  expect(JSON.stringify(all)).not.toContain(keyBody('ssh-ed25519', 'Ada laptop').slice(24));
});

test('the names of keys are offered only for a grant on the whole account', async () => {
  const policy = granting({ everyone: 'read destroy spend on order:web-*' });
  const bot = await startTestBot({ policy });
  expect(await offered(bot, 'reinstall web-1')).toEqual([]);
});
