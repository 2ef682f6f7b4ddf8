import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fileNames } from '../browser/pictures.ts';

const root = join(import.meta.dirname, '..', '..');
const folder = join(root, 'docs', 'screenshots');

test('docs/screenshots has exactly the files of `node test/browser/screenshots.ts`, and they are small', async () => {
  const there = await readdir(folder);
  expect(there.sort()).toEqual(fileNames().sort());
  const sizes = await Promise.all(there.map(async (name) => (await stat(join(folder, name))).size));
  expect(Math.max(...sizes)).toBeLessThan(250_000);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(6_000_000);
});

test('every picture that a page shows exists', async () => {
  const pages = [
    'README.md',
    ...(await readdir(join(root, 'docs'))).filter((name) => name.endsWith('.md')).map((name) => join('docs', name)),
  ];
  const texts = await Promise.all(pages.map((page) => readFile(join(root, page), 'utf8')));
  const shown = texts.flatMap((text) =>
    [...text.matchAll(/screenshots\/([\w-]+\.png)/g)].map(([, name]) => name ?? ''),
  );
  expect(shown).toContain('sandbox.png');
  expect(await readdir(folder)).toEqual(expect.arrayContaining(shown));
});
