import { findAll, h, icon, newId } from './dom.js';
import { words } from './pieces.js';
import { closePopup, openPopup } from './popup.js';

/**
 * A searchable list for all kinds of selects.
 * @typedef {{value: string, label: string, note?: string, group?: string}} Option
 */

/** Converts Slack's option object. */
export const optionOf = (option, group) => ({
  value: option.value ?? '',
  label: words(option.text),
  note: option.description ? words(option.description) : undefined,
  group,
});

const shownAtMost = 200;

/**
 * @param {HTMLElement} anchor
 * @param {{label: string, isMany: boolean, max?: number, chosen: () => string[], search: (query: string) => Promise<Option[] | string> | Option[], choose: (values: string[]) => void}} options
 */
export function openPicker(anchor, { label, isMany, max, chosen, search, choose }) {
  const id = newId('list');
  let picked = [...chosen()];
  let at = -1;
  let round = 0;
  const input = h('input', {
    type: 'text',
    class: 'field',
    role: 'combobox',
    'aria-label': `Search: ${label}`,
    'aria-expanded': 'true',
    'aria-controls': id,
    'aria-autocomplete': 'list',
    autocomplete: 'off',
    placeholder: 'Search',
  });
  const listbox = h('div', {
    id,
    role: 'listbox',
    class: 'options',
    'aria-label': label,
    'aria-multiselectable': isMany ? 'true' : undefined,
  });
  const note = h('p', { class: 'options-note', role: 'status' });
  const popup = openPopup(anchor, h('div', { class: 'picker' }, input, listbox, note), {
    onclose: () => anchor.setAttribute('aria-expanded', 'false'),
  });
  anchor.setAttribute('aria-expanded', 'true');

  // Redrawing the list while the mouse is down on an option would lose the click.
  let released = Promise.resolve();
  listbox.addEventListener('pointerdown', () => {
    released = new Promise((resolve) => {
      for (const end of ['pointerup', 'pointercancel'])
        document.addEventListener(end, () => setTimeout(resolve), { once: true });
    });
  });

  const rows = () => findAll(listbox, '[role=option]');

  function mark(next) {
    const all = rows();
    at = all.length === 0 ? -1 : (next + all.length) % all.length;
    for (const [index, row] of all.entries()) row.classList.toggle('active', index === at);
    all[at]?.scrollIntoView({ block: 'nearest' });
    if (all[at]) input.setAttribute('aria-activedescendant', all[at].id);
    else input.removeAttribute('aria-activedescendant');
  }

  function take(value) {
    if (!isMany) {
      popup.close(true);
      choose([value]);
      return;
    }
    const isIn = picked.includes(value);
    if (!isIn && max !== undefined && picked.length >= max) {
      note.textContent = `At most ${max} can be chosen.`;
      return;
    }
    picked = isIn ? picked.filter((one) => one !== value) : [...picked, value];
    for (const row of rows()) row.setAttribute('aria-selected', String(picked.includes(row.dataset.value ?? '')));
    choose(picked);
  }

  async function show() {
    round += 1;
    const mine = round;
    note.textContent = listbox.childElementCount === 0 ? 'Looking…' : '';
    const found = await search(input.value.trim());
    await released;
    if (mine !== round || !listbox.isConnected) return;
    const options = typeof found === 'string' ? [] : found.slice(0, shownAtMost);
    note.textContent =
      typeof found === 'string'
        ? found
        : options.length === 0
          ? 'No results'
          : found.length > shownAtMost
            ? `${found.length - shownAtMost} more: type to narrow`
            : '';
    let group;
    listbox.replaceChildren(
      ...options.flatMap((option) => {
        const head =
          option.group !== undefined && option.group !== group
            ? [h('div', { class: 'options-group', role: 'presentation' }, option.group)]
            : [];
        group = option.group;
        const isChosen = picked.includes(option.value);
        return [
          ...head,
          h(
            'div',
            {
              role: 'option',
              id: newId('option'),
              class: 'option',
              'data-value': option.value,
              'aria-selected': String(isChosen),
              onmousedown: (event) => event.preventDefault(),
              onclick: () => take(option.value),
            },
            h(
              'span',
              { class: 'option-words' },
              h('span', {}, option.label),
              option.note && h('small', {}, option.note),
            ),
            h('span', { class: 'tick', 'aria-hidden': 'true' }, icon('check')),
          ),
        ];
      }),
    );
    const first = isMany
      ? 0
      : Math.max(
          0,
          rows().findIndex((row) => row.dataset.value === picked[0]),
        );
    mark(rows().length === 0 ? -1 : first);
    popup.place();
  }

  let timer;
  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(show, 120);
  });
  input.addEventListener('keydown', (event) => {
    const moves = { ArrowDown: 1, ArrowUp: -1 };
    if (event.key in moves) {
      event.preventDefault();
      mark(at + moves[event.key]);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      const value = rows()[at]?.dataset.value;
      if (value !== undefined) take(value);
    } else if (event.key === 'Tab') {
      event.preventDefault();
      closePopup(true);
    }
  });
  show();
  input.focus();
}

/** Searches a local list. */
export function among(options) {
  return (query) => {
    const asked = query.toLowerCase();
    return options().filter(({ label, note = '' }) => `${label} ${note}`.toLowerCase().includes(asked));
  };
}
