import { h } from './dom.js';
import { unknown } from './elements.js';
import { plain } from './pieces.js';
import { richText } from './rich-text.js';

const cellKinds = {
  raw_text: (cell) => plain(cell.text),
  raw_number: (cell) => cell.text ?? String(cell.value),
  rich_text: richText,
};
const cellOf = (cell) => (cellKinds[cell.type] ?? ((other) => unknown('table cell', other)))(cell);

/** Slack's plain table, with all rows in order. */
export function table(block) {
  const [head = [], ...rows] = block.rows ?? [];
  const look = (at) => {
    const { align, is_wrapped: isWrapped } = block.column_settings?.[at] ?? {};
    return (
      [align && align !== 'left' ? align : '', isWrapped ? '' : 'unwrapped'].filter(Boolean).join(' ') || undefined
    );
  };
  return inBox(
    'Table',
    h(
      'tr',
      {},
      head.map((cell, at) => h('th', { scope: 'col', class: look(at) }, cellOf(cell))),
    ),
    h(
      'tbody',
      {},
      rows.map((row) =>
        h(
          'tr',
          {},
          row.map((cell, at) => h('td', { class: look(at) }, cellOf(cell))),
        ),
      ),
    ),
  );
}

const inBox = (label, head, body) =>
  h(
    'div',
    { class: 'table-scroll', tabindex: '0', role: 'region', 'aria-label': label },
    h('table', {}, h('thead', {}, head), body),
  );

const usualPage = 25;
const wordsOf = (cell) =>
  cell.type === 'rich_text'
    ? (cell.elements ?? [])
        .flatMap((part) => part.pieces ?? [])
        .map((piece) => piece.text)
        .join('')
    : (cell.text ?? String(cell.value));
const compare = new Intl.Collator('en', { numeric: true }).compare;

/** A table with a caption, sorting by a click on a heading, and pages. */
export function dataTable(block) {
  const [head = [], ...all] = block.rows ?? [];
  const size = block.page_size ?? usualPage;
  const pages = Math.max(1, Math.ceil(all.length / size));
  let rows = all;
  let page = 0;
  let sorted = { at: -1, sign: 1 };
  const body = h('tbody');
  const where = h('span', { class: 'muted', role: 'status' });
  const step = (label, by) => h('button', { type: 'button', class: 'button', onclick: () => show(page + by) }, label);
  const [previous, next] = [step('Previous', -1), step('Next', 1)];
  const heads = head.map((cell, at) =>
    h('th', { scope: 'col' }, h('button', { type: 'button', class: 'sort', onclick: () => sort(at) }, cellOf(cell))),
  );
  function sort(at) {
    sorted = { at, sign: sorted.at === at ? -sorted.sign : 1 };
    rows = all.toSorted((one, other) => sorted.sign * compare(wordsOf(one[at]), wordsOf(other[at])));
    for (const [column, node] of heads.entries())
      node.setAttribute('aria-sort', column !== at ? 'none' : sorted.sign > 0 ? 'ascending' : 'descending');
    show(0);
  }
  function show(to) {
    page = Math.max(0, Math.min(pages - 1, to));
    const from = page * size;
    const seen = rows.slice(from, from + size);
    body.replaceChildren(
      ...seen.map((row) =>
        h(
          'tr',
          {},
          row.map((cell, at) => h(at === block.row_header_column_index ? 'th' : 'td', {}, cellOf(cell))),
        ),
      ),
    );
    where.textContent = `${from + 1} to ${from + seen.length} of ${all.length}`;
    previous.disabled = page === 0;
    next.disabled = page === pages - 1;
  }
  show(0);
  return h(
    'figure',
    { class: 'data-table' },
    h('figcaption', {}, block.caption),
    inBox(block.caption, h('tr', {}, heads), body),
    pages > 1 && h('div', { class: 'actions' }, previous, next, where),
  );
}
