import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fileName, pictures, schemes } from '../browser/pictures.ts';

const root = join(import.meta.dirname, '..', '..');
const folder = join(root, 'docs', 'screenshots');

test('docs/screenshots holds what `npm run screenshots` makes, light and dark, and nothing too heavy', async () => {
  const wanted = Object.keys(pictures).flatMap((name) => schemes.map((scheme) => fileName(name, scheme)));
  const there = await readdir(folder);
  expect(there.sort()).toEqual(wanted.sort());
  for (const name of there) expect((await stat(join(folder, name))).size, name).toBeLessThan(250_000);
});

test('every picture that a page shows is one of them', async () => {
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
