import { h } from './dom.js';
import { unknown } from './elements.js';
import { pieces } from './pieces.js';

/** A block of rich text, and the cells, details and titles that are made of one. */

const lists = { bullet: 'ul', ordered: 'ol' };

/** Parts of rich text; neighboring lists of another indent stand inside each other only by their margin. */
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
/** Lines that begin with − or + are shown as a change. */
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
