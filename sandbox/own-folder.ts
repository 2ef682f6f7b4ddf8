import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Two sandboxes in one folder would be one bot between two workspaces: a second one gets a folder of its own. */
export interface OwnFolder {
  readonly path: string;
  release(): void;
}

/** The folder, or the same name with the ending when a sandbox that runs has it. */
export function takeFolder(wanted: string, ending: string): OwnFolder {
  for (const path of [wanted, `${wanted}-${ending}`]) {
    mkdirSync(path, { recursive: true });
    const lock = new DatabaseSync(join(path, 'in-use'));
    try {
      // The operating system lets go of it when the process ends, however it ends.
      lock.exec('begin exclusive');
      return { path, release: () => lock.close() };
    } catch {
      lock.close();
    }
  }
  throw new Error(`${wanted} and ${wanted}-${ending} are both in use by sandboxes that run`);
}
