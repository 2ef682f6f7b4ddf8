import type { InputBlock, PlainTextOption } from '@slack/types';
import { defined } from '../../core/text/defined.ts';
import { type Field, type FormOption, typedMost } from '../../core/view/form.ts';
import { clip, shortText } from './escape.ts';

/** Draws a form's field as an input block. The hint names values that Slack cannot hold; they are not cut silently. */

/** The source of the search for user groups, for which Slack has no picker. src/slack answers it itself. */
export const groupSource = '@groups';

const textLimit = typedMost;
const valueLimit = 75;
const blockIdLimit = 255;

/** The action ids, which name the source of a search. They are numbered because they must differ within a view. */
const searchId = (index: number, source: string) => clip(`${index}:search:${source}`, 255);

export function sourceOf(actionId: string): string | undefined {
  return /^\d+:search:(.*)$/s.exec(actionId)?.[1];
}

/** The names of chosen user groups, by id. */
export type GroupNames = ReadonlyMap<string, string>;

interface Drawn {
  readonly element: InputBlock['element'];
  readonly remark?: string;
}

export function inputBlock(field: Field, index: number, optionLimit: number, groups: GroupNames): InputBlock {
  const { element, remark } = drawField(field, index, optionLimit, groups);
  const hint = [field.hint ?? '', remark ?? ''].filter((words) => words !== '').join(' · ');
  return {
    type: 'input',
    block_id: clip(`f${index}:${field.name}`, blockIdLimit),
    label: shortText(field.label, 2_000),
    element,
    optional: field.optional,
    ...(hint.trim() === '' ? {} : { hint: shortText(hint, 2_000) }),
  };
}

export function fieldName(blockId: string): string | undefined {
  return /^f\d+:(.*)$/s.exec(blockId)?.[1];
}

function drawField(field: Field, index: number, optionLimit: number, groups: GroupNames): Drawn {
  const action_id = `${index}:input`;
  switch (field.widget) {
    case 'text':
    case 'multiline':
      return textInput(field, action_id);
    case 'number':
      return numberInput(field, action_id);
    case 'choice':
      return choice(field, action_id, optionLimit);
    case 'search':
      return search(searchId(index, field.source), field.many, field.initial ?? []);
    case 'toggle':
      return toggle(action_id, field.initial);
    case 'checks':
      return checks(field, action_id);
    case 'moment': {
      const moment = field.initial === undefined ? undefined : Math.round(field.initial / 1_000);
      return { element: { type: 'datetimepicker', action_id, ...defined({ initial_date_time: moment }) } };
    }
    case 'people': {
      const people = filled(ids(field.initial, /^[UW][A-Z0-9]+$/));
      return { element: { type: 'multi_users_select', action_id, ...defined({ initial_users: people }) } };
    }
    case 'groups': {
      const chosen = ids(field.initial, /^S[A-Z0-9]+$/).map((id) => ({ value: id, label: groups.get(id) ?? id }));
      return search(searchId(index, groupSource), true, chosen);
    }
    case 'file': {
      const filetypes = filled(field.types.filter((type) => type !== '').slice(0, 100));
      return { element: { type: 'file_input', action_id, max_files: 1, ...defined({ filetypes }) } };
    }
  }
}

type TextField = Extract<Field, { widget: 'text' | 'multiline' | 'number' }>;

function textInput(field: TextField, action_id: string): Drawn {
  const value = field.initial ?? '';
  const isTooLong = value.length > textLimit;
  return {
    element: {
      type: 'plain_text_input',
      action_id,
      multiline: field.widget === 'multiline',
      max_length: textLimit,
      ...(value === '' || isTooLong ? {} : { initial_value: value }),
      ...example(field.example),
    },
    ...(isTooLong ? { remark: 'what is set now is too long to be shown here' } : {}),
  };
}

function numberInput(field: TextField, action_id: string): Drawn {
  const value = field.initial ?? '';
  return {
    element: {
      type: 'number_input',
      action_id,
      is_decimal_allowed: true,
      ...(/^-?\d{1,15}(\.\d{1,15})?$/.test(value) ? { initial_value: value } : {}),
      ...example(field.example),
    },
  };
}

function choice(field: Extract<Field, { widget: 'choice' }>, action_id: string, optionLimit: number): Drawn {
  const { options, remark } = optionsWithin(field.options, Math.min(100, optionLimit));
  // Slack refuses a select without options, so this is a text field, whose submission reports the error.
  if (options.length === 0) return nothingToChoose({ ...field, widget: 'text' }, action_id);
  const chosen = defined({ initial_option: options.find((option) => option.value === field.initial) });
  return { element: { type: 'static_select', action_id, options, ...chosen }, ...remark };
}

function nothingToChoose(field: TextField, action_id: string): Drawn {
  return { ...textInput(field, action_id), remark: 'there is nothing to choose from' };
}

function search(actionId: string, isMany: boolean, chosen: readonly FormOption[]): Drawn {
  const { options, remark } = optionsWithin(chosen, 100);
  const base = { action_id: actionId, min_query_length: 0 } as const;
  const [first] = options;
  const chosenOptions = defined({ initial_options: filled(options) });
  if (isMany) return { element: { type: 'multi_external_select', ...base, ...chosenOptions }, ...remark };
  return { element: { type: 'external_select', ...base, ...defined({ initial_option: first }) }, ...remark };
}

/** Two radio buttons, of which one is chosen: Slack calls a single checkbox "(optional)". */
function toggle(action_id: string, isSet: boolean): Drawn {
  const no = { text: shortText('No', 75), value: 'no' };
  const yes = { text: shortText('Yes', 75), value: 'yes' };
  return { element: { type: 'radio_buttons', action_id, options: [no, yes], initial_option: isSet ? yes : no } };
}

function checks(field: Extract<Field, { widget: 'checks' }>, action_id: string): Drawn {
  // Slack allows ten checkboxes; longer lists become a searchable select.
  const isLong = field.options.length > 10;
  const { options, remark } = optionsWithin(field.options, isLong ? 100 : 10);
  if (options.length === 0) return nothingToChoose({ ...field, widget: 'text', initial: '' }, action_id);
  const chosen = options.filter((option) => field.initial.includes(option.value ?? ''));
  const rest = { action_id, options, ...defined({ initial_options: filled(chosen) }) };
  return { element: isLong ? { type: 'multi_static_select', ...rest } : { type: 'checkboxes', ...rest }, ...remark };
}

/** As many options as Slack allows. An option with a too long value is left out: a cut value would be another one. */
export function optionsWithin(offered: readonly FormOption[], most: number) {
  const seen = new Set<string>();
  const usable = offered.filter(({ value }) => {
    const isUsable = value !== '' && value.length <= valueLimit && !seen.has(value);
    seen.add(value);
    return isUsable;
  });
  const options = usable.slice(0, most).map(
    ({ value, label, description }): PlainTextOption => ({
      text: shortText(label === '' ? value : label, 75),
      value,
      ...(description === undefined || description.trim() === '' ? {} : { description: shortText(description, 75) }),
    }),
  );
  const missing = seen.size - options.length;
  return {
    options,
    remark: missing === 0 ? {} : { remark: `${missing} more cannot be shown here; type the command for them` },
  };
}

function example(text = '') {
  return text.trim() === '' ? {} : { placeholder: shortText(text, 150) };
}

function ids(values: readonly string[], pattern: RegExp): string[] {
  return [...new Set(values)].filter((id) => pattern.test(id)).slice(0, 100);
}

/** Slack refuses an empty list. */
function filled<T>(values: T[]): T[] | undefined {
  return values.length === 0 ? undefined : values;
}
