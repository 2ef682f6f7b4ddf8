import { h } from './dom.js';
import { unknown } from './elements.js';
import { pieces } from './pieces.js';

/** Draws rich text: blocks, and the cells, details and titles that consist of it. */

const lists = { bullet: 'ul', ordered: 'ol' };

/** Draws the parts of rich text. Lists with different indents are not nested; only their margins differ. */
const richParts = {
  rich_text_section: (part) => h('div', { class: 'rich' }, pieces(part.pieces)),
  rich_text_quote: (part) => h('blockquote', {}, pieces(part.pieces)),
  rich_text_preformatted: (part) =>
    h(
      'pre',
      { class: isDiff(part) ? 'diff' : undefined, tabindex: '0', role: 'region', 'aria-label': 'Text as it is' },
      isDiff(part) ? diffLines(part) : h('code', {}, pieces(part.pieces)),
    ),
  rich_text_list: (part) =>
    h(
      lists[part.style] ?? 'ul',
      { class: `indent-${part.indent ?? 0}`, start: part.offset ? part.offset + 1 : undefined },
      part.items.map((item) => h('li', {}, pieces(item))),
    ),
};

const textOf = (part) => (part.pieces ?? []).map((piece) => piece.text).join('');
/** Whether the text has lines that begin with − or +, which are shown as a change. */
const isDiff = (part) =>
  /^[+−] /m.test(textOf(part)) &&
  textOf(part)
    .split('\n')
    .every((line) => /^[+− ]( |$)/.test(line) || line === '');
const diffLines = (part) =>
  textOf(part)
    .split('\n')
    .map((line) => h('span', { class: { '+': 'added', '−': 'removed' }[line[0]] ?? 'same' }, `${line}\n`));

export const richText = (block) =>
  (block.elements ?? []).map((part) => (richParts[part.type] ?? ((other) => unknown('rich text', other)))(part));
