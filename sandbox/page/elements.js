import { act } from './api.js';
import { h, icon, iconButton } from './dom.js';
import { fileElement, inputs } from './inputs.js';
import { secondsOfWall, wallTime } from './people.js';
import { among, openPicker, optionOf } from './picker.js';
import { rich, words } from './pieces.js';
import { ask, openMenu } from './popup.js';
import { spotOf, whereOf } from './spots.js';
import { list } from './store.js';

/**
 * Draws interactive elements. `at` is the element's place:
 * @typedef {{place: object, block: any, values: any, error?: string, labelId?: string, describedBy?: string, drafts?: Map<string, unknown>, isInput: boolean}} At
 */

const enteredIn = (at, element) => at.values?.[at.block.block_id]?.[element.action_id] ?? {};

/** Asks for the element's confirmation, as Slack does, before the app is notified. */
function allowed(element) {
  const { confirm } = element;
  if (confirm === undefined) return Promise.resolve(true);
  return ask({
    title: words(confirm.title),
    text: rich(confirm.text),
    confirm: words(confirm.confirm) || 'Yes',
    deny: words(confirm.deny) || 'Cancel',
    isDanger: confirm.style === 'danger',
  });
}

/** Marks a control as busy during an act, and ignores further acts. */
export async function busy(node, run) {
  if (node.getAttribute('aria-busy') === 'true') return;
  node.setAttribute('aria-busy', 'true');
  await run();
  node.removeAttribute('aria-busy');
}

async function enter(at, element, value, undo) {
  if (!(await allowed(element))) {
    undo?.();
    return;
  }
  await act('enter', { ...whereOf(at, element), value });
}

function button(at, element) {
  const look = { primary: ' primary', danger: ' danger' }[element.style] ?? '';
  const node = h(
    'button',
    {
      type: 'button',
      class: `button${look}`,
      'data-spot': spotOf(at, element),
      'aria-label': element.accessibility_label,
      onclick: async () => {
        if (!(await allowed(element))) return;
        if (element.url !== undefined) open(element.url, '_blank', 'noopener,noreferrer');
        await busy(node, () => act('click', whereOf(at, element)));
      },
    },
    rich(element.text),
  );
  return node;
}

function overflow(at, element) {
  const node = iconButton('more', 'More actions', () =>
    openMenu(
      node,
      'More actions',
      element.options.map((option, index) => ({
        label: words(option.text),
        note: option.description && words(option.description),
        href: option.url,
        run: async () => {
          if (await allowed(element)) await busy(node, () => act('click', { ...whereOf(at, element), option: index }));
        },
      })),
    ),
  );
  node.classList.add('overflow');
  node.dataset.spot = spotOf(at, element);
  node.setAttribute('aria-haspopup', 'menu');
  return node;
}

/** Checkboxes and radio buttons. */
function boxes(at, element) {
  const isMany = element.type === 'checkboxes';
  const value = enteredIn(at, element);
  const chosen = new Set(
    (isMany ? (value.selected_options ?? []) : [value.selected_option].filter(Boolean)).map((one) => one.value),
  );
  const name = spotOf(at, element);
  return h(
    'div',
    {
      class: 'boxes',
      role: isMany ? 'group' : 'radiogroup',
      'aria-labelledby': at.labelId,
      'aria-label': at.labelId ? undefined : 'Choices',
      'aria-describedby': at.describedBy,
    },
    element.options.map((option, index) => {
      const box = h('input', {
        type: isMany ? 'checkbox' : 'radio',
        name,
        checked: chosen.has(option.value),
        'data-spot': spotOf(at, element, `/${index}`),
        onchange: () => {
          if (isMany && box.checked) chosen.add(option.value);
          else if (isMany) chosen.delete(option.value);
          enter(at, element, isMany ? [...chosen] : option.value, () => {
            box.checked = !box.checked;
          });
        },
      });
      return h(
        'label',
        { class: 'box' },
        box,
        h('span', {}, rich(option.text), option.description && h('small', {}, rich(option.description))),
      );
    }),
  );
}

const people = () =>
  list('person/')
    .filter((person) => !person.isDeactivated)
    .map((person) => ({ value: person.id, label: `@${person.name}`, note: person.realName }));
const conversations = (element) => {
  const include = element.filter?.include;
  return list('channel/')
    .filter((channel) => include === undefined || include.includes(channel.kind))
    .map((channel) => ({ value: channel.id, label: channel.kind === 'im' ? '@hostler' : `#${channel.name}` }));
};
const optionsOf = (element) => [
  ...(element.options ?? []).map((option) => optionOf(option)),
  ...(element.option_groups ?? []).flatMap((group) =>
    group.options.map((option) => optionOf(option, words(group.label))),
  ),
];

/** By the type without `multi_`: the source of the options, and the state's field for the choice. */
const sources = {
  static_select: { field: 'option', options: optionsOf },
  external_select: { field: 'option' },
  users_select: { field: 'user', options: people },
  conversations_select: { field: 'conversation', options: conversations },
  channels_select: { field: 'channel', options: () => conversations({ filter: { include: ['public'] } }) },
};

