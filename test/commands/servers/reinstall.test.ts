import { expect, test } from 'vitest';
import { reinstall } from '../../../src/commands/servers/reinstall.ts';
import { parse } from '../../../src/core/grammar/parse.ts';
import { NotOne } from '../../../src/core/targets.ts';
import { openDrive } from '../../support/drive.ts';
import { planText } from '../../support/view-text.ts';

const commands = [reinstall];
const route = 'POST /vps/{order_id}/reinstall/reinstall/';

const osOf = (drive: Awaited<ReturnType<typeof openDrive>>) =>
  drive.sim.state().orders.find((order) => order.id === '34-12345')?.vps?.os;

test('the card says in plain words that everything is lost, and asks for the name', async () => {
  const drive = await openDrive({ commands });
  const planned = await drive.planOf('reinstall web-1 template="debian 13"');
  expect(planned.command).toMatchObject({ capability: 'destroy', risk: 'destructive' });
  expect(planText(planned.plan)).toMatchInlineSnapshot(`
    "Reinstall web-1
      web-1 · 34-12345 · 192.0.2.10 · Cloud NVMe 2 · ● on
      Effect: all data on web-1 is destroyed and replaced by a clean Debian 13; nothing of it can be brought back
      Lost: every file, database, user, key and setting on the server
      Replaced by: a clean Debian 13
      Snapshot: none is made first: make one with the provider if anything is to be kept
      Depends: 3 DNS records point here: example.com A, www.example.com A and api.example.com A
      Paid: until ‹day› (19 days)"
  `);
  expect(planned.plan.typedName).toBe('web-1');
  expect(planned.plan.facts).toMatchObject({ addresses: ['192.0.2.10'], 'replaced by': 'template Debian 13 (2)' });
  expect(osOf(drive)).toBe('Debian 12');

  const ran = await drive.run(planned);
  expect(ran).toMatchObject({
    end: 'done',
    ending: { text: 'web-1 reinstalled with a clean Debian 13' },
    note: 'order active, power status: on; which system is on it cannot be read',
  });
  expect(osOf(drive)).toBe('Debian 13');
  expect(drive.writes()).toEqual([{ request: 'POST /vps/34-12345/reinstall/reinstall/', body: { template: 2 } }]);
});

test.each([
  ['app=wordpress', { app: 6 }, 'web-1 reinstalled with the application WordPress'],
  ['snapshot=golden', { snapshot: 3 }, 'web-1 reinstalled with the snapshot golden image'],
  ['template=4', { template: 4 }, 'web-1 reinstalled with a clean Ubuntu 24.04'],
])('%s', async (words, body, text) => {
  const drive = await openDrive({ commands });
  expect(await drive.do(`reinstall web-1 ${words}`)).toMatchObject({ end: 'done', ending: { text } });
  expect(drive.writes().map((write) => write.body)).toEqual([body]);
});

test('still being on in the first seconds is not the end of it', async () => {
  const drive = await openDrive({ commands, jobMs: 40_000 });
  const { plan, command } = await drive.planOf('reinstall web-1 template=1');
  const step = command.step(plan.steps[0]?.data ?? null);
  const receipt = { text: '', data: { acceptedAt: 1_000, status: 'ready' } };
  const reader = { reader: drive.reader } as Parameters<typeof step.verify>[0];
  expect(await step.verify({ ...reader, now: 3_000 }, receipt)).toMatchObject({ is: 'unsure' });
  expect(await step.verify({ ...reader, now: 12_000 }, receipt)).toMatchObject({ is: 'so' });
});

test.each([
  ['template=1 app=2', 'app', 'template 1 and app 2 are named: only one can be installed.'],
  ['template=Debain', 'template', 'There is no template Debain.'],
  ['snapshot=99', 'snapshot', 'There is no snapshot 99.'],
  ['template=""', 'template', 'It is empty.'],
])('%s is refused at %s, and nothing is sent', async (words, field, message) => {
  const drive = await openDrive({ commands });
  expect(await drive.refusalOf(`reinstall web-1 ${words}`)).toMatchObject({ field, message });
  expect(drive.writes()).toEqual([]);
});

test('several that match are asked back by id', async () => {
  const drive = await openDrive({ commands });
  const refusal = await drive.refusalOf('reinstall web-1 template=debian');
  expect(refusal).toBeInstanceOf(NotOne);
  expect(refusal).toMatchObject({
    reason: 'ambiguous',
    candidates: [
      { label: 'Debian 12', values: ['1'] },
      { label: 'Debian 13', values: ['2'] },
      { label: 'Debian 12 + ISPmanager', values: ['11'] },
    ],
  });
});

test('something to install has to be named, and only what this server can run', async () => {
  const drive = await openDrive({ commands });
  // Typed, the form opens; sent empty, the form says it at its field.
  expect(parse('reinstall web-1', commands)).toMatchObject({ missing: ['a template, an app or a snapshot'] });
  expect(await drive.refusalOf('reinstall web-1')).toMatchObject({ field: 'template' });
  // An arm system does not run there, so it is not among what can be named.
  expect((await drive.refusalOf('reinstall web-1 template=8')).message).toBe('There is no template 8.');
});

test('a lost answer is not guessed: on may be the old system or the new one', async () => {
  const drive = await openDrive({ commands });
  drive.sim.fault({ kind: 'lose', match: route, times: 1 });
  const ran = await drive.do('reinstall web-1 template=1');
  expect(ran.end).toBe('unknown');
  expect(ran.note).toContain('whether it was erased cannot be read from outside');
  expect(drive.writes()).toHaveLength(1);
});

test('the provider’s refusal comes in its own words', async () => {
  const drive = await openDrive({ commands });
  drive.sim.fault({
    kind: 'answer',
    match: route,
    status: 400,
    body: { template: ['Not for this server.'] },
    times: 1,
  });
  expect(await drive.do('reinstall web-1 template=1')).toMatchObject({
    end: 'failed',
    note: 'template: Not for this server.',
  });
});
