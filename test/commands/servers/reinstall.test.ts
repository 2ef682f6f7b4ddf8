import { expect, test } from 'vitest';
import { reinstall } from '../../../src/commands/servers/reinstall.ts';
import { parse } from '../../../src/core/grammar/parse.ts';
import { NotOne } from '../../../src/core/targets/not-one.ts';
import { openCommandRunner } from '../../support/bot/run-command.ts';
import { planText } from '../../support/bot/view-text.ts';
import { answer } from '../answer.ts';

const commands = [reinstall];
const route = 'POST /vps/{order_id}/reinstall/reinstall/';

const osOf = (runner: Awaited<ReturnType<typeof openCommandRunner>>) =>
  runner.sim.state().orders.find((order) => order.id === '34-12345')?.vps?.os;

test('the card of reinstall says that all data is lost, and asks for the name; the end is read from the power status', async () => {
  const runner = await openCommandRunner({ commands });
  const planned = await runner.planOf('reinstall web-1 template="debian 13"');
  expect(planned.command).toMatchObject({ capability: 'destroy', risk: 'destructive' });
  expect(planText(planned.plan)).toMatchInlineSnapshot(`
    "Reinstall web-1
      web-1 · 34-12345 · 192.0.2.10 · Cloud NVMe 2 · 🟢 on
      Effect: All data on web-1 is destroyed and replaced by a clean Debian 13. Nothing of it can be restored.
      Lost: Every file, database, user, key and setting on the server.
      Replaced by: A clean Debian 13
      SSH keys: Those linked to it: Ada laptop (ssh-ed25519 · SHA256:A2xaug904sRjhefvsAXLPVMQdy3CoWa65ec8pFwTQvo · ada@laptop) and CI deploy (ssh-ed25519 · SHA256:RqnlZBKAUDqpk9D6AMYMJbjjy9f/rZ7U4CBamVKdjVI · deploy@ci-1)
      Snapshot: None is made first. Make one with the provider if anything is to be kept.
      Affected: 3 DNS records point here: example.com A, www.example.com A and api.example.com A.
      Paid until: ‹day› (19 days)"
  `);
  expect(planned.plan.typedName).toBe('web-1');
  expect(planned.plan.facts).toMatchObject({ addresses: ['192.0.2.10'], 'replaced by': 'template Debian 13 (2)' });
  expect(osOf(runner)).toBe('Debian 12');
  const ran = await runner.run(planned);
  expect(ran).toMatchObject({
    end: 'unverified',
    ending: { text: 'web-1 reinstalled with a clean Debian 13' },
    note: expect.stringContaining('order is active, and the power is on'),
  });
  expect(osOf(runner)).toBe('Debian 13');
  expect(runner.writes()).toEqual([{ request: 'POST /vps/34-12345/reinstall/reinstall/', body: { template: 2 } }]);
  // The response has no job to read, so the power status is watched.
  const routes = runner.sim.requests().map(({ route }) => route);
  expect(routes.filter((one) => one?.includes('log'))).toEqual([]);
  expect(routes.lastIndexOf('GET /vps/{order_id}/status/')).toBeGreaterThan(routes.indexOf(route));
});

test('reinstall sends the app, the snapshot or the template', async () => {
  const runner = await openCommandRunner({ commands });
  for (const [words, body, text] of [
    ['app=wordpress', { app: 6 }, 'web-1 reinstalled with the application WordPress'],
    ['snapshot=golden', { snapshot: 3 }, 'web-1 reinstalled with the snapshot golden image'],
    ['template=4', { template: 4 }, 'web-1 reinstalled with a clean Ubuntu 24.04'],
  ] as const) {
    expect(await runner.runCommand(`reinstall web-1 ${words}`)).toMatchObject({ end: 'unverified', ending: { text } });
    expect(runner.writes().at(-1)?.body).toEqual(body);
  }
});

test('a server that is still on in the first seconds does not count as reinstalled', async () => {
  const runner = await openCommandRunner({ commands, jobMs: 40_000 });
  const { plan, command } = await runner.planOf('reinstall web-1 template=1');
  const step = command.step(plan.steps[0]?.data ?? null);
  const receipt = { text: '', data: { status: 'ready' } };
  const reader = { reader: runner.reader } as Parameters<typeof step.verify>[0];
  const seen = (wasOffline: boolean) => step.verify(reader, receipt, { wasOffline });
  const before = await seen(false);
  expect(before).toMatchObject({ is: 'unsure' });
  expect(before.isFinal).toBeUndefined();
  runner.sim.power({ order: '34-12345', state: 'unknown' });
  expect(await seen(false)).toMatchObject({ is: 'unsure', isOffline: true });
  runner.sim.power({ order: '34-12345', state: 'on' });
  expect(await seen(true)).toMatchObject({ is: 'unsure', isFinal: true });
});

