import { chmod, copyFile, mkdtemp, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { run } from './run.ts';

/** Processes of a user who is not root. The folders above the project, and the temporary folder, may be root's alone. */

/** A user whom every system has without a new account; root can lend these rights. */
export const nobody = { uid: 65_534, gid: 65_534 };
export const isRoot = process.getuid?.() === 0;

/** Whether every user may enter the folder and all folders above it. */
export async function isEnterable(path: string): Promise<boolean> {
  for (let folder = await realpath(path); ; folder = dirname(folder)) {
    if (((await stat(folder)).mode & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

/** A new folder that every user may enter. */
export async function openFolder(): Promise<{ readonly path: string; readonly remove: () => Promise<void> }> {
  const path = await mkdtemp(join((await isEnterable(tmpdir())) ? tmpdir() : '/tmp', 'hostler-another-user-'));
  await chmod(path, 0o755);
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** Lets every user read the folder: the umask may have kept others out. */
export async function letOthersRead(folder: string): Promise<void> {
  await run('chmod', ['-R', 'a+rX', folder]);
}

/** Copies the running Node into the folder, so that every user may run it. */
export async function copyNode(folder: string): Promise<string> {
  const node = join(folder, 'node');
  await copyFile(process.execPath, node);
  await chmod(node, 0o755);
  return node;
}
