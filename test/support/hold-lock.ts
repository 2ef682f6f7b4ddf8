import { lockFile } from '../../src/store/file-lock.ts';

/** A process of its own that holds a file's lock: `node hold-lock.ts <file> <ms>`. */
const [, , file = '', forMs = '0'] = process.argv;
const lock = await lockFile(file, { waitMs: 0 });
process.stdout.write('held\n');
setTimeout(() => {
  lock.release();
}, Number(forMs));
