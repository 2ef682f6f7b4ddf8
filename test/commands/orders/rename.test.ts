import { expect, test } from 'vitest';
import { rename } from '../../../src/commands/orders/rename.ts';
import { openCommandRunner } from '../../support/run-command.ts';
import { planText } from '../../support/view-text.ts';

const openRunner = () => openCommandRunner({ commands: [rename] });

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

test('rename warns when another order has the name', async () => {
  const { planOf } = await openRunner();
  expect(planText((await planOf('rename web-1 WEB-2')).plan)).toContain(
    'Same name: 34-12399 is called web-2 too. Commands then ask which one you mean.',
  );
});

test('a missing or bad name is refused before anything is sent', async () => {
  const { refusalOf, writes } = await openRunner();
  expect(await refusalOf('rename web-1')).toMatchObject({ message: 'The new name is missing.', field: 'name' });
  expect(await refusalOf('rename web-1 web-9 --none')).toMatchObject({ field: 'none' });
  expect(await refusalOf(`rename web-1 ${'x'.repeat(65)}`)).toMatchObject({
    field: 'name',
    hint: 'It should be at most 64 characters long.',
  });
  expect(writes()).toEqual([]);
});
