import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { type RenderedPage, renderMarkdown } from './markdown.ts';
import { type DocPage, docPages } from './pages.ts';
import { drawPage } from './template.ts';

/** `npm run docs:build` makes a site of the documentation that needs no server and no network. */
function buildSite(to: string): void {
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to, { recursive: true });
  const pages: readonly DocPage[] = [
    { name: 'index', title: "Hostler's documentation", summary: '', group: '' },
    ...docPages(),
    { name: 'readme', title: 'README', summary: 'The bot in one page.', group: 'Reference' },
    { name: 'contributing', title: 'Contributing', summary: 'How the code is written.', group: 'Reference' },
    { name: 'changes', title: 'Changes', summary: 'What is new in each version.', group: 'Reference' },
  ];
  const index: { page: string; heading: string; href: string; text: string }[] = [];
  for (const page of pages) {
    const file = fileOf(page);
    const rendered = renderMarkdown(readFileSync(file, 'utf8'), (target) => leadTo(file, target));
    for (const target of rendered.targets) copyTarget(file, target, to);
    writeFileSync(join(to, `${page.name}.html`), drawPage(page, pages, rendered.html));
    // The Markdown is for programs.
    cpSync(file, join(to, `${page.name}.md`));
    index.push(...entriesOf(page, rendered));
  }
  writeFileSync(join(to, 'search-index.js'), `globalThis.hostlerPages = ${JSON.stringify(index)};\n`);
  for (const name of ['search.js', 'style.css']) cpSync(join('site/page', name), join(to, name));
  cpSync('docs/llms.txt', join(to, 'llms.txt'));
}

/** Pages outside of docs. */
const elsewhere: Readonly<Record<string, string>> = {
  readme: 'README.md',
  contributing: 'CONTRIBUTING.md',
  changes: 'CHANGELOG.md',
};
const fileOf = ({ name }: DocPage) => elsewhere[name] ?? `docs/${name}.md`;

function entriesOf({ name, title }: DocPage, { sections }: RenderedPage) {
  return sections.map(({ heading, anchor, text }) => ({ page: title, heading, href: `${name}.html#${anchor}`, text }));
}

const isOutside = (target: string) => /^https?:/.test(target);
/** The path in the repository of a link's target. */
const repositoryPath = (file: string, target: string) => normalize(join(dirname(file), target.replace(/#.*$/, '')));

/** The address of a target in the site: another page, or a copied file of the repository. */
function leadTo(file: string, target: string): string {
  if (isOutside(target) || target.startsWith('#')) return target;
  const [, anchor = ''] = /(#.*)$/.exec(target) ?? [];
  const path = repositoryPath(file, target);
  const [other] = Object.entries(elsewhere).find(([, of]) => of === path) ?? [];
  const page = other ?? /^docs\/([\w-]+)\.md$/.exec(path)?.[1];
  return page === undefined ? copyOf(path) : `${page}.html${anchor}`;
}

/** The name of a copied file. It ends in .txt, since a browser would download unknown types. */
const copyOf = (path: string) => (path.endsWith('.png') ? `files/${path}` : `files/${path}.txt`);

function copyTarget(file: string, target: string, to: string): void {
  if (isOutside(target) || target.startsWith('#')) return;
  const path = repositoryPath(file, target);
  if (!leadTo(file, target).startsWith('files/')) return;
  cpSync(path, join(to, copyOf(path)));
}

const [to = 'docs-site'] = process.argv.slice(2);
buildSite(to);
console.log(`${join(to, 'index.html')} has the documentation.`);
