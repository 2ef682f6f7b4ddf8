import { h } from './dom.js';
import { link } from './pieces.js';

/** The common part of Markdown, for Slack's markdown block. */

/** @type {readonly [RegExp, (match: RegExpExecArray) => Node][]} */
const inlineForms = [
  [/`([^`\n]+)`/, (m) => h('code', {}, m[1])],
  [/\*\*(.+?)\*\*/, (m) => h('b', {}, inline(m[1]))],
  [/~~(.+?)~~/, (m) => h('s', {}, inline(m[1]))],
  [/\[([^[\]\n]+)\]\((https?:\/\/[^\s()]+)\)/, (m) => link(m[2], inline(m[1]))],
  [/(?<![\w*])[*_](?=\S)([^*_\n]+?)[*_](?!\w)/, (m) => h('i', {}, inline(m[1]))],
];

function inline(text) {
  let first;
  for (const [pattern, make] of inlineForms) {
    const match = pattern.exec(text);
    if (match !== null && (first === undefined || match.index < first.match.index)) first = { match, make };
  }
  if (first === undefined) return [text];
  const { match, make } = first;
  return [text.slice(0, match.index), make(match), ...inline(text.slice(match.index + match[0].length))];
}

const cells = (line) => line.replace(/^\s*\||\|\s*$/g, '').split('|');

/** @type {readonly [RegExp, (lines: string[]) => Node][]} */
const forms = [
  [/^```/, fence],
  [
    /^(#{1,6})\s/,
    (lines) => {
      const [, marks, text] = /^(#+)\s+(.*)$/.exec(lines.shift() ?? '') ?? [];
      return h('p', { class: `heading level-${marks?.length ?? 1}` }, inline(text ?? ''));
    },
  ],
  [/^\s*(?:[-*+]|\d+\.)\s/, items],
  [
    /^>/,
    (lines) =>
      h(
        'blockquote',
        {},
        inline(
          take(lines, /^>/)
            .map((line) => line.replace(/^>\s?/, ''))
            .join('\n'),
        ),
      ),
  ],
  [
    /^\s*(?:---|\*\*\*)\s*$/,
    (lines) => {
      lines.shift();
      return h('hr');
    },
  ],
  [
    /^\s*\|.*\|\s*$/,
    (lines) => {
      const rows = take(lines, /^\s*\|/)
        .filter((line) => !/^[\s|:-]+$/.test(line))
        .map(cells);
      return h(
        'div',
        { class: 'table-scroll', tabindex: '0', role: 'region', 'aria-label': 'Table' },
        h(
          'table',
          {},
          rows.map((row, at) =>
            h(
              'tr',
              {},
              row.map((cell) => h(at === 0 ? 'th' : 'td', at === 0 ? { scope: 'col' } : {}, inline(cell.trim()))),
            ),
          ),
        ),
      );
    },
  ],
];

function take(lines, pattern) {
  const taken = [];
  while (lines.length > 0 && pattern.test(lines[0])) taken.push(lines.shift());
  return taken;
}

function fence(lines) {
  lines.shift();
  const taken = [];
  while (lines.length > 0 && !lines[0].startsWith('```')) taken.push(lines.shift());
  lines.shift();
  return h('pre', {}, h('code', {}, taken.join('\n')));
}

function items(lines) {
  const pattern = /^\s*(?:[-*+]|\d+\.)\s+/;
  const tag = /^\s*\d/.test(lines[0]) ? 'ol' : 'ul';
  return h(
    tag,
    {},
    take(lines, pattern).map((line) => h('li', {}, inline(line.replace(pattern, '')))),
  );
}

export function markdown(text) {
  const lines = text.split('\n');
  const out = [];
  while (lines.length > 0) {
    const form = forms.find(([pattern]) => pattern.test(lines[0]));
    if (lines[0].trim() === '') lines.shift();
    else if (form !== undefined) out.push(form[1](lines));
    else {
      const taken = [lines.shift()];
      while (lines.length > 0 && lines[0].trim() !== '' && !forms.some(([pattern]) => pattern.test(lines[0])))
        taken.push(lines.shift());
      out.push(h('p', {}, inline(taken.join('\n'))));
    }
  }
  return out;
}
