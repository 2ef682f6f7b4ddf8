import { asText, type Dict, isDict, lengthOf } from '../dict.ts';
import { anyText, imageSource, oneImageSource, plainText, rawNumber, rawText, type } from './composition.ts';
import { type ElementPlace, elements } from './elements.ts';
import { richTextCell, richTextElements } from './rich-text.ts';
import {
  boolean,
  byType,
  list,
  oneOf,
  problem,
  type Report,
  type Surface,
  shape,
  string,
  type ValidationRule,
} from './rule.ts';

interface Block {
  surfaces: readonly Surface[];
  rule: ValidationRule;
}

const everywhere: readonly Surface[] = ['message', 'modal', 'home'];

type Rules = Record<string, ValidationRule>;
type More = (value: Dict, at: string, report: Report) => void;

function block(name: string, required: Rules, optional: Rules = {}, more?: More): ValidationRule {
  return shape({ type: type(name), ...required }, { block_id: string(255, 1), ...optional }, (value, at, report) => {
    if (typeof value.block_id === 'string') {
      if (report.blockIds.has(value.block_id)) {
        problem(report, at, `\`block_id\` ${JSON.stringify(value.block_id)} already exists`);
      }
      report.blockIds.add(value.block_id);
    }
    more?.(value, at, report);
  });
}

const elementsFor = (place: ElementPlace): ValidationRule =>
  byType(
    Object.fromEntries(
      Object.entries(elements)
        .filter(([, element]) => element.places.includes(place))
        .map(([name, element]) => [name, element.rule]),
    ),
    ` in ${place}`,
  );

const contextElement: ValidationRule = (value, at, report) => {
  const isImage = isDict(value) && value.type === 'image';
  (isImage ? elementsFor('context') : anyText(3000))(value, at, report);
};

const cell = byType({ raw_text: rawText, raw_number: rawNumber, rich_text: richTextCell }, ' in a table cell');

const tableLimits: More = (value, at, report) => {
  report.tables += 1;
  if (report.tables > 1) problem(report, at, 'only_one_table_allowed');
  const characters = JSON.stringify(value.rows ?? []).match(/"text":"((?:[^"\\]|\\.)*)"/g) ?? [];
  const total = characters.reduce((sum, part) => sum + part.length - '"text":""'.length, 0);
  if (total > 10_000) problem(report, at, 'table cells must be less than 10001 characters together');
  const widths = new Set(
    Array.isArray(value.rows) ? value.rows.map((row) => (Array.isArray(row) ? row.length : 0)) : [],
  );
  if (widths.size > 1) problem(report, `${at}/rows`, 'all rows must have the same number of cells');
};

const dispatchable = (value: Dict, at: string, report: Report): void => {
  report.inputs += 1;
  if (value.dispatch_action === true && isDict(value.element) && value.element.type === 'file_input') {
    problem(report, at, 'file_input cannot dispatch actions');
  }
};

const blocks: Record<string, Block> = {
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
  header: { surfaces: everywhere, rule: block('header', { text: plainText(150) }) },
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
    rule: block('alert', { text: anyText(3000) }, { level: oneOf('default', 'info', 'warning', 'error', 'success') }),
  },
  markdown: { surfaces: ['message'], rule: block('markdown', { text: string(12_000, 1) }) },
  table: {
    surfaces: ['message'],
    rule: block(
      'table',
      { rows: list(list(cell, 20, 1), 100, 1) },
      { column_settings: list(shape({}, { align: oneOf('left', 'center', 'right'), is_wrapped: boolean }), 20) },
      tableLimits,
    ),
  },
  file: {
    surfaces: ['message'],
    rule: (_value, at, report) => problem(report, at, 'file blocks cannot be posted; they only appear when reading'),
  },
};

const onSurface = { message: rulesOf('message'), modal: rulesOf('modal'), home: rulesOf('home') };

/** All blocks of one message or view. */
export function checkBlocks(value: unknown, at: string, report: Report): void {
  onSurface[report.surface](value, at, report);
}

function rulesOf(surface: Surface): ValidationRule {
  const allowed = Object.entries(blocks).filter(([, candidate]) => candidate.surfaces.includes(surface));
  const rule = byType(Object.fromEntries(allowed.map(([name, candidate]) => [name, candidate.rule])), '');
  return list(rule, surface === 'message' ? 50 : 100);
}

/** Every character a reader would see, over all blocks. */
export function characterCount(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + characterCount(item), 0);
  if (!isDict(value)) return 0;
  const own = lengthOf(asText(value.text));
  return own + Object.entries(value).reduce((sum, [, item]) => sum + characterCount(item), 0);
}
