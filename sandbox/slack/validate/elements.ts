import { type Dict, isDict } from '../dict.ts';
import type { RuleName } from '../rules.ts';
import {
  confirm,
  conversationFilter,
  date,
  decimal,
  dispatchConfig,
  imageSource,
  initialsAreOptions,
  markdownOption,
  oneImageSource,
  option,
  optionGroup,
  overflowOption,
  plainText,
  time,
  type,
} from './composition.ts';
import { richTextCell } from './rich-text.ts';
import {
  boolean,
  byType,
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
  url,
  type ValidationRule,
} from './rule.ts';

/** The kinds of places for elements. */
export type ElementPlace = 'section' | 'actions' | 'input' | 'context';

interface Element {
  places: readonly ElementPlace[];
  surfaces?: readonly Surface[];
  /** A place or surfaces that a disputed rule forbids. */
  limit?: { rule: RuleName; place?: ElementPlace; surfaces?: readonly Surface[] };
  rule: ValidationRule;
}

const everywhere: readonly Surface[] = ['message', 'modal', 'home'];

const id = string(255, 1);
const placeholder = plainText(150);
const focusable = { focus_on_load: boolean };
const anywhere: readonly ElementPlace[] = ['section', 'actions', 'input'];

type Rules = Record<string, ValidationRule>;
type More = (value: Dict, at: string, report: Report) => void;

/** Rules of all interactive elements: a unique action id, and at most one focus. */
function interactive(name: string, required: Rules, optional: Rules = {}, more?: More): ValidationRule {
  return shape({ type: type(name), ...required }, { action_id: id, ...optional }, (value, at, report) => {
    if (typeof value.action_id === 'string') {
      if (report.actionIds.has(value.action_id) && isRuleOn(report, 'action-id-once-per-view')) {
        problem(report, at, `\`action_id\` ${JSON.stringify(value.action_id)} already exists`);
      }
      report.actionIds.add(value.action_id);
    }
    if (value.focus_on_load === true) {
      report.focused += 1;
      if (report.focused > 1) problem(report, at, 'only one element can have focus_on_load');
      if (report.surface === 'message') problem(report, at, 'focus_on_load is only supported in views');
    }
    more?.(value, at, report);
  });
}

const optionsOrGroups: More = (value, at, report) => {
  if ('options' in value === 'option_groups' in value)
    problem(report, at, 'must define either `options` or `option_groups`');
  initialsAreOptions(value, at, report);
};

const onlyInViews: More = (value, at, report) => {
  if ('response_url_enabled' in value && report.surface !== 'modal') {
    problem(report, at, 'response_url_enabled is only supported in modals');
  }
};

const choices = { options: list(option, 100, 1), option_groups: list(optionGroup, 100, 1) };
const select = { placeholder, confirm, ...focusable };
const multi = { ...select, max_selected_items: integer(1, 100_000) };
const query = { min_query_length: integer(0, 1000) };
const ids = list(id, 100_000);
const conversations = { default_to_current_conversation: boolean, filter: conversationFilter };
const typed = { placeholder, dispatch_action_config: dispatchConfig, ...focusable };

const selectElement = (name: string, optional: Rules, more?: More): Element => ({
  places: anywhere,
  ...(name.startsWith('multi_') ? { limit: { rule: 'multi-select-not-in-actions', place: 'actions' } as const } : {}),
  rule: interactive(name, {}, optional, more),
});

const inputElement = (name: string, required: Rules, optional: Rules, more?: More, surfaces = everywhere): Element => ({
  places: ['input'],
  surfaces,
  rule: interactive(name, required, optional, more),
});

const addressInput = (name: string): Element => ({
  ...inputElement(name, {}, { ...typed, initial_value: string(3000) }),
  limit: { rule: 'address-inputs-only-in-modals', surfaces: ['message', 'home'] },
});

const ordered =
  (lower: string, upper: string): More =>
  (value, at, report) => {
    const [min, max] = [value[lower], value[upper]];
    if (min !== undefined && max !== undefined && Number(min) > Number(max)) {
      problem(report, at, `${lower} cannot be greater than ${upper}`);
    }
  };

