import { join } from 'node:path';
import { run } from '../process/run.ts';

/** Several projects of one run need the bundle, and each loads this module anew. */
const isMade = Symbol.for('hostler: the bundle of this run is made');

/**
 * Builds the bundle for each run of tests: processes are tested as production runs them. `.ci/run` builds it once, because
 * two steps that build it at the same time would delete each other's files.
 */
export async function setup(): Promise<void> {
  if (isMade in globalThis || process.env.HOSTLER_BUNDLE === 'made') return;
  await run('npm', ['run', 'build'], { cwd: join(import.meta.dirname, '../../..') });
  Object.assign(globalThis, { [isMade]: true });
}
