import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { lockFile } from '../../../src/store/sqlite/file-lock.ts';
import { freshDatabase } from '../../support/databases.ts';

/** Takes the lock of a file and keeps it for a time: two words on its command line. */
const program = `
  const { lockFile } = await import('${pathToFileURL(join(import.meta.dirname, '../../../src/store/sqlite/file-lock.ts')).href}');
  const lock = await lockFile(process.argv[1], { waitMs: 0 });
  process.stdout.write('held\\n');
  setTimeout(() => lock.release(), Number(process.argv[2]));`;

/** Another process that takes the lock and keeps it for `forMs`, or until it is killed. */
async function lockedBy(file: string, forMs = 60_000): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program, file, String(forMs)], {
    stdio: ['ignore', 'pipe', 'inherit'],
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

test('a second process waits for the file, and then reports which process has it', async () => {
  const file = await place();
  const child = await lockedBy(file);
  const waited: string[] = [];
  const startedAt = performance.now();
  await expect(lockFile(file, { waitMs: 500, onWait: (holder) => waited.push(holder) })).rejects.toThrow(
    new RegExp(`process ${child.pid} on \\S+ \\(since .*\\) has it. Stop that process, or use PostgreSQL`),
  );
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(500);
  expect(waited).toHaveLength(1);
});

test('a process that waits gets the file as soon as the other one ends, also when it is killed', async () => {
  const file = await place();
  const child = await lockedBy(file);
  const waiting = lockFile(file, { waitMs: 10_000 });
  setTimeout(() => child.kill('SIGKILL'), 300);
  const lock = await waiting;
  lock.release();
  await lockedBy(file, 300);
  (await lockFile(file, { waitMs: 10_000 })).release();
});

test('a frozen process keeps the file', async () => {
  const file = await place();
  const child = await lockedBy(file);
  child.kill('SIGSTOP');
  await expect(lockFile(file, { waitMs: 300 })).rejects.toThrow(`process ${child.pid}`);
});

test('a process that opens the file twice waits for itself', async () => {
  const file = await place();
  const lock = await lockFile(file);
  await expect(lockFile(file, { waitMs: 0 })).rejects.toThrow(`process ${process.pid}`);
  lock.release();
  (await lockFile(file, { waitMs: 0 })).release();
});
