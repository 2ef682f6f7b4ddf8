import { type Dict, isDict } from '../dict.ts';
import { block, cell, tableLimits } from './block.ts';
import { anyText, imageSource, oneImageSource, plainText } from './composition.ts';
import { elementsFor } from './elements.ts';
import { type BlockRow, newerBlocks } from './newer-blocks.ts';
import { richTextElements } from './rich-text.ts';
import {
  boolean,
  integer,
  isRuleOn,
  list,
  oneOf,
  problem,
  type Report,
  type Surface,
  shape,
  string,
  unsupported,
  type ValidationRule,
  whileOn,
} from './rule.ts';

const everywhere: readonly Surface[] = ['message', 'modal', 'home'];

const inContext = elementsFor('context');
const inContextText = anyText(3000);
const contextElement: ValidationRule = (value, at, report) => {
  const isImage = isDict(value) && value.type === 'image';
  (isImage ? inContext : inContextText)(value, at, report);
};

const columnSettings = shape({}, { align: oneOf('left', 'center', 'right'), is_wrapped: boolean });
const columnSettingsOrNull: ValidationRule = (value, at, report) => {
  if (value !== null) columnSettings(value, at, report);
};

const dispatchable = (value: Dict, at: string, report: Report): void => {
  report.inputs += 1;
  if (value.dispatch_action === true && isDict(value.element) && value.element.type === 'file_input') {
    problem(report, at, 'file_input cannot dispatch actions');
  }
};

const blocks: Record<string, BlockRow> = {
  section: {
    surfaces: everywhere,
    rule: block(
      'section',
      {},
      { text: anyText(3000), fields: list(anyText(2000), 10, 1), accessory: elementsFor('section'), expand: boolean },
      (value, at, report) => {
        if (!('text' in value) && !('fields' in value)) problem(report, at, 'must define either `text` or `fields`');
      },
    ),
  },
  header: { surfaces: everywhere, rule: block('header', { text: plainText(150) }, { level: integer(1, 4) }) },
  divider: { surfaces: everywhere, rule: block('divider', {}) },
  context: { surfaces: everywhere, rule: block('context', { elements: list(contextElement, 10, 1) }) },
  actions: { surfaces: everywhere, rule: block('actions', { elements: list(elementsFor('actions'), 25, 1) }) },
  image: {
    surfaces: everywhere,
    rule: block('image', { alt_text: string(2000, 1) }, { title: plainText(2000), ...imageSource }, oneImageSource),
  },
  input: {
    surfaces: everywhere,
    rule: block(
      'input',
      { label: plainText(2000), element: elementsFor('input') },
      { hint: plainText(2000), optional: boolean, dispatch_action: boolean },
      dispatchable,
    ),
  },
  rich_text: { surfaces: everywhere, rule: block('rich_text', { elements: richTextElements }) },
  alert: {
    surfaces: everywhere,
    limit: { rule: 'alert-only-in-modals', surfaces: ['message', 'home'] },
    rule: block(
      'alert',
      { text: whileOn('alert-200', anyText(200), anyText(3000)) },
      { level: oneOf('default', 'info', 'warning', 'error', 'success') },
    ),
  },
  markdown: { surfaces: ['message'], rule: block('markdown', { text: string(12_000, 1) }) },
  table: {
    surfaces: ['message', 'home'],
    limit: { rule: 'table-only-in-messages', surfaces: ['home'] },
    rule: block(
      'table',
      { rows: list(list(cell, 20, 1), 100, 1) },
      {
        column_settings: list(whileOn('table-settings-are-objects', columnSettings, columnSettingsOrNull), 20),
      },
      tableLimits,
    ),
  },
  file: {
    surfaces: ['message'],
    rule: (_value, at, report) => problem(report, at, 'file blocks cannot be posted; they only appear when reading'),
  },
  ...newerBlocks(oneBlock),
};

export const blockTypes = Object.keys(blocks);

/** All blocks of one message or view. */
export function checkBlocks(value: unknown, at: string, report: Report): void {
  list(oneBlock, report.surface === 'message' ? 50 : 100)(value, at, report);
}

/** One block, at the top or in a container. */
function oneBlock(value: unknown, at: string, report: Report): void {
  if (!isDict(value)) {
    problem(report, at, 'must provide an object');
    return;
  }
  const name = String(value.type);
  const row = Object.hasOwn(blocks, name) ? blocks[name] : undefined;
  if (row !== undefined && isOpen(name, row, report)) row.rule(value, at, report);
  else {
    const others = Object.entries(blocks).filter(([other, otherRow]) => isOpen(other, otherRow, report));
    unsupported(
      report,
      at,
      value.type,
      '',
      others.map(([other]) => other),
    );
  }
}

/** Whether the checked surface allows this type of block. */
function isOpen(name: string, { surfaces, limit }: BlockRow, report: Report): boolean {
  if (!surfaces.includes(report.surface) || report.context.faults.refusesBlock(name, report.way)) return false;
  return limit === undefined || !limit.surfaces.includes(report.surface) || !isRuleOn(report, limit.rule);
}
