import { expect, onTestFinished, test } from 'vitest';
import { startSystem } from '../support/test-system.ts';

test('a process ends by itself, with an exit code for it, when a newer version has changed the schema', async () => {
  const system = await startSystem();
  onTestFinished(system.close);
  const [bot] = system.bots;
  if (bot === undefined) throw new Error('no bot');
  await system.database.run("insert into schema_version (version, name, applied_at) values (99, 'next', 0)");
  const changedAt = Date.now();
  expect((await bot.exited).code).toBe(75);
  expect(Date.now() - changedAt).toBeLessThan(30_000);
  const lines = bot.log.filter(({ text }) => text.includes('a newer version has changed the schema'));
  expect(lines).toHaveLength(1);
});
