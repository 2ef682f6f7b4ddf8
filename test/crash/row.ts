import type { Sabotage } from '../support/broken-copy.ts';

/** A breakage, and the test that must notice it. */
export type Row = Omit<Sabotage, 'project'>;

/** The project of vitest.config.ts that runs the test. */
export function projectOf({ test }: Row): Sabotage['project'] {
  const [, folder = ''] = test.split('/');
  if (folder === 'browser' || folder === 'crash') return folder;
  return ['acceptance', 'ship', 'cli'].includes(folder) ? 'process' : 'main';
}
