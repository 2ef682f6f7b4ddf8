import { expect } from 'vitest';
import { planText, viewText } from '../../support/bot/view-text.ts';
import { testsOf } from '../commands-called.ts';

const { openRunner, test } = testsOf('project');

test('project list and project show have the orders of each project and their cost', async ({ viewOf }) => {
  expect(viewText(await viewOf('project list'))).toMatchInlineSnapshot(`
    "Name │ Orders │ A month
    Internal (2) · Build, monitoring, VPN │ 3 │ € 10.50
    Website (1) · What customers see │ 6 │ € 35.50
    · 2 projects · 10 orders in none
    [New project… → form project create]"
  `);
  const shown = viewText(await viewOf('project show internal'));
  expect(shown).toContain('## Internal  [project 2]\nComment: Build, monitoring, VPN\nLogo: picture\n');
  expect(shown).toContain('\n· 3 orders · € 10.50 a month\n[Edit → form project edit 2] [Add orders → ');
});

test('only projects that the person may read are listed, with buttons only for what they may do', async () => {
  const { viewOf } = await openRunner({ may: (can, target) => can === 'read' && target.name !== 'Internal' });
  expect(viewText(await viewOf('project list'))).not.toContain('Internal');
  expect(viewText(await viewOf('project show Website'))).not.toContain('[Edit');
});

test('projects and orders that a person may not read are not counted, and a name clash does not name them', async () => {
  const hidden = { Internal: true } as Readonly<Record<string, boolean>>;
  const { viewOf, refusalOf } = await openRunner({
    may: (can, { kind, project, name }) =>
      can !== 'read' || (kind === 'project' ? !hidden[name] : project === 'Website'),
  });
  const shown = viewText(await viewOf('project list'));
  expect(shown).toContain('Website (1) · What customers see │ 6');
  expect(shown).toContain('· 1 project · 0 orders in none');
  for (const line of ['project edit Website name=internal', 'project create internal'])
    expect(await refusalOf(line)).toMatchObject({
      message: 'Another project has this name already.',
      hint: 'Choose another name.',
      suggestions: [],
    });
});

test('project create makes a project once', async ({ planOf, run, refusalOf, writes }) => {
  const planned = await planOf('project create "Mail and DNS" comment="What nobody sees"');
  expect(await run(planned)).toMatchObject({
    end: 'done',
    ending: { text: 'project Mail and DNS created (3)' },
    note: 'in the list of projects as 3',
  });
  expect(writes()).toEqual([
    { request: 'POST /project/', body: { name: 'Mail and DNS', comment: 'What nobody sees' } },
  ]);
  expect(await refusalOf('project create mail and dns')).toMatchObject({
    message: 'There is a project called Mail and DNS already (3).',
    field: 'name',
    suggestions: [{ label: 'Show Mail and DNS', command: 'project show 3' }],
  });
});

test('a name or a comment that does not fit is refused before anything is sent', async ({ refusalOf, writes }) => {
  for (const [line, field] of [
    [`project create ${'x'.repeat(41)}`, 'name'],
    [`project create Shop comment=${'x'.repeat(257)}`, 'comment'],
    [`project edit Website name=${'x'.repeat(41)}`, 'name'],
    ['project edit Website name=""', 'name'],
    ['project edit Website', 'name'],
    ['project edit Website name=internal', 'name'],
  ] as const)
    expect((await refusalOf(line)).field, line).toBe(field);
  expect(writes()).toEqual([]);
});

test('project edit sends only the changed fields, and can be undone', async ({ planOf, run, runCommand, writes }) => {
  const planned = await planOf('project edit website name=Shop comment=""');
  expect(planText(planned.plan)).toContain('− comment  What customers see\n  + comment  none\n');
  expect((await run(planned)).ending).toEqual({
    text: 'Website renamed to Shop',
    undo: 'project edit 1 name=Website comment="What customers see"',
  });
  expect((await runCommand('project edit 1 comment=Selling')).ending?.text).toBe('comment of Shop changed');
  expect(writes()[1]).toEqual({ request: 'PATCH /project/1/', body: { comment: 'Selling' } });
});

test('project delete names and targets the orders that lose their project, and removes the project', async () => {
  const { planOf, run, sim } = await openRunner();
  const planned = await planOf('project delete Internal');
  expect(planText(planned.plan)).toContain('Orders: 3 orders lose their project: ci-1, monitor-1 and vpn-1');
  expect(planned.command.risk).toBe('dangerous');
  expect(planned.plan.targets.map((target) => target.name)).toEqual(['Internal', 'ci-1', 'monitor-1', 'vpn-1']);
  expect(await run(planned)).toMatchObject({ end: 'done', note: 'there is no project Internal now' });
  expect(sim.state().orders.filter((order) => order.projectId === 2)).toEqual([]);
});

test('project add sends all orders in one write, without those that are there already', async () => {
  const { planOf, run, runCommand, writes } = await openRunner();
  const planned = await planOf('project add Website mail-1 staging-1 web-1');
  expect(planText(planned.plan)).toContain('− staging-1  no project\n  + staging-1  Website\n');
  expect(planText(planned.plan)).toContain('Stays: web-1: this is so already.');
  const ending = (await run(planned)).ending;
  expect(ending).toEqual({ text: 'mail-1 and staging-1 put into Website', undo: 'project remove 1 34-12360 34-12422' });
  expect(writes()).toEqual([{ request: 'POST /project/1/add_orders/', body: { orders: ['34-12360', '34-12422'] } }]);
  const ran = (await runCommand('project remove 1 34-12360 34-12422')).ending;
  expect(ran).toEqual({ text: 'mail-1 and staging-1 removed from Website', undo: 'project add 1 34-12360 34-12422' });
});

test('the undo moves orders back to one other project, and not to several projects', async ({ runCommand }) => {
  expect((await runCommand('project add Website ci-1 vpn-1')).ending?.undo).toBe('project add 2 34-12371 34-12380');
  expect((await runCommand('project add Website monitor-1 mail-1')).ending).not.toHaveProperty('undo');
});
