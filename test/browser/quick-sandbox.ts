import { rmSync } from 'node:fs';
import { runSandbox } from '../../sandbox/cli/sandbox.ts';

/** The sandbox for tests, as a process of its own: jobs take a second, and it ends with the process that started it. */

// Just before the bot looks at a job for the first time.
const jobMs = 700;

const dataDir = process.env.HOSTLER_SANDBOX_DIR ?? '';
process.stdin.resume().on('close', () => {
  rmSync(dataDir, { recursive: true, force: true });
  process.exit(0);
});
await runSandbox({ host: '127.0.0.1', port: 0, logLevel: 'error' }, (line) => console.log(line), { jobMs });
