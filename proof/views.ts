import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../src/root.ts';

/** Runs tests that draw messages, modals and Home tabs, and writes one file of each shape to `views`. */

const folder = join(root, 'views');
const suites = {
  main: ['test/commands', 'test/engine', 'test/alerts', 'test/slack'],
  process: ['test/acceptance/stories.test.ts'],
};
const least = 300;

await rm(folder, { recursive: true, force: true });
let failed = '';
for (const [project, files] of Object.entries(suites)) {
  const args = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--project', project, ...files];
  const env = { ...process.env, HOSTLER_VIEWS_DIR: folder };
  const [code] = await once(spawn(process.execPath, args, { cwd: root, env, stdio: 'inherit' }), 'close');
  if (code !== 0) failed = ' Some tests failed: views that they would have drawn may be missing.';
}
const names = await readdir(folder).catch(() => []);
const counts = ['message', 'modal', 'home'].map(
  (surface) => `${names.filter((name) => name.startsWith(`${surface}-`)).length} of ${surface}`,
);
process.stdout.write(`views: ${names.length} files, one of each shape: ${counts.join(', ')}.${failed}\n`);
if (names.length < least) {
  process.stdout.write(`That is less than ${least}.\n`);
  process.exitCode = 1;
}
