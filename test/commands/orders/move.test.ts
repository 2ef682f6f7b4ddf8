import { expect, test } from 'vitest';
import { move } from '../../../src/commands/orders/move.ts';
import { openCommandRunner } from '../../support/run-command.ts';
import { planText } from '../../support/view-text.ts';

const openRunner = () => openCommandRunner({ commands: [move] });

test('an order moves to another project, and back', async () => {
  const { planOf, run, runCommand, writes } = await openRunner();
  const planned = await planOf('move web-1 internal');
  expect(planText(planned.plan)).toContain('− project  Website\n  + project  Internal\n');
  expect(planned.plan.targets.map((target) => `${target.kind} ${target.name}`)).toEqual([
    'order web-1',
    'project Internal',
  ]);
  expect(await run(planned)).toMatchObject({
    end: 'done',
    ending: { text: 'web-1 moved to Internal', undo: 'move 34-12345 1' },
    note: 'it is in Internal',
  });
  expect((await runCommand('move 34-12345 1')).end).toBe('done');
  expect(writes().map((write) => write.body)).toEqual([{ project: 2 }, { project: 1 }]);
});

test('move to none removes an order from its project', async () => {
  const { runCommand, planOf, writes } = await openRunner();
  expect(await runCommand('move web-1 NONE')).toMatchObject({
    end: 'done',
    ending: { text: 'web-1 removed from Website', undo: 'move 34-12345 1' },
    note: 'it is in no project',
  });
  expect(writes()).toEqual([{ request: 'PATCH /orders/34-12345/', body: { project: null } }]);
  expect((await planOf('move web-1 none')).plan.nothingToDo).toBe('web-1 is in no project.');
});

test('a project behind "from" is the one that the order is in, and never the one it moves to', async () => {
  const { planOf, refusalOf } = await openRunner();
  expect(await refusalOf('move web-1 Websit')).toMatchObject({ field: 'project', hint: 'Did you mean Website?' });
  expect((await planOf('move web-1 from Website to Internal')).plan.title).toBe('Move web-1 to Internal');
  expect(await refusalOf('move web-1 from Internal to Website')).toMatchObject({
    message: 'web-1 is not in Internal.',
  });
  expect(await refusalOf('move web-1 from Internal')).toMatchObject({ message: 'missing: project' });
});
