import { expect } from 'vitest';
import { type Policy, policySchema } from '../../../src/core/policy/policy.ts';
import { plain } from '../../../src/core/view/view.ts';
import { planText, viewText } from '../../support/bot/view-text.ts';
import { testsOf } from '../commands-called.ts';

const { openRunner, test } = testsOf('move', 'rename', 'order', 'tag');

test('an order moves to another project, and back', async ({ planOf, run, runCommand, writes }) => {
  const planned = await planOf('move web-1 internal');
  expect(planText(planned.plan)).toContain('− project  Website\n  + project  Internal\n');
  const targets = planned.plan.targets.map((target) => `${target.kind} ${target.name}`);
  expect(targets).toEqual(['order web-1', 'project Internal']);
  expect(await run(planned)).toMatchObject({
    end: 'done',
    ending: { text: 'web-1 moved to Internal', undo: 'move 34-12345 1' },
    note: 'it is in Internal',
  });
  expect((await runCommand('move 34-12345 1')).end).toBe('done');
  expect(writes().map((write) => write.body)).toEqual([{ project: 2 }, { project: 1 }]);
});

test('move to none removes an order from its project', async ({ runCommand, planOf, writes }) => {
  expect(await runCommand('move web-1 NONE')).toMatchObject({
    end: 'done',
    ending: { text: 'web-1 removed from Website', undo: 'move 34-12345 1' },
    note: 'it is in no project',
  });
  expect(writes()).toEqual([{ request: 'PATCH /orders/34-12345/', body: { project: null } }]);
  expect((await planOf('move web-1 none')).plan.nothingToDo).toBe('web-1 is in no project.');
});

test('a project behind "from" is the one of the order, never the one it moves to', async ({ planOf, refusalOf }) => {
  expect(await refusalOf('move web-1 Websit')).toMatchObject({ field: 'project', hint: 'Did you mean Website?' });
  expect((await planOf('move web-1 from Website to Internal')).plan.title).toBe('Move web-1 to Internal');
  expect(await refusalOf('move web-1 from Internal to Website')).toMatchObject({
    message: 'web-1 is not in Internal.',
  });
  expect(await refusalOf('move web-1 from Internal')).toMatchObject({ message: 'missing: project' });
});

test('rename shows the old and the new name, reads the name back, and can be undone', async () => {
  const { planOf, run, runCommand, writes, sim } = await openRunner();
  const planned = await planOf('rename web-1 web old');
  expect(planned.plan.effect).toBe('Only the name in this account changes. The hostname and DNS stay as they are.');
  expect((await run(planned)).ending).toEqual({ text: 'web-1 renamed to web old', undo: 'rename 34-12345 web-1' });
  expect(writes()).toEqual([{ request: 'PATCH /orders/34-12345/', body: { name: 'web old' } }]);
  expect((await planOf('rename 34-12345 web old')).plan.nothingToDo).toBe('34-12345 is called web old already.');
  expect((await runCommand('rename 34-12345 web-1')).end).toBe('done');
  expect(sim.state().orders.find((order) => order.id === '34-12345')?.name).toBe('web-1');
});

test.for(['rename web-1 --none', 'rename web-1 ""'])('%s removes the name', async (line) => {
  const { runCommand, planOf, writes } = await openRunner();
  expect(await runCommand(line)).toMatchObject({
    end: 'done',
    ending: { text: '34-12345 has no name now', undo: 'rename 34-12345 web-1' },
  });
  expect(writes()).toEqual([{ request: 'PATCH /orders/34-12345/', body: { name: '' } }]);
  // Without a name the order is called by its hostname.
  expect((await planOf('rename web-1.example.com --none')).plan.nothingToDo).toBe('web-1.example.com has no name.');
});

test('rename warns when another order has the name', async ({ planOf }) => {
  expect(planText((await planOf('rename web-1 WEB-2')).plan)).toContain(
    'Same name: 34-12399 is called web-2 too. Commands then ask which one you mean.',
  );
});

test('a missing or bad name is refused before anything is sent', async ({ refusalOf, writes }) => {
  expect(await refusalOf('rename web-1')).toMatchObject({ message: 'The new name is missing.', field: 'name' });
  expect(await refusalOf('rename web-1 web-9 --none')).toMatchObject({ field: 'none' });
  const refusal = await refusalOf(`rename web-1 ${'x'.repeat(65)}`);
  expect(refusal).toMatchObject({ field: 'name', hint: 'It should be at most 64 characters long.' });
  expect(writes()).toEqual([]);
});

test('order shows an order with all its details and the buttons for next steps', async ({ viewOf }) => {
  expect(viewText(await viewOf('order web-1'))).toMatchInlineSnapshot(`
    "## web-1  [🟢 active]
    Order: 34-12345 · server
    Plan: Cloud NVMe 2
    Hardware: 2 cores of at least 2.4 GHz · 4 GB RAM · 40 GB disk · x86_64
    Hostname: web-1.example.com
    Addresses: 192.0.2.10
    Reverse DNS: 192.0.2.10 → web-1.example.com
    Costs: € 5.50 a month
    Affected: 3 DNS records point here: example.com A, www.example.com A and api.example.com A.
    Paid until: ‹day› (19 days)
    Tags: web, prod
    Project: Website
    [Status → status 34-12345] [Rename → form rename 34-12345] [Tag → form tag 34-12345] [Move → form move 34-12345] [End… → form cancel 34-12345]"
  `);
});

test('an order that is marked for cancellation offers Keep to a person who may keep it', async () => {
  const { sim, viewOf } = await openRunner({ may: (capability) => capability === 'operate' });
  sim.order({ order: '34-1000101', cancel_mark: true });
  const said = viewText(await viewOf('order files-1'));
  expect(said).toContain('## files-1  [🟢 active, to be canceled]');
  expect(said).toContain('Hardware: Intel Xeon E3-1230 v6 · 4 cores · 32 GB RAM · 2 x 480 GB SSD');
  expect(said).toContain('[Traffic → ds traffic 34-1000101] [Keep → keep 34-1000101]');
});

test('zones that cannot be read are shown as unknown, not as none', async ({ sim, viewOf }) => {
  sim.fault({ kind: 'answer', match: 'GET /dns/domain/', status: 500, body: {} });
  expect(viewText(await viewOf('order web-1'))).toContain('Affected: Unknown: the zones could not be read.');
});

function openWith(grants: Policy['grants']) {
  const policy = policySchema.parse({ grants });
  return openRunner({
    bot: { policies: async () => new Map([['C1', policy]]) },
  });
}

test('adding a tag that lets people destroy a server has a higher risk than adding another tag', async () => {
  const { planOf } = await openWith([
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
  const { planOf } = await openWith([
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
  const { planOf, run } = await openRunner({
    bot: { policies: async () => new Map([['C1', policy]]) },
  });
  const planned = await planOf('tag add web-1 scratch');
  policy = policySchema.parse({ grants: [{ to: ['everyone'], can: ['destroy'], on: ['tag:scratch'] }] });
  expect((await run(planned)).end).toBe('changed');
});
