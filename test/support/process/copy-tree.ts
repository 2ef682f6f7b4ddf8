import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

/** A copy of the tree in which lines can be broken and packages built; `remove` deletes it. */
export async function copyTree(): Promise<{ readonly folder: string; readonly remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'hostler-broken-'));
  const files = ['package.json', 'tsconfig.json', 'vitest.config.ts', 'rolldown.config.ts', 'README.md'];
  const shipped = ['package-lock.json', 'Dockerfile', '.dockerignore', 'compose.yaml', 'deploy', '.github'];
  const packed = ['manifest.yml', 'CHANGELOG.md', 'LICENSE'];
  for (const part of ['src', 'sandbox', 'bin', 'test', 'docs', ...files, ...shipped, ...packed])
    await cp(join(root, part), join(folder, part), { recursive: true });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  return { folder, remove: () => rm(folder, { recursive: true }) };
}
