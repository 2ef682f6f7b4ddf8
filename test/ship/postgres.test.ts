import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { runPostgresServer } from '../support/postgres-process.ts';

// The PostgreSQL of the tests. CI runs a file of tests as an ordinary user and below a folder that only root may enter.

test('when the process that started PostgreSQL is killed, the server ends and its folder goes', async () => {
  const module = new URL('../support/postgres-process.ts', import.meta.url).href;
  const script = `const { runPostgresServer } = await import(${JSON.stringify(module)});
    console.log((await runPostgresServer({ settings: [] })).data);`;
  const starter = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void starter.kill('SIGKILL'));
  const [data] = await once(createInterface(starter.stdout), 'line');
  expect(existsSync(data)).toBe(true);
  starter.kill('SIGKILL');
  await expect.poll(() => existsSync(data), { timeout: 30_000 }).toBe(false);
});

test('a PostgreSQL that does not start says so in one sentence without a stack', async () => {
  const failed = await runPostgresServer({ settings: ['nonsense=1'] }).catch((error: unknown) => error);
  expect(failed).toMatchObject({
    message: expect.stringMatching(
      /^PostgreSQL does not start here: .*unrecognized configuration parameter "nonsense"\.$/,
    ),
    stack: '',
  });
});
