import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder that is removed at the end of the test. A concurrent test gives its own `atEnd`: the usual one is of any test. */
export async function newFolder(
  name: string,
  atEnd: (act: () => Promise<void>) => void = onTestFinished,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `hostler-${name}-`));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