export const elements: Record<string, Element> = {
  image: {
    places: ['section', 'context'],
    rule: shape({ type: type('image'), alt_text: string(2000, 1) }, imageSource, oneImageSource),
  },
  button: {
    places: ['section', 'actions'],
    rule: interactive(
      'button',
      { text: plainText(75) },
      {
        value: string(2000),
        url: url(3000),
        style: oneOf('primary', 'danger'),
        confirm,
        accessibility_label: string(75),
      },
    ),
  },
  overflow: {
    places: ['section', 'actions'],
    rule: interactive('overflow', { options: list(overflowOption, 5, 1) }, { confirm }),
  },
  checkboxes: {
    places: anywhere,
    rule: interactive(
      'checkboxes',
      { options: list(markdownOption, 10, 1) },
      { initial_options: list(markdownOption, 10, 1), confirm, ...focusable },
      initialsAreOptions,
    ),
  },
  radio_buttons: {
    places: anywhere,
    rule: interactive(
      'radio_buttons',
      { options: list(markdownOption, 10, 1) },
      { initial_option: markdownOption, confirm, ...focusable },
      initialsAreOptions,
    ),
  },
  static_select: selectElement('static_select', { ...choices, ...select, initial_option: option }, optionsOrGroups),
  multi_static_select: selectElement(
    'multi_static_select',
    { ...choices, ...multi, initial_options: list(option, 100, 1) },
    optionsOrGroups,
  ),
  external_select: selectElement('external_select', { ...select, ...query, initial_option: option }),
  multi_external_select: selectElement('multi_external_select', {
    ...multi,
    ...query,
    initial_options: list(option, 100, 1),
  }),
  users_select: selectElement('users_select', { ...select, initial_user: id }),
  multi_users_select: selectElement('multi_users_select', { ...multi, initial_users: ids }),
  conversations_select: selectElement(
    'conversations_select',
    { ...select, ...conversations, initial_conversation: id, response_url_enabled: boolean },
    onlyInViews,
  ),
  multi_conversations_select: selectElement('multi_conversations_select', {
    ...multi,
    ...conversations,
    initial_conversations: ids,
  }),
  channels_select: selectElement(
    'channels_select',
    { ...select, initial_channel: id, response_url_enabled: boolean },
    onlyInViews,
  ),
  multi_channels_select: selectElement('multi_channels_select', { ...multi, initial_channels: ids }),
  datepicker: selectElement('datepicker', { ...select, initial_date: date }),
  timepicker: selectElement('timepicker', { ...select, initial_time: time, timezone: string(255, 1) }),
  datetimepicker: {
    places: ['actions', 'input'],
    surfaces: ['message', 'modal'],
    rule: interactive(
      'datetimepicker',
      {},
      {
        confirm,
        initial_date_time: integer(1_000_000_000, 9_999_999_999),
        ...focusable,
      },
    ),
  },
  plain_text_input: inputElement(
    'plain_text_input',
    {},
    {
      ...typed,
      initial_value: string(3000),
      multiline: boolean,
      min_length: integer(0, 3000),
      max_length: integer(1, 3000),
    },
    ordered('min_length', 'max_length'),
  ),
  number_input: inputElement(
    'number_input',
    { is_decimal_allowed: boolean },
    { ...typed, initial_value: decimal, min_value: decimal, max_value: decimal },
    ordered('min_value', 'max_value'),
    ['modal'],
  ),
  email_text_input: addressInput('email_text_input'),
  url_text_input: addressInput('url_text_input'),
  rich_text_input: inputElement(
    'rich_text_input',
    {},
    {
      ...typed,
      initial_value: richTextCell,
      min_lines: integer(1, 100),
      max_lines: integer(1, 100),
    },
    undefined,
    ['modal', 'home'],
  ),
  file_input: inputElement(
    'file_input',
    {},
    { filetypes: list(string(255, 1), 100, 1), max_files: integer(1, 10) },
    undefined,
    ['modal'],
  ),
};

/** The rule for any element in that place. */
export function elementsFor(place: ElementPlace): ValidationRule {
  const allowed = Object.entries(elements).filter(([, element]) => element.places.includes(place));
  const rule = byType(Object.fromEntries(allowed.map(([name, element]) => [name, element.rule])), ` in ${place}`);
  return (value, at, report) => {
    const name = isDict(value) ? String(value.type) : '';
    const element = allowed.find(([allowedName]) => allowedName === name)?.[1];
    if (element === undefined) rule(value, at, report);
    else if (element.surfaces?.includes(report.surface) === false) {
      problem(report, `${at}/type`, `${name} is not supported in ${report.surface}`);
    } else if (isLimited(element, place, report)) {
      const others = allowed.map(([other]) => other).filter((other) => other !== name);
      unsupported(report, at, name, ` in ${place}`, others);
    } else rule(value, at, report);
  };
}

function isLimited({ limit }: Element, place: ElementPlace, report: Report): boolean {
  if (limit === undefined || !isRuleOn(report, limit.rule)) return false;
  return limit.place === place || limit.surfaces?.includes(report.surface) === true;
}
