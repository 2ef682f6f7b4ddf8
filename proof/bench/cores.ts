import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

/**
 * Gives the app that is measured a core of its own if the machine can (Linux, two cores or more). The others are left
 * to the clients, the simulated Slack and the simulated provider. Left to itself the kernel likes to wake the receiver
 * of an acknowledgement on the core of its sender, where it waits until the sender rests: a millisecond that no network
 * has.
 */
const cores = availableParallelism();
const appCore = String(cores - 1);
const otherCores = `0-${cores - 2}`;
const allCores = `0-${cores - 1}`;

export const canPin = cores > 1 && taskset(['-V']);

/** The words that start an app on its core. */
export function onItsCore(words: readonly string[]): readonly [command: string, ...words: string[]] {
  return canPin ? ['taskset', '-c', appCore, process.execPath, ...words] : [process.execPath, ...words];
}

/** This process leaves the core of the app to it, or takes all again. */
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
