import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

/** The files that .gitignore does not name, found without git: a checkout may be an unpacked archive. */
export function ownFiles(): string[] {
  const ignored = readFileSync(join(root, '.gitignore'), 'utf8').split('\n').filter(Boolean);
  const exclude = ['.git', ...ignored].map((name) =>
    (name.startsWith('/') ? name.slice(1) : `**/${name}`).replace(/\/$/, ''),
  );
  return globSync(['**/*.*', '.*/**/*.*'], { cwd: root, exclude }).sort();
}
