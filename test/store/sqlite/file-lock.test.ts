import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { lockFile } from '../../../src/store/sqlite/file-lock.ts';
import { freshDatabase } from '../../support/database/databases.ts';
import { patienceMs } from '../../support/suite/patience.ts';

/** Takes the lock of the file on its command line, and keeps it. */
const program = `
  const { lockFile } = await import('${pathToFileURL(join(import.meta.dirname, '../../../src/store/sqlite/file-lock.ts')).href}');
  await lockFile(process.argv[1], { waitMs: 0 });
  process.stdout.write('held\\n');
  process.stdin.resume();`;

/** Another process that takes the lock and keeps it until it is killed. */
async function lockedBy(file: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program, file], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  if (child.stdout === null) throw new Error('its output is not piped');
  await once(createInterface({ input: child.stdout }), 'line');
  return child;
}

async function place(): Promise<string> {
  const database = await freshDatabase('sqlite');
  onTestFinished(database.drop);
  return database.url;
}

test('a process waits for the file of another one, also of a frozen one, and gets it when that one is killed', async () => {
  const file = await place();
  const child = await lockedBy(file);
  const waited: string[] = [];
  const startedAt = performance.now();
  await expect(lockFile(file, { waitMs: 250, onWait: (holder) => waited.push(holder) })).rejects.toThrow(
    new RegExp(`process ${child.pid} on \\S+ \\(since .*\\) has it. Stop that process, or use PostgreSQL`),
  );
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(250);
  expect(waited).toHaveLength(1);
  child.kill('SIGSTOP');
  await expect(lockFile(file, { waitMs: 0 })).rejects.toThrow(`process ${child.pid}`);
  (await lockFile(file, { waitMs: patienceMs, onWait: () => child.kill('SIGKILL') })).release();
});

test('a process that opens the file twice waits for itself', async () => {
  const file = await place();
  const lock = await lockFile(file);
  await expect(lockFile(file, { waitMs: 0 })).rejects.toThrow(`process ${process.pid}`);
  lock.release();
  (await lockFile(file, { waitMs: 0 })).release();
});
