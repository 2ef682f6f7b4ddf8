import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder that is removed at the end of the test. */
export async function newFolder(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `hostler-${name}-`));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
