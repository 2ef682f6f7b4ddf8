import { Marked, type Token, type Tokens } from 'marked';
import { createAnchors } from './anchors.ts';

/** A heading of a page, and the text up to the next heading. */
export interface Section {
  readonly heading: string;
  /** The heading's anchor. */
  readonly anchor: string;
  readonly text: string;
}

export interface RenderedPage {
  readonly html: string;
  readonly sections: readonly Section[];
  /** The unchanged targets of links and pictures. */
  readonly targets: readonly string[];
}

/** Renders a page. `lead` returns the address of a link's target in the site. */
export function renderMarkdown(markdown: string, lead: (target: string) => string): RenderedPage {
  const anchors = createAnchors();
  const sections: { heading: string; anchor: string; words: string[] }[] = [];
  const targets: string[] = [];
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const anchor = anchors(plainText(tokens));
        sections.push({ heading: plainText(tokens), anchor, words: [] });
        return `<h${depth} id="${anchor}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        targets.push(href);
        return `<a href="${escapeHtml(lead(href))}">${this.parser.parseInline(tokens)}</a>`;
      },
      image({ href, text }) {
        targets.push(href);
        return `<img src="${escapeHtml(lead(href))}" alt="${escapeHtml(text)}">`;
      },
      code({ text }) {
        return scrolling('Code', `<pre><code>${escapeHtml(text)}</code></pre>`);
      },
    },
  });
  const tokens = marked.lexer(markdown);
  // Wide tables scroll separately, also with the keyboard.
  const html = marked.parser(tokens).replace(/<table>[\s\S]*?<\/table>/g, (table) => scrolling('Table', table));
  let at = -1;
  for (const token of tokens) {
    if (token.type === 'heading') at += 1;
    else sections[at]?.words.push(plainText([token]));
  }
  return {
    html,
    sections: sections.map(({ words, ...section }) => ({
      ...section,
      text: words.join(' ').replace(/\s+/g, ' ').trim(),
    })),
    targets,
  };
}

function scrolling(label: string, html: string): string {
  return `<div class="scrolls" role="group" aria-label="${label}" tabindex="0">${html}</div>\n`;
}

/** The plain text of tokens. */
function plainText(tokens: readonly Token[]): string {
  return tokens.map(plainTextOf).join('');
}

function plainTextOf(token: Token): string {
  if (token.type === 'html') return ' ';
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table;
    return [header, ...rows].map((row) => row.map((cell) => plainText(cell.tokens)).join(' ')).join(' ');
  }
  if (token.type === 'list') return (token as Tokens.List).items.map((item) => plainText(item.tokens)).join(' ');
  const inner = 'tokens' in token ? token.tokens : undefined;
  if (inner !== undefined) return plainText(inner);
  return 'text' in token ? String(token.text) : ' ';
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? sign);
}