test.each(['error', 'hang', 'done'] as const)('a reinstall whose job ends in %s is not called done', async (end) => {
  const runner = await openCommandRunner({ commands, jobMs: 40_000 });
  if (end !== 'done') runner.sim.fault({ kind: 'nextJob', match: route, end, times: 1 });
  const ran = await runner.runCommand('reinstall web-1 template="Debian 13"');
  expect(ran.end).toBe('unverified');
  expect(ran.note).toContain(
    end === 'hang' ? 'it has not come back' : 'it went away and came back; which system is on it',
  );
  expect(osOf(runner)).toBe(end === 'done' ? 'Debian 13' : 'Debian 12');
});

test('reinstall needs exactly one thing to install, which the server can run, and sends nothing otherwise', async () => {
  const runner = await openCommandRunner({ commands });
  for (const [words, field, message] of [
    ['template=1 app=2', 'app', 'template 1 and app 2 are named: only one can be installed.'],
    ['template=Debain', 'template', 'There is no template Debain.'],
    ['snapshot=99', 'snapshot', 'There is no snapshot 99.'],
    ['template=""', 'template', 'It is empty.'],
    // An arm system does not run there, so the suggestions do not name it.
    ['template=8', 'template', 'There is no template 8.'],
  ] as const)
    expect(await runner.refusalOf(`reinstall web-1 ${words}`), words).toMatchObject({ field, message });
  const refusal = await runner.refusalOf('reinstall web-1 template=debian');
  expect(refusal).toBeInstanceOf(NotOne);
  const candidates = [{ label: 'Debian 12' }, { label: 'Debian 13' }, { label: 'Debian 12 + ISPmanager' }];
  expect(refusal).toMatchObject({ reason: 'ambiguous', candidates });
  // A typed line opens the form; an empty form shows the error at its field.
  expect(parse('reinstall web-1', commands)).toMatchObject({ missing: ['a template, an app or a snapshot'] });
  expect(await runner.refusalOf('reinstall web-1')).toMatchObject({ field: 'template' });
  expect(runner.writes()).toEqual([]);
});

test('the chosen keys are linked before the installation, with one write each', async () => {
  const runner = await openCommandRunner({ commands });
  const planned = await runner.planOf('reinstall web-1 template=1 ssh_keys="old work",default');
  expect(planned.plan.steps.map((step) => step.label)).toEqual(['unlink CI deploy', 'link Old workstation', 'web-1']);
  expect(planned.plan.facts).toMatchObject({ 'linked SSH keys': [1, 2], 'SSH keys': [1, 3] });
  await runner.run(planned);
  expect(runner.writes()).toEqual([
    { request: 'POST /vps/34-12345/ssh_keys/delete/', body: { key_pk: 2 } },
    { request: 'POST /vps/34-12345/ssh_keys/add/', body: { key_pk: 3 } },
    { request: 'POST /vps/34-12345/reinstall/reinstall/', body: { template: 1 } },
  ]);
  const vps = runner.sim.state().orders.find(({ id }) => id === '34-12345')?.vps;
  expect(vps?.installedSshKeys).toEqual([1, 3]);
});

test('a key that cannot be linked leaves the server unchanged', async () => {
  const runner = await openCommandRunner({ commands });
  runner.sim.fault(answer('POST /vps/{order_id}/ssh_keys/add/', 400, { detail: 'No.' }));
  expect(await runner.runCommand('reinstall web-1 template=1 ssh_keys="Old workstation"')).toMatchObject({
    end: 'failed',
  });
  expect(osOf(runner)).toBe('Debian 12');
  expect(runner.writes().map(({ request }) => request)).not.toContain('POST /vps/34-12345/reinstall/reinstall/');
});

test('keys that cannot be read refuse only a request that names keys', async () => {
  const runner = await openCommandRunner({ commands });
  runner.sim.fault(answer('GET /vps/{order_id}/ssh_keys/', 403, { detail: 'No.' }));
  expect(await runner.refusalOf('reinstall web-1 template=1 ssh_keys=default')).toMatchObject({ field: 'ssh_keys' });
  const { plan } = await runner.planOf('reinstall web-1 template=1');
  expect(plan.details).toContainEqual(['SSH keys', 'Unknown: those linked to the server could not be read.']);
});
