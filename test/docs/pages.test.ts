import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { createAnchors } from '../../site/anchors.ts';
import { docPages, llmsText } from '../../site/pages.ts';
import { fileNames } from '../browser/pictures.ts';
import { newFolder } from '../support/process/new-folder.ts';
import { run } from '../support/process/run.ts';

// The pages of docs as a whole: their index, their length, and where they link to.

const pages = globSync('docs/*.md').sort();
const read = (file: string) => readFileSync(file, 'utf8');
const withoutFences = (text: string) => text.replace(/^ *```[\s\S]*?^ *```$/gm, '');
const titleOf = (file: string) => /^# (.+)$/m.exec(read(file))?.[1];

test('docs/index.md lists each page once, by its title', () => {
  expect(docPages().length).toBeGreaterThan(15);
  expect(docPages().map(({ name, title }) => [name, title])).toEqual(
    docPages().map(({ name }) => [name, titleOf(`docs/${name}.md`)]),
  );
  const listed = docPages().map(({ name }) => name);
  expect(listed.toSorted()).toEqual(pages.map((page) => basename(page, '.md')).filter((name) => name !== 'index'));
  const seen = [...new Set(docPages().map(({ group }) => group))];
  expect(seen).toEqual(['Set up', 'Permissions', 'DNS', 'Alerts', 'Run', 'Reference']);
});

test('docs/llms.txt is generated from the index: npm run docs', () => {
  expect(read('docs/llms.txt')).toBe(llmsText());
});

/** The most lines of a page; of any other it is 200. */
const mostLines: Readonly<Record<string, number>> = {
  'README.md': 150,
  'docs/opinions.md': 80,
  'docs/measurements.md': 100,
  'proof/README.md': 65,
};

test.each([...new Set([...pages, ...Object.keys(mostLines)])])('%s is short', (page) => {
  expect(read(page).split('\n').length - 1).toBeLessThanOrEqual(mostLines[page] ?? 200);
});

test.each([...pages, 'README.md', 'CONTRIBUTING.md'])('%s links only to headings that exist', (page) => {
  const dead = [...withoutFences(read(page)).matchAll(/\]\(([^)#\s]*)#([^)\s]+)\)/g)]
    .filter(([, target = '']) => !target.startsWith('https:'))
    .map(([, target = '', anchor = '']) => ({ file: target === '' ? page : join(dirname(page), target), anchor }))
    .filter(({ file, anchor }) => !anchorsOf(file).includes(anchor));
  expect(dead).toEqual([]);
});

function anchorsOf(file: string): readonly string[] {
  const anchor = createAnchors();
  return [...withoutFences(read(file)).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) =>
    anchor(heading.replace(/[`*]/g, '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')),
  );
}

test('npm run docs:build makes a site without dead links', async () => {
  const folder = await newFolder('docs');
  await run('npm', ['run', 'docs:build', '--', folder]);
  const built = globSync('*.html', { cwd: folder });
  expect(built.length).toBeGreaterThan(pages.length);
  expect(read(join(folder, 'llms.txt'))).toBe(llmsText());
  for (const { name } of docPages()) expect(read(join(folder, `${name}.md`))).toBe(read(`docs/${name}.md`));
  const dead = built.flatMap((page) => {
    const html = read(join(folder, page));
    // The site loads nothing from another host.
    expect(html.match(/(?:src|<link[^>]* href)="https?:[^"]*"/g), page).toBeNull();
    return [...html.matchAll(/(?:href|src)="([^"#]*)(?:#([^"]*))?"/g)]
      .filter(([, target = '']) => !/^(https:|data:)/.test(target))
      .filter(([, target = '', anchor]) => {
        const file = join(folder, target === '' ? page : target);
        return !existsSync(file) || (anchor !== undefined && !read(file).includes(`id="${anchor}"`));
      })
      .map(([link]) => `${page}: ${link}`);
  });
  expect(dead).toEqual([]);
});

test('each sentence that docs/troubleshooting.md quotes in bold is in the program', () => {
  // Slack's own words.
  const ofSlack = ['dispatch_failed', 'did not respond'];
  const source = globSync('src/**/*.ts')
    .map(read)
    .join('\n')
    .replace(/['`,]?\s*\n\s*['`]?/g, '');
  const quoted = [...read('docs/troubleshooting.md').matchAll(/\*\*([^*]+)\*\*/g)]
    .flatMap(([, bold = '']) => [...bold.matchAll(/"([^"]+)"/g)].map(([, quote = '']) => quote))
    .filter((quote) => !ofSlack.includes(quote));
  expect(quoted.length).toBeGreaterThan(7);
  const pieces = quoted.flatMap((quote) => quote.split('…')).map((piece) => piece.trim().replace(/\.$/, ''));
  expect(pieces.filter((piece) => piece !== '' && !source.includes(piece))).toEqual([]);
});

test('docs/screenshots has exactly the files of `node test/browser/screenshots.ts`, and they are small', () => {
  const there = globSync('*', { cwd: 'docs/screenshots' });
  expect(there.sort()).toEqual(fileNames().sort());
  const sizes = there.map((name) => statSync(join('docs/screenshots', name)).size);
  expect(Math.max(...sizes)).toBeLessThan(250_000);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(6_000_000);
  const shown = ['README.md', ...pages].flatMap((page) => [...read(page).matchAll(/screenshots\/([\w-]+\.png)/g)]);
  expect(there).toEqual(expect.arrayContaining(['sandbox.png', ...shown.map(([, name]) => name)]));
});
