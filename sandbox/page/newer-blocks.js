import { h } from './dom.js';
import { elementNode } from './elements.js';
import { link, rich } from './pieces.js';
import { richText } from './rich-text.js';

/** Draws blocks that contain others: containers, cards, and plans with tasks. `draw` draws the contents. */

const states = {
  pending: ['○', 'Waiting'],
  in_progress: ['◔', 'Running'],
  complete: ['✓', 'Done'],
  error: ['×', 'Failed'],
};

function task({ title, status, details, output, sources = [] }) {
  const [sign, word] = states[status] ?? ['○', status];
  return h(
    'div',
    { class: `task ${status}` },
    h('span', { class: 'task-sign', 'aria-hidden': 'true' }, sign),
    h(
      'div',
      {},
      h('b', {}, title),
      h('span', { class: 'muted' }, ` · ${word}`),
      details && richText(details),
      output && richText(output),
      sources.length > 0 &&
        h(
          'p',
          { class: 'muted' },
          sources.flatMap(({ url, text }, at) => [at > 0 && ' · ', url ? link(url, text) : text]),
        ),
    ),
  );
}

const plan = ({ title, tasks = [] }) =>
  h('div', { class: 'framed' }, h('b', {}, title), h('div', { class: 'tasks' }, tasks.map(task)));

function container(block, { inside }) {
  const head = [
    h('b', {}, block.rich_text_title ? richText(block.rich_text_title) : rich(block.title)),
    block.subtitle && h('span', { class: 'muted' }, ' ', rich(block.subtitle)),
  ];
  const body = h('div', { class: 'blocks' });
  inside(body, block.child_blocks);
  return block.is_collapsible
    ? h('details', { class: 'framed', open: !block.default_collapsed }, h('summary', {}, head), body)
    : h('section', { class: 'framed' }, h('div', {}, head), body);
}

function card(block, { at, image }) {
  const { hero_image: hero, icon, title, subtitle, body, actions = [] } = block;
  return h(
    'div',
    { class: 'framed card' },
    hero && image(hero, 'large'),
    h('div', {}, icon && image(icon, 'tiny'), title && h('b', {}, rich(title))),
    subtitle && h('p', { class: 'muted' }, rich(subtitle)),
    body && h('p', {}, rich(body)),
    actions.length > 0 &&
      h(
        'div',
        { class: 'actions' },
        actions.map((element) => elementNode(at(block), element)),
      ),
  );
}

function feedback(element) {
  const names =
    element.type === 'icon_button' ? [element.text] : [element.positive_button?.text, element.negative_button?.text];
  return names.map((text) => h('span', { class: 'token' }, rich(text)));
}

/** @type {Record<string, (block: any, draw: {inside: (parent: HTMLElement, blocks: any[]) => void, at: (block: any) => any, image: (source: any, look: string) => Node}) => Node>} */
export const newerBlocks = {
  container,
  plan,
  task_card: task,
  card,
  carousel: ({ elements = [] }, draw) =>
    h(
      'div',
      { class: 'carousel' },
      elements.map((one) => card(one, draw)),
    ),
  context_actions: ({ elements = [] }) => h('div', { class: 'actions' }, elements.map(feedback)),
};
