import type {
  ActionsBlock,
  ExternalSelect,
  KnownBlock,
  Overflow,
  SectionBlock,
  Button as SlackButton,
  StaticSelect,
  TextObject,
} from '@slack/types';
import { defined } from '../../core/text/defined.ts';
import { type Intent, intentSchema } from '../../core/view/intent.ts';
import type { Button, ViewPart } from '../../core/view/view.ts';
import { orDash, plainText, shortText } from './escape.ts';
import type { Control } from './parts.ts';
import type { Numbering, Pen } from './pen.ts';

/**
 * Draws buttons and menus. The value carries the intent, which is parsed again after the click. The action_id shows
 * whether the click opens a modal, so that inbound can open it before anything else.
 */

export const opensPrefix = 'open:';
const actsPrefix = 'act:';
export const picksPrefix = 'pick:';
/** The prefix of a search over everything; the value of an option names the result. */
export const findsPrefix = 'find:';
/** Marks the value of an option that opens a modal, since all options of a menu share one action_id. */
export const opensMark = '!';

const valueLimit = 2_000;
const optionValueLimit = 75;
const blockIdLimit = 255;
const perRow = 25;
const overflowLimit = 5;

type ControlPen = Pick<Pen, 'numbering' | 'avoid'>;
type Menu = StaticSelect | Overflow;
type Element = SlackButton | Menu | ExternalSelect;

/**
 * Draws neighboring buttons and menus as one row. Controls that Slack cannot carry are counted as left out. If Slack
 * refuses rows of controls, each control is beside a section; if it refuses menus, their options become buttons.
 */
export function controlBlocks(
  controls: readonly Control[],
  pen: ControlPen,
): { rows: readonly { blocks: readonly KnownBlock[]; buttons: number }[]; leftOut: number } {
  const { blocks, leftOut } = actionBlocks(controls, pen);
  const { avoid } = pen;
  if (!avoid.has('actions'))
    return { rows: blocks.map((block) => ({ blocks: [block], buttons: block.elements.length })), leftOut };
  const each = blocks.flatMap(({ block_id, elements }) => elements.map((element) => ({ block_id, element })));
  if (avoid.has('section')) return { rows: [], leftOut: leftOut + each.length };
  return {
    rows: each.map(({ block_id, element }) => ({ blocks: [besideSection(element, block_id)], buttons: 1 })),
    leftOut,
  };
}

/** A section with the only control beside the text, if Slack accepts it there. */
export function besideWords(words: TextObject, controls: readonly Control[], pen: ControlPen) {
  if (['section', 'actions', 'accessory'].some((type) => pen.avoid.has(type))) return undefined;
  const { blocks, leftOut } = actionBlocks(controls, pen);
  const [row, ...others] = blocks;
  const [element, ...more] = row?.elements ?? [];
  if (row === undefined || element === undefined || others.length + more.length > 0) return undefined;
  return { block: { ...besideSection(element, row.block_id), text: words }, leftOut };
}

/** The row's id is that of its menu. */
function besideSection(element: Element, rowId: string | undefined): SectionBlock {
  const isMenu = element.type === 'static_select' || element.type === 'overflow';
  return {
    type: 'section',
    ...(isMenu && rowId !== undefined ? { block_id: rowId } : {}),
    text: plainText(orDash(wordsOf(element) ?? '')),
    accessory: element,
  };
}

function wordsOf(element: Element): string | undefined {
  if (element.type === 'overflow') return 'More';
  return element.type === 'button' ? element.text.text : element.placeholder?.text;
}

/** A row with the kinds of elements that the bot draws. */
type Row = Omit<ActionsBlock, 'elements'> & { elements: Element[] };

