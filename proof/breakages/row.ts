import type { Breakage } from './break-line.ts';

/** A breakage, and the test that must notice it. */
export interface Row extends Breakage {
  readonly test: string;
  /** A part of the test's name. */
  readonly name: string;
  /** True for a breakage that runs with `all` only, since its test waits in vain for minutes. */
  readonly isSlow?: boolean;
}

/** The project of vitest.config.ts that runs the test. */
export function projectOf({ test }: Row): string {
  const [, folder = ''] = test.split('/');
  if (folder === 'browser' || folder === 'crash' || folder === 'house') return folder;
  return ['acceptance', 'ship', 'cli'].includes(folder) ? 'process' : 'main';
}
