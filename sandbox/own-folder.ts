import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { OptionError } from './claim-port.ts';

/** The folder of one sandbox. A second sandbox gets another one: sharing it would connect one bot to two workspaces. */
export interface OwnFolder {
  readonly path: string;
  release(): void;
}

/** Locks the folder, or the one with the ending if a running sandbox uses the first. */
export function takeFolder(wanted: string, ending: string): OwnFolder {
  for (const path of [wanted, `${wanted}-${ending}`]) {
    const lock = openLock(path);
    try {
      // The operating system releases the lock however the process ends.
      lock.exec('begin exclusive');
      return { path, release: () => lock.close() };
    } catch {
      lock.close();
    }
  }
  throw new OptionError(`${wanted} and ${wanted}-${ending} are both in use by running sandboxes. Stop one of them.`);
}

function openLock(path: string): DatabaseSync {
  try {
    mkdirSync(path, { recursive: true });
    return new DatabaseSync(join(path, 'in-use'));
  } catch (error) {
    const why = error instanceof Error ? error.message : 'no reason given';
    throw new OptionError(
      `The sandbox cannot keep its state in ${path}: ${why}. Set HOSTLER_SANDBOX_DIR to a folder that this user may write to.`,
    );
  }
}
