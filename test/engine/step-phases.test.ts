import { expect, test } from 'vitest';
import { loadCommands } from '../../src/commands/all.ts';
import { load } from '../../src/engine/run/step-phases.ts';
import { asked } from './asked.ts';

// A watch reads its step from the rows, which another process may have changed or removed.

test('a step is read with its request, and a step that is gone or that this version cannot follow is not found', async () => {
  const { bot, id } = await asked();
  const commands = await loadCommands();
  const read = (request: string, n: number) => load({ commands, store: bot.store }, request, n);
  expect(await read(id, 0)).toMatchObject({ operation: { id }, step: { n: 0, state: 'pending' } });
  expect(await read('gone', 0)).toBeUndefined();
  expect(await read(id, 1)).toBeUndefined();
  for (const command of ['teleport', 'status']) {
    await bot.database.run(`update operations set command = '${command}'`);
    expect(await read(id, 0)).toBeUndefined();
  }
});
