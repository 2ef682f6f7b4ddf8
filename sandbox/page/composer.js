import { act, upload } from './api.js';
import { h, icon, iconButton, newId } from './dom.js';
import { openMenu } from './popup.js';
import { get, list } from './store.js';

/** The message box. Enter sends the text; Tab, a click or the arrows choose a suggestion. */

/** The suggestions at the cursor, as in Slack: names and the command, but not its arguments. */
function offers(text, cursor, isThread) {
  const before = text.slice(0, cursor);
  if (/^\/\S*$/.test(text)) {
    const { name = '', hint, description } = get('command') ?? {};
    const isFit = !isThread && cursor === text.length && name.startsWith(text);
    return isFit ? [{ label: name, usage: ` ${hint}`, note: description, text: `${name} ` }] : [];
  }
  const mark = /(?:^|\s)([@#])([\w-]*)$/.exec(before);
  if (mark === null) return [];
  const [, sign, typed] = mark;
  const names =
    sign === '#'
      ? list('channel/')
          .filter((channel) => channel.kind !== 'im')
          .map((channel) => ({ name: channel.name, note: '' }))
      : [
          ...list('person/')
            .filter((person) => !person.isDeactivated)
            .map(({ name, realName }) => ({ name, note: realName })),
          ...list('group/').map(({ handle, name }) => ({ name: handle, note: name })),
        ];
  const start = cursor - typed.length - 1;
  return names
    .filter(
      ({ name, note }) => name.startsWith(typed.toLowerCase()) || note.toLowerCase().startsWith(typed.toLowerCase()),
    )
    .map(({ name, note }) => ({
      label: `${sign}${name}`,
      note,
      text: `${text.slice(0, start)}${sign}${name} ${text.slice(cursor)}`,
      cursor: start + name.length + 2,
    }));
}

/**
 * @param {{id: string, label: () => string, channel: () => string, thread?: () => string, onsent?: () => void}} options
 */
export function createComposer({ id, label, channel, thread, onsent }) {
  const listId = newId('offers');
  let all = [];
  let at = -1;
  let isClosed = false;
  const key = () => `hostler.draft.${channel()}${thread ? `:${thread()}` : ''}`;
  const box = h('textarea', {
    id,
    class: 'composer-text',
    rows: '1',
    'aria-autocomplete': 'list',
    'aria-haspopup': 'listbox',
    'aria-controls': listId,
    'aria-label': 'Message',
    spellcheck: 'false',
    autocomplete: 'off',
  });
  const listbox = h('div', { id: listId, class: 'offers', role: 'listbox', 'aria-label': 'Suggestions', hidden: true });
  const file = h('input', {
    type: 'file',
    class: 'hidden-file',
    tabindex: '-1',
    'aria-hidden': 'true',
    onchange: async () => {
      for (const one of file.files ?? []) await upload(one, channel());
      file.value = '';
    },
  });
  const plus = iconButton(
    'plus',
    'Attach a file or run a shortcut',
    () =>
      openMenu(plus, 'Attach or run', [
        ...(thread ? [] : [{ label: 'Upload a file', run: () => file.click() }]),
        ...(get('shortcuts')?.global ?? []).map(({ id: callback, name }) => ({
          label: name,
          note: 'Shortcut of Hostler',
          run: () => act('shortcut', { id: callback }),
        })),
      ]),
    { 'aria-haspopup': 'menu', 'aria-expanded': 'false' },
  );
  const send = h('button', { type: 'submit', class: 'send', 'aria-label': 'Send', title: 'Send' }, icon('send'));
  const node = h(
    'form',
    { class: 'composer', onsubmit: submit },
    listbox,
    h('div', { class: 'composer-row' }, plus, box, send),
    file,
  );

  function grow() {
    box.style.height = 'auto';
    box.style.height = `${Math.min(box.scrollHeight, 220)}px`;
    send.disabled = box.value.trim() === '';
  }

  function suggest() {
    all = isClosed ? [] : offers(box.value, box.selectionStart, thread !== undefined).slice(0, 60);
    listbox.hidden = all.length === 0;
    listbox.replaceChildren(
      ...all.map((offer, index) =>
        h(
          'div',
          {
            role: 'option',
            id: `${listId}-${index}`,
            class: 'offer',
            'aria-selected': 'false',
            onmousedown: (event) => event.preventDefault(),
            onclick: () => take(offer),
          },
          h('span', { class: 'offer-form' }, h('b', {}, offer.label), offer.usage),
          h('span', {}, offer.note),
        ),
      ),
    );
    mark(-1);
  }

  function mark(next) {
    at = next;
    if (at < 0) return box.removeAttribute('aria-activedescendant');
    for (const [index, row] of [...listbox.children].entries()) row.setAttribute('aria-selected', String(index === at));
    listbox.children[at].scrollIntoView({ block: 'nearest' });
    box.setAttribute('aria-activedescendant', `${listId}-${at}`);
  }

  function take({ text, cursor }) {
    set(text, cursor);
    box.focus();
  }

  function set(text, cursor = text.length) {
    box.value = text;
    box.setSelectionRange(cursor, cursor);
    changed();
  }

  function changed() {
    isClosed = false;
    if (box.value === '') sessionStorage.removeItem(key());
    else sessionStorage.setItem(key(), box.value);
    grow();
    suggest();
  }

  async function submit(event) {
    event?.preventDefault();
    const text = box.value.trim();
    if (text === '') return;
    const where = { channel: channel(), text, ...(thread ? { thread: thread() } : {}) };
    set('');
    onsent?.();
    const answer = await act('say', where);
    // Restores a text that could not be sent, unless the person has typed a new one.
    if (answer === undefined && box.value === '') set(text);
  }

  box.addEventListener('input', changed);
  box.addEventListener('focus', () => !isClosed && box.value.startsWith('/') && suggest());
  box.addEventListener('blur', () => {
    listbox.hidden = true;
  });
  box.addEventListener('keydown', (event) => {
    if (event.isComposing) return;
    const isOpen = !listbox.hidden;
    const keys = {
      ArrowDown: () => isOpen && mark((at + 1) % all.length),
      ArrowUp: () => isOpen && mark(at <= 0 ? all.length - 1 : at - 1),
      Tab: () => !event.shiftKey && isOpen && take(all[Math.max(at, 0)]),
      Escape: () => isOpen && close(),
      Enter: () => !event.shiftKey && (isOpen && at >= 0 ? take(all[at]) : submit()),
    };
    if (!(event.key in keys)) return;
    if (keys[event.key]() !== false) event.preventDefault();
  });

  function close() {
    isClosed = true;
    suggest();
  }

  return {
    node,
    set(text) {
      set(text);
      box.focus();
    },
    /** Switches to another channel and its draft. */
    show(isReadOnly) {
      const words = isReadOnly ? 'Nobody can write in an archived channel' : label();
      box.placeholder = words;
      box.setAttribute('aria-label', words);
      box.disabled = isReadOnly;
      plus.disabled = isReadOnly;
      box.value = sessionStorage.getItem(key()) ?? '';
      isClosed = true;
      grow();
      suggest();
      isClosed = false;
    },
    focus: () => box.focus(),
  };
}
