import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A line of the bot, and its replacement that breaks it on purpose. */
export interface Breakage {
  readonly what: string;
  readonly file: string;
  /** The text to replace, which the unchanged file has once. */
  readonly text: string;
  readonly instead: string;
}

const root = join(import.meta.dirname, '../../..');

/** A copy of the tree in which lines can be broken and packages built; `remove` deletes it. */
export async function copyTree(): Promise<{ readonly folder: string; readonly remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'hostler-broken-'));
  const files = ['package.json', 'tsconfig.json', 'vitest.config.ts', 'rolldown.config.ts', 'README.md'];
  const shipped = ['package-lock.json', 'Dockerfile', '.dockerignore', 'compose.yaml', 'deploy', '.github'];
  const packed = ['manifest.yml', 'CHANGELOG.md', 'LICENSE'];
  for (const part of ['src', 'sandbox', 'bin', 'test', 'docs', ...files, ...shipped, ...packed])
    await cp(join(root, part), join(folder, part), { recursive: true });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  return { folder, remove: () => rm(folder, { recursive: true }) };
}

/** The unchanged file. A text that is missing, or there twice, would break nothing or something else. */
export async function wholeFile(folder: string, { what, file, text }: Breakage): Promise<string> {
  const found = await readFile(join(folder, file), 'utf8');
  if (found.split(text).length === 2) return found;
  throw new Error(`${what}: its text is not found once in ${file}; say in its table what breaks it now`);
}

/** Breaks the line while `use` runs. */
export async function whileBroken<T>(folder: string, breakage: Breakage, use: () => Promise<T>): Promise<T> {
  const whole = await wholeFile(folder, breakage);
  const path = join(folder, breakage.file);
  await writeFile(
    path,
    whole.replace(breakage.text, () => breakage.instead),
  );
  try {
    return await use();
  } finally {
    await writeFile(path, whole);
  }
}
