import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

/**
 * The folder of the databases of tests: in memory if there is room, so that a commit waits for no disk. A process that is
 * killed loses nothing there; what a power cut would cost is not tested with files anyway.
 */
export const scratch = hasRoom('/dev/shm') ? '/dev/shm' : tmpdir();

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize > 4 * 1_024 ** 3;
  } catch {
    return false;
  }
}
