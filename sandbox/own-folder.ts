import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { OptionError } from './claim-port.ts';

/** Two sandboxes in one folder would be one bot between two workspaces: a second one gets a folder of its own. */
export interface OwnFolder {
  readonly path: string;
  release(): void;
}

/** The folder, or the same name with the ending when a sandbox that runs has it. */
export function takeFolder(wanted: string, ending: string): OwnFolder {
  for (const path of [wanted, `${wanted}-${ending}`]) {
    const lock = openLock(path);
    try {
      // The operating system lets go of it when the process ends, however it ends.
      lock.exec('begin exclusive');
      return { path, release: () => lock.close() };
    } catch {
      lock.close();
    }
  }
  throw new OptionError(`${wanted} and ${wanted}-${ending} are both in use by sandboxes that run. Stop one of them.`);
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
