import { elementsOf } from './blocks.ts';
import { asDict, asDicts, asText, type Dict } from './dict.ts';
import type { InputValues } from './state.ts';

interface Kind {
  /** The field of the state value that has the chosen value. */
  field: string;
  initial(element: Dict): unknown;
  isMany?: boolean;
}

const single = (field: string, initial: string): Kind => ({ field, initial: (element) => element[initial] ?? null });
const many = (field: string, initial: string): Kind => ({
  field,
  initial: (element) => element[initial] ?? [],
  isMany: true,
});
const typed = single('value', 'initial_value');

/** The elements with a value; buttons and overflow menus have none. */
export const stateKinds: Record<string, Kind> = {
  plain_text_input: typed,
  number_input: typed,
  email_text_input: typed,
  url_text_input: typed,
  rich_text_input: single('rich_text_value', 'initial_value'),
  static_select: single('selected_option', 'initial_option'),
  external_select: single('selected_option', 'initial_option'),
  radio_buttons: single('selected_option', 'initial_option'),
  users_select: single('selected_user', 'initial_user'),
  conversations_select: single('selected_conversation', 'initial_conversation'),
  channels_select: single('selected_channel', 'initial_channel'),
  datepicker: single('selected_date', 'initial_date'),
  timepicker: single('selected_time', 'initial_time'),
  datetimepicker: single('selected_date_time', 'initial_date_time'),
  checkboxes: many('selected_options', 'initial_options'),
  multi_static_select: many('selected_options', 'initial_options'),
  multi_external_select: many('selected_options', 'initial_options'),
  multi_users_select: many('selected_users', 'initial_users'),
  multi_conversations_select: many('selected_conversations', 'initial_conversations'),
  multi_channels_select: many('selected_channels', 'initial_channels'),
  file_input: many('files', ''),
};

export function stateValue(element: Dict, chosen: unknown): Dict {
  const type = asText(element.type);
  const kind = stateKinds[type];
  if (kind === undefined) return { type };
  return {
    type,
    [kind.field]: chosen,
    ...(type === 'timepicker' && element.timezone ? { timezone: element.timezone } : {}),
  };
}

function isEmpty(element: Dict, value: Dict | undefined): boolean {
  const kind = stateKinds[asText(element.type)];
  if (kind === undefined) return false;
  const entered = value?.[kind.field];
  return (
    entered === null || entered === undefined || entered === '' || (Array.isArray(entered) && entered.length === 0)
  );
}

/**
 * The state of these blocks. Slack keeps an entered value through an update if block id, action id and type stay the
 * same; all others start from their initial values.
 */
export function valuesOf(blocks: readonly Dict[], before: InputValues): InputValues {
  const values: InputValues = {};
  for (const { block, element } of elementsOf(blocks)) {
    const kind = stateKinds[asText(element.type)];
    if (kind === undefined) continue;
    const [blockId, actionId] = [asText(block.block_id), asText(element.action_id)];
    const kept = before[blockId]?.[actionId];
    values[blockId] = {
      ...values[blockId],
      [actionId]: kept !== undefined && kept.type === element.type ? kept : stateValue(element, kind.initial(element)),
    };
  }
  return values;
}

const isEmail = (text: string): boolean => /^[^\s@]+@([^\s@]+)$/.exec(text)?.[1]?.slice(1, -1).includes('.') === true;
const isUrl = (text: string): boolean => /^https?:\/\/\S+$/i.test(text);

/** The client's error about an entry, before it sends the form. */
function complaint(element: Dict, value: Dict | undefined): string | undefined {
  const text = asText(value?.value);
  const length = [...text].length;
  if (text === '') return undefined;
  if (typeof element.min_length === 'number' && length < element.min_length) {
    return `This field needs at least ${element.min_length} characters.`;
  }
  if (typeof element.max_length === 'number' && length > element.max_length) {
    return `This field takes at most ${element.max_length} characters.`;
  }
  if (element.type === 'email_text_input' && !isEmail(text)) return 'Please enter a valid email address.';
  if (element.type === 'url_text_input' && !isUrl(text)) return 'Please enter a valid URL.';
  if (element.type !== 'number_input') return undefined;
  const isDecimal = element.is_decimal_allowed === true;
  if (!(isDecimal ? /^-?\d+(\.\d+)?$/ : /^-?\d+$/).test(text)) return 'Please enter a valid number.';
  if (element.min_value !== undefined && Number(text) < Number(element.min_value))
    return `Must be at least ${element.min_value}.`;
  if (element.max_value !== undefined && Number(text) > Number(element.max_value))
    return `Must be at most ${element.max_value}.`;
  return undefined;
}

/** The client's errors by block id; empty if the form can be submitted. */
export function clientErrors(blocks: readonly Dict[], values: InputValues): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const block of asDicts([...blocks])) {
    if (block.type !== 'input') continue;
    const element = asDict(block.element);
    const value = values[asText(block.block_id)]?.[asText(element.action_id)];
    const wrong =
      block.optional !== true && isEmpty(element, value)
        ? 'Please complete this required field.'
        : complaint(element, value);
    if (wrong !== undefined) errors[asText(block.block_id)] = wrong;
  }
  return errors;
}
