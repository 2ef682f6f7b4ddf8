import { execFile } from 'node:child_process';
import { cp, glob, readFile, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { newFolder } from '../support/process/new-folder.ts';

// The bundle that globalSetup has just made (test/support/suite/bundle.ts).

/** Rolldown names each module above its code. */
async function modulesOf(pattern: string): Promise<string[]> {
  const found: string[] = [];
  for await (const file of glob(pattern)) {
    const text = await readFile(file, 'utf8');
    found.push(...[...text.matchAll(/^\/\/ ((?:src|sandbox)\/\S+\.ts)$/gm)].map(([, module = '']) => module));
  }
  return found;
}

test('the bundle of the bot has no file of the sandbox', async () => {
  const bot = await modulesOf('dist/*.js');
  expect(bot).toContain('src/bot.ts');
  expect(bot.filter((module) => module.startsWith('sandbox/'))).toEqual([]);
  expect(await modulesOf('dist/sandbox/*.js')).toContain('sandbox/slack/server.ts');
});

test('the bundle without the sandbox, as in the image, runs and says what is missing', async () => {
  const folder = await newFolder('bundle');
  await cp('dist', join(folder, 'dist'), { recursive: true });
  await rm(join(folder, 'dist/sandbox'), { recursive: true });
  for (const name of ['package.json', 'manifest.yml', 'node_modules'])
    await symlink(join(process.cwd(), name), join(folder, name));
  const run = (...words: string[]) => promisify(execFile)(process.execPath, [join(folder, 'dist/main.js'), ...words]);
  expect((await run('version')).stdout).toMatch(/^hostler \d/);
  for (const words of [['simulate', 'slack'], ['start']]) {
    await expect(run(...words)).rejects.toMatchObject({
      code: 1,
      stderr:
        'The sandbox is no part of this installation. Run Hostler from its npm package or its repository to use it.\n',
    });
  }
});
