import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Processes are tested as production runs them: from the bundle, made anew for each run of tests. */
export async function setup(): Promise<void> {
  await promisify(execFile)('npm', ['run', 'build'], { cwd: join(import.meta.dirname, '../..') });
}