function actionBlocks(controls: readonly Control[], pen: ControlPen) {
  const { numbering, avoid } = pen;
  const rows: Row[] = [];
  let leftOut = 0;
  let elements: Row['elements'] = [];
  // A row has at most one menu, since the block's id contains the common part of its options.
  let shared: string | undefined;
  const flush = () => {
    if (elements.length > 0) rows.push({ type: 'actions', ...defined({ block_id: shared }), elements });
    elements = [];
    shared = undefined;
  };
  for (const part of controls) {
    if (part.kind === 'find') {
      if (avoid.has('external_select')) continue;
      if (elements.length === perRow) flush();
      elements.push(findElement(part.label, numbering));
      continue;
    }
    const menu = part.kind === 'menu' ? menuElement(part, pen) : undefined;
    if (menu !== undefined) {
      if (elements.length === perRow || shared !== undefined) flush();
      elements.push(menu.element);
      shared = menu.shared;
      continue;
    }
    for (const button of part.kind === 'menu' ? part.options : part.buttons) {
      const element = buttonElement(button, numbering);
      if (element === undefined) {
        leftOut += 1;
        continue;
      }
      if (elements.length === perRow) flush();
      elements.push(element);
    }
  }
  flush();
  return { blocks: rows, leftOut };
}

function buttonElement(button: Button, numbering: Numbering): SlackButton | undefined {
  const value = carried(button.intent);
  if (value === undefined) return undefined;
  return {
    type: 'button',
    action_id: `${button.opens === true ? opensPrefix : actsPrefix}${numbering.next++}`,
    text: shortText(button.label, 75),
    value,
    ...defined({ style: button.style }),
  };
}

/** The value of an intent; undefined if a click could not be parsed. */
function carried(intent: Intent): string | undefined {
  const checked = intentSchema.safeParse(intent);
  if (!checked.success) return undefined;
  const value = JSON.stringify(checked.data);
  return value.length <= valueLimit ? value : undefined;
}

/**
 * Draws a menu as a select, because Slack's overflow menu has no label; only rare options are behind `⋯`. An option's
 * value has at most 75 characters, too few for an intent, so the block's id contains the common part of all intents,
 * and the option the rest. Undefined if even that does not fit; then the options become buttons.
 */
function menuElement(
  { label, options, isOverflow }: Extract<ViewPart, { kind: 'menu' }>,
  { numbering, avoid }: ControlPen,
): { element: Menu; shared: string } | undefined {
  const [first] = options;
  const isRare = isOverflow === true && options.length <= overflowLimit && !avoid.has('overflow');
  if (first === undefined || (!isRare && avoid.has('static_select'))) return undefined;
  const groups = [...Map.groupBy(options.entries(), ([, { group }]) => group ?? '')];
  if (groups.length > 100 || groups.some(([, members]) => members.length > 100)) return undefined;
  if (options.some((option) => carried(option.intent) === undefined)) return undefined;
  const intents = options.map(({ intent }) => new Map(Object.entries(intent)));
  const common = Object.entries(first.intent).filter(([name, value]) =>
    intents.every((intent) => intent.get(name) === value),
  );
  const names = new Set(common.map(([name]) => name));
  // A new id for each edit: with the same id, a select may keep the picked option, and picking it again has no effect.
  const shared = `${picksPrefix}${numbering.next}.${numbering.generation}:${JSON.stringify(Object.fromEntries(common))}`;
  const rests = options.map((option) => {
    const rest = Object.fromEntries(Object.entries(option.intent).filter(([name]) => !names.has(name)));
    return `${option.opens === true ? opensMark : ''}${JSON.stringify(rest)}`;
  });
  if (shared.length > blockIdLimit || rests.some((rest) => rest.length > optionValueLimit)) return undefined;
  if (new Set(rests).size !== rests.length) return undefined;
  const actionId = `${picksPrefix}${numbering.next++}`;
  const drawn = groups.map(([group, members]) => ({
    label: shortText(group, 75),
    options: members.map(([index, option]) => ({ text: shortText(option.label, 75), value: rests[index] ?? '{}' })),
  }));
  const all = { options: drawn.flatMap((group) => group.options) };
  if (isRare) return { shared, element: { type: 'overflow', action_id: actionId, ...all } };
  const grouped = first.group === undefined ? all : { option_groups: drawn };
  return {
    shared,
    element: { type: 'static_select', action_id: actionId, placeholder: shortText(label, 75), ...grouped },
  };
}

/** A search from the first letter on; before that it shows the first results. */
function findElement(label: string, numbering: Numbering): ExternalSelect {
  return {
    type: 'external_select',
    action_id: `${findsPrefix}${numbering.next++}`,
    placeholder: shortText(label, 75),
    min_query_length: 0,
  };
}
