import { glob } from 'node:fs/promises';

/** Imports each file below this folder, by path. rolldown.config.ts replaces this by a static list in the bundle. */
export async function commandFiles(): Promise<Readonly<Record<string, object>>> {
  const paths = await Array.fromAsync(glob('*/*.ts', { cwd: import.meta.dirname }));
  return Object.fromEntries(
    await Promise.all(
      paths.map(async (path): Promise<[string, object]> => [path, await import(/* @vite-ignore */ `./${path}`)]),
    ),
  );
}
