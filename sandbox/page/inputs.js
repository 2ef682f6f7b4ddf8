import { upload } from './api.js';
import { h, icon, iconButton } from './dom.js';
import { words } from './pieces.js';
import { spotOf } from './spots.js';

/** Draws the inputs of forms. Typed text is stored as a draft until the form is sent. */

const draftKey = (at, element) => `${at.block.block_id}/${element.action_id}`;

/** Text inputs; `dispatch` notifies the app if the block requests it. */
function typed(type, more = {}) {
  return (at, element, value, dispatch) => {
    const key = draftKey(at, element);
    const isMultiline = element.multiline === true || element.type === 'rich_text_input';
    const saved = plainOf(value);
    const on = element.dispatch_action_config?.trigger_actions_on ?? ['on_enter_pressed'];
    let last = saved;
    const sendChange = () => {
      if (at.block.dispatch_action !== true || node.value === last) return;
      last = node.value;
      dispatch(node.value === '' ? null : node.value);
    };
    let timer;
    const node = h(isMultiline ? 'textarea' : 'input', {
      ...(isMultiline ? { rows: '4' } : { type }),
      ...more,
      class: 'field',
      value: at.drafts?.get(key)?.value ?? saved,
      maxlength: element.max_length,
      placeholder: words(element.placeholder) || undefined,
      autocomplete: 'off',
      spellcheck: 'false',
      'data-spot': spotOf(at, element),
      'data-autofocus': element.focus_on_load === true,
      'aria-label': words(at.block.label) || undefined,
      'aria-labelledby': at.labelId,
      'aria-describedby': at.describedBy,
      'aria-invalid': at.error ? 'true' : undefined,
      'aria-required': at.block.optional ? undefined : 'true',
      oninput: () => {
        at.drafts?.set(key, { block: at.block.block_id, action: element.action_id, value: node.value });
        clearTimeout(timer);
        if (on.includes('on_character_entered')) timer = setTimeout(sendChange, 300);
      },
      onkeydown: (event) => {
        if (event.key !== 'Enter' || event.isComposing || isMultiline) return;
        if (on.includes('on_enter_pressed')) sendChange();
      },
    });
    return node;
  };
}

/** The plain text of a rich text value, which is edited as plain text. */
function plainOf(value) {
  if (typeof value.value === 'string') return value.value;
  return (value.rich_text_value?.elements ?? [])
    .map((part) => (part.pieces ?? []).map((piece) => piece.text).join(''))
    .join('\n');
}

export const inputs = {
  plain_text_input: typed('text'),
  number_input: typed('text', { inputmode: 'decimal' }),
  email_text_input: typed('email'),
  url_text_input: typed('url'),
  rich_text_input: typed('text'),
};

export const sizeOf = (bytes) =>
  bytes < 1_024
    ? `${bytes} B`
    : bytes < 1_048_576
      ? `${Math.round(bytes / 1_024)} kB`
      : `${(bytes / 1_048_576).toFixed(1)} MB`;

export function fileElement(at, element, files, choose) {
  const most = element.max_files ?? 10;
  const types = element.filetypes?.map((type) => `.${type}`).join(',');
  const ids = files.map((file) => file.id);
  const input = h('input', {
    type: 'file',
    class: 'hidden-file',
    accept: types,
    multiple: most > 1,
    tabindex: '-1',
    'aria-hidden': 'true',
    onchange: async () => {
      const added = [];
      for (const file of [...(input.files ?? [])].slice(0, most - ids.length)) {
        const stored = await upload(file);
        if (stored !== undefined) added.push(stored.id);
      }
      if (added.length > 0) choose([...ids, ...added]);
    },
  });
  return h(
    'div',
    { class: 'files-in' },
    files.map((file) =>
      h(
        'div',
        { class: 'file-chip' },
        icon('file'),
        h('span', {}, file.name),
        h('small', {}, sizeOf(file.size)),
        iconButton('close', `Remove ${file.name}`, () => choose(ids.filter((id) => id !== file.id))),
      ),
    ),
    files.length < most &&
      h(
        'button',
        {
          type: 'button',
          class: 'button',
          'data-spot': spotOf(at, element),
          'aria-describedby': at.describedBy,
          onclick: () => input.click(),
        },
        icon('plus'),
        files.length === 0 ? 'Add a file' : 'Add another file',
      ),
    types && h('small', { class: 'muted' }, types.replaceAll(',', ' ')),
    input,
  );
}
