import { rmSync } from 'node:fs';
import { runSandbox } from '../../sandbox/cli/sandbox.ts';

/** The sandbox for tests, as a separate process that ends with its parent; a test sets the length of jobs. */

const jobMs = Number(process.env.HOSTLER_TEST_JOB_MS);

const dataDir = process.env.HOSTLER_SANDBOX_DIR ?? '';
process.stdin.resume().on('close', () => {
  rmSync(dataDir, { recursive: true, force: true });
  process.exit(0);
});
process.exit(
  await runSandbox({ host: '127.0.0.1', port: 0, logLevel: 'error' }, (line) => console.log(line), { jobMs }),
);
