import type { OperationState } from '../../core/operation.ts';

const stateWords: Readonly<Record<OperationState, string>> = {
  waiting: '⏳ waiting',
  approved: '⏳ starting',
  running: '🟡 running',
  reading: '🟡 response lost, reading the state',
  done: '✅ done',
  unverified: '🟡 not verified',
  failed: '🔴 failed',
  unknown: '🔴 unknown',
  stopped: '⚪ stopped',
  declined: '⚪ declined',
  expired: '⚪ expired',
  withdrawn: '⚪ withdrawn',
  refused: '⚪ not run',
};

/** `⏳ waiting`: the word says it, the sign is a second way to see it. */
export function sayState(state: OperationState): string {
  return stateWords[state];
}
