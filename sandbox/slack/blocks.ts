import { asDict, asDicts, type Dict, isDict } from './dict.ts';
import type { SlackState } from './state.ts';

// Slack gives unnamed blocks random ids. Here they are counted, so that transcripts of payloads are reproducible.
function shortId(state: SlackState): string {
  state.counter += 1;
  return `g${state.counter.toString(36).padStart(4, '0')}`;
}

function withTextDefaults(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withTextDefaults);
  if (!isDict(value)) return value;
  const inner: Dict = {};
  for (const name of Object.keys(value)) inner[name] = withTextDefaults(value[name]);
  if (inner.type === 'plain_text') return { emoji: true, ...inner };
  if (inner.type === 'mrkdwn') return { verbatim: false, ...inner };
  return inner;
}

const elementBlocks = new Set(['actions', 'context_actions']);
const hasNoAction = new Set(['image', 'mrkdwn', 'plain_text']);

function named(state: SlackState, element: Dict): Dict {
  if (typeof element.type !== 'string' || hasNoAction.has(element.type) || element.type.startsWith('rich_text_')) {
    if (element.type !== 'rich_text_input') return element;
  }
  return typeof element.action_id === 'string' ? element : { ...element, action_id: shortId(state) };
}

/** Blocks as Slack returns them: with block ids, action ids and the defaults of text objects. */
export function normalizeBlocks(state: SlackState, blocks: readonly Dict[]): Dict[] {
  return blocks.map((raw) => {
    const block = asDict(withTextDefaults(raw));
    const out: Dict = { ...block };
    if (typeof out.block_id !== 'string') out.block_id = shortId(state);
    if (isDict(block.accessory)) out.accessory = named(state, block.accessory);
    if (isDict(block.element)) out.element = named(state, block.element);
    if (Array.isArray(block.child_blocks)) out.child_blocks = normalizeBlocks(state, asDicts(block.child_blocks));
    if (elementBlocks.has(String(block.type)))
      out.elements = asDicts(block.elements).map((element) => named(state, element));
    if (Array.isArray(block.actions)) out.actions = asDicts(block.actions).map((element) => named(state, element));
    if (block.type === 'carousel') out.elements = normalizeBlocks(state, asDicts(block.elements));
    return out;
  });
}

/** The blocks and those inside of containers and carousels. */
const withChildren = (blocks: readonly Dict[]): Dict[] =>
  blocks.flatMap((block) => [
    block,
    ...asDicts(block.child_blocks),
    ...(block.type === 'carousel' ? asDicts(block.elements) : []),
  ]);

/** All interactive elements, each with its block. */
export function elementsOf(blocks: readonly Dict[]): { block: Dict; element: Dict }[] {
  return withChildren(blocks).flatMap((block) => {
    const elements = elementBlocks.has(String(block.type))
      ? asDicts(block.elements)
      : [block.accessory, block.element, ...(block.type === 'card' ? asDicts(block.actions) : [])].filter(isDict);
    return elements.filter((element) => typeof element.action_id === 'string').map((element) => ({ block, element }));
  });
}
