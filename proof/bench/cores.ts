import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

/**
 * Pins the measured app to its own core if possible (Linux, two cores or more). The clients, the simulated Slack and
 * the simulated provider use the others. Otherwise the kernel tends to wake the receiver of an acknowledgement on its
 * sender's core, where it waits until the sender is idle: a millisecond that no network has.
 */
const cores = availableParallelism();
const appCore = String(cores - 1);
const otherCores = `0-${cores - 2}`;
const allCores = `0-${cores - 1}`;

export const canPin = cores > 1 && taskset(['-V']);

/** The command line that starts an app on its core. */
export function onItsCore(words: readonly string[]): readonly [command: string, ...words: string[]] {
  return canPin ? ['taskset', '-c', appCore, process.execPath, ...words] : [process.execPath, ...words];
}

/** Moves this process off the app's core, or back to all cores. */
export function leaveCore(isLeft: boolean): void {
  if (canPin) taskset(['-a', '-c', '-p', isLeft ? otherCores : allCores, String(process.pid)]);
}

function taskset(words: readonly string[]): boolean {
  try {
    execFileSync('taskset', words, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