async function suggested(at, element, query) {
  const least = element.min_query_length ?? 3;
  if (query.length < least) return `Type at least ${least} character${least === 1 ? '' : 's'}`;
  const answer = await act('suggest', { ...whereOf(at, element), value: query }, { isQuiet: true });
  if (answer === undefined || answer.error) return 'No results: the app did not answer';
  return answer.options.map((option) => optionOf(option));
}

function select(at, element) {
  const isMany = element.type.startsWith('multi_');
  const { field, options } = sources[element.type.replace(/^multi_/, '')];
  const value = enteredIn(at, element);
  const raw = isMany ? (value[`selected_${field}s`] ?? []) : [value[`selected_${field}`]].filter(Boolean);
  const known = options?.(element) ?? [];
  const chosen = raw.map((one) =>
    typeof one === 'string'
      ? (known.find((option) => option.value === one) ?? { value: one, label: one })
      : optionOf(one),
  );
  const placeholder = words(element.placeholder) || (isMany ? 'Choose some' : 'Choose');
  const label = words(at.block.label) || placeholder;
  const shown = isMany || chosen.length === 0 ? placeholder : chosen[0].label;
  let picked = chosen.map((option) => option.value);
  const choose = (values) => {
    picked = values;
    return enter(at, element, isMany ? values : (values[0] ?? null));
  };
  const node = h(
    'button',
    {
      type: 'button',
      class: chosen.length === 0 ? 'select empty' : 'select',
      'data-spot': spotOf(at, element),
      'aria-haspopup': 'listbox',
      'aria-expanded': 'false',
      // Includes the shown text, which people with voice control say.
      'aria-label': label === shown ? label : `${label}: ${shown}`,
      'aria-describedby': at.describedBy,
      'aria-invalid': at.error ? 'true' : undefined,
      onclick: () =>
        openPicker(node, {
          label,
          isMany,
          max: element.max_selected_items,
          chosen: () => picked,
          search: options === undefined ? (query) => suggested(at, element, query) : among(() => options(element)),
          choose,
        }),
    },
    h('span', { class: 'select-words' }, shown),
    icon('down'),
  );
  if (!isMany && !(at.isInput && at.block.optional && chosen.length > 0)) return node;
  const clear = (option) =>
    h(
      'span',
      { class: 'token' },
      option.label,
      iconButton('close', `Remove ${option.label}`, () =>
        choose(isMany ? picked.filter((one) => one !== option.value) : []),
      ),
    );
  return h(
    'div',
    { class: 'select-many' },
    isMany && chosen.length > 0 && h('div', { class: 'tokens' }, chosen.map(clear)),
    node,
    !isMany && iconButton('close', `Clear ${label}`, () => choose([])),
  );
}

const dated = {
  datepicker: { type: 'date', field: 'selected_date', label: 'Date' },
  timepicker: { type: 'time', field: 'selected_time', label: 'Time' },
  datetimepicker: { type: 'datetime-local', field: 'selected_date_time', label: 'Date and time' },
};

function moment(at, element) {
  const { type, field, label } = dated[element.type];
  const value = enteredIn(at, element)[field];
  const isBoth = type === 'datetime-local';
  const node = h('input', {
    type,
    class: 'field moment',
    value: value === null || value === undefined ? '' : isBoth ? wallTime(value) : value,
    'data-spot': spotOf(at, element),
    'aria-label': words(at.block.label) || words(element.placeholder) || label,
    'aria-describedby': at.describedBy,
    'aria-invalid': at.error ? 'true' : undefined,
    onchange: () => enter(at, element, node.value === '' ? null : isBoth ? secondsOfWall(node.value) : node.value),
  });
  return node;
}

const makers = {
  button,
  overflow,
  checkboxes: boxes,
  radio_buttons: boxes,
  datepicker: moment,
  timepicker: moment,
  datetimepicker: moment,
  file_input: (at, element) =>
    fileElement(at, element, enteredIn(at, element).files ?? [], (ids) => enter(at, element, ids)),
  ...Object.fromEntries(
    Object.keys(sources).flatMap((type) => [
      [type, select],
      [`multi_${type}`, select],
    ]),
  ),
  ...Object.fromEntries(
    Object.keys(inputs).map((type) => [
      type,
      (at, element) => inputs[type](at, element, enteredIn(at, element), (value) => enter(at, element, value)),
    ]),
  ),
};

/** The element, or a box that names an unknown type. */
export function elementNode(at, element) {
  const make = makers[element?.type];
  return make === undefined ? unknown('element', element) : make(at, element);
}

export function unknown(what, value) {
  return h(
    'details',
    { class: 'unknown' },
    h('summary', {}, `This page cannot show the ${what} “${value?.type ?? 'without a type'}”`),
    h('pre', {}, h('code', {}, JSON.stringify(value, null, 2))),
  );
}
