import { escapeHtml } from './markdown.ts';
import type { DocPage } from './pages.ts';

/** A page with a sidebar of all pages. */
export function drawPage(page: DocPage, pages: readonly DocPage[], html: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${escapeHtml(page.summary)}">
<title>${escapeHtml(page.name === 'index' ? page.title : `${page.title} · Hostler`)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="style.css">
<script src="search-index.js" defer></script>
<script src="search.js" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header>
<a class="home" href="index.html">Hostler</a>
<form id="search" role="search">
<input id="words" type="search" placeholder="Search" aria-label="Search the documentation" autocomplete="off">
</form>
</header>
<div class="columns">
<nav aria-label="Pages">
${drawPageList(page, pages)}
</nav>
<main id="content">
<section id="results" aria-live="polite" hidden></section>
<article>
${html}</article>
</main>
</div>
</body>
</html>
`;
}

function drawPageList(current: DocPage, pages: readonly DocPage[]): string {
  const groups = Map.groupBy(
    pages.filter(({ group }) => group !== ''),
    ({ group }) => group,
  );
  return [...groups]
    .map(
      ([group, members]) =>
        `<p>${escapeHtml(group)}</p>\n<ul>\n${members.map((page) => drawLink(page, current)).join('\n')}\n</ul>`,
    )
    .join('\n');
}

function drawLink({ name, title }: DocPage, current: DocPage): string {
  const mark = name === current.name ? ' aria-current="page"' : '';
  return `<li><a href="${name}.html"${mark}>${escapeHtml(title)}</a></li>`;
}
