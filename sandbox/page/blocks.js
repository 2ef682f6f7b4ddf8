import { fileUrl } from './api.js';
import { h, newId, reconcile } from './dom.js';
import { elementNode, unknown } from './elements.js';
import { markdown } from './markdown.js';
import { newerBlocks } from './newer-blocks.js';
import { link, rich } from './pieces.js';
import { richText } from './rich-text.js';
import { dataTable, table } from './tables.js';

/**
 * Draws all blocks that the bot can send. `scene` is their place:
 * @typedef {{place: object, values: any, errors?: Record<string, string>, drafts?: Map<string, unknown>}} Scene
 */

const atOf = (scene, block, more = {}) => ({
  place: scene.place,
  values: scene.values,
  drafts: scene.drafts,
  block,
  isInput: false,
  ...more,
});

/** A picture of the sandbox. Other sites' pictures are only linked, because this page loads nothing from elsewhere. */
function picture({ file, href, alt_text: alt = '' }, look) {
  if (file !== undefined) return h('img', { class: look, src: fileUrl(file), alt, loading: 'lazy' });
  return h(
    'span',
    { class: `${look} elsewhere` },
    href === undefined ? alt || 'A picture' : link(href, alt || 'A picture on another site'),
  );
}

const levels = {
  default: ['', ''],
  info: ['i', 'Note: '],
  warning: ['!', 'Warning: '],
  error: ['×', 'Error: '],
  success: ['✓', 'Done: '],
};

function input(block, scene) {
  const [labelId, hintId, errorId] = [newId('label'), newId('hint'), newId('error')];
  const error = scene.errors?.[block.block_id];
  const describedBy = [block.hint && hintId, error && errorId].filter(Boolean).join(' ') || undefined;
  return h(
    'div',
    { class: error ? 'input wrong' : 'input' },
    h(
      'div',
      { class: 'label', id: labelId },
      rich(block.label),
      block.optional && h('span', { class: 'muted' }, ' (optional)'),
    ),
    elementNode(atOf(scene, block, { error, labelId, describedBy, isInput: true }), block.element),
    error && h('p', { class: 'error', id: errorId }, error),
    block.hint && h('p', { class: 'hint', id: hintId }, rich(block.hint)),
  );
}

const makers = {
  header: (block) => h('h3', { class: 'header' }, rich(block.text)),
  divider: () => h('hr'),
  section: (block, scene) =>
    h(
      'div',
      { class: 'section' },
      h(
        'div',
        { class: 'section-text' },
        block.text && h('div', { class: 'rich' }, rich(block.text)),
        block.fields &&
          h(
            'div',
            { class: 'fields' },
            block.fields.map((field) => h('div', { class: 'rich' }, rich(field))),
          ),
      ),
      block.accessory &&
        h(
          'div',
          { class: 'accessory' },
          block.accessory.type === 'image'
            ? picture(block.accessory, 'thumb')
            : elementNode(atOf(scene, block), block.accessory),
        ),
    ),
  context: (block) =>
    h(
      'div',
      { class: 'context' },
      block.elements.map((element) =>
        element.type === 'image' ? picture(element, 'tiny') : h('span', {}, rich(element)),
      ),
    ),
  actions: (block, scene) =>
    h(
      'div',
      { class: 'actions' },
      block.elements.map((element) => elementNode(atOf(scene, block), element)),
    ),
  image: (block) =>
    h('figure', { class: 'picture' }, block.title && h('figcaption', {}, rich(block.title)), picture(block, 'large')),
  input,
  rich_text: (block) => h('div', { class: 'rich-block' }, richText(block)),
  markdown: (block) => h('div', { class: 'markdown' }, markdown(block.text)),
  table,
  data_table: dataTable,
  alert: (block) => {
    const level = block.level in levels ? block.level : 'default';
    const [sign, word] = levels[level];
    return h(
      'div',
      { class: `alert ${level}` },
      sign && h('span', { class: 'sign', 'aria-hidden': 'true' }, sign),
      h('div', { class: 'rich' }, word && h('span', { class: 'unseen' }, word), rich(block.text)),
    );
  },
};

function newer(block, scene) {
  const draw = {
    inside: (parent, blocks) => showBlocks(parent, blocks, scene),
    at: (inner) => atOf(scene, inner),
    image: picture,
  };
  return newerBlocks[block.type]?.(block, draw) ?? unknown('block', block);
}

/**
 * The data outside of a block on which its drawing depends.
 * @param {any} block
 * @param {Scene} scene
 */
function signature(block, { values, errors }) {
  const isTyped = /_input$/.test(block.element?.type ?? '') && block.element.type !== 'file_input';
  return JSON.stringify([block, isTyped ? null : values?.[block.block_id], errors?.[block.block_id]]);
}

/** @param {HTMLElement} parent @param {readonly any[]} blocks @param {Scene} scene */
export function showBlocks(parent, blocks, scene) {
  reconcile(
    parent,
    blocks.map((block, at) => ({
      key: block.block_id ?? `${at}`,
      signature: signature(block, scene),
      make: () => (makers[block.type] ?? newer)(block, scene),
    })),
  );
}
