import { act } from './api.js';
import { showBlocks } from './blocks.js';
import { byId, h, iconButton } from './dom.js';
import { busy } from './elements.js';
import { rich, words } from './pieces.js';
import { closePopup, trapTab } from './popup.js';
import { present } from './spots.js';
import { get, watch } from './store.js';

/** The top modal of this person, as a dialog that keeps the focus until it is closed. */
export function createModal() {
  let dialog;
  let viewId;
  let drafts = new Map();
  let before;
  /** The errors that were shown last; only new ones get the focus. */
  let shownErrors = '{}';

  const current = () => get('modal');
  const dismiss = (isAll) =>
    current() && act('closeView', { view: current().id, isAll: isAll || current().isClearOnClose });

  async function submit(event) {
    event.preventDefault();
    const view = current();
    const button = dialog.querySelector('[type=submit]');
    if (!view?.submit || !button) return;
    const shown = dialog.querySelector('.dialog-banner');
    shown.hidden = true;
    await busy(button, async () => {
      const answer = await act(
        'submit',
        {
          view: view.id,
          entries: [...drafts.values()].map(({ block, action, value }) => ({
            block,
            action,
            value: value === '' ? null : value,
          })),
        },
        { isQuiet: true },
      );
      if (!answer?.error || answer.error === 'incomplete' || !dialog) return;
      shown.textContent = answer.shown ?? 'That did not work.';
      shown.hidden = false;
    });
  }

  function open() {
    before = document.activeElement;
    dialog = h(
      'dialog',
      { class: 'dialog', 'aria-labelledby': 'modal-title' },
      h(
        'form',
        { class: 'dialog-form', novalidate: true, onsubmit: submit },
        h(
          'header',
          { class: 'dialog-head' },
          h('h2', { id: 'modal-title', tabindex: '-1' }),
          iconButton('close', 'Close', () => dismiss(true)),
        ),
        h(
          'div',
          { class: 'dialog-body' },
          h('p', { class: 'dialog-banner', role: 'alert', hidden: true }),
          h('div', { class: 'blocks' }),
        ),
        h('footer', { class: 'dialog-foot' }),
      ),
    );
    dialog.addEventListener('cancel', (event) => {
      event.preventDefault();
      dismiss(false);
    });
    trapTab(dialog);
    document.body.append(dialog);
    dialog.showModal();
  }

  function close() {
    closePopup(false);
    dialog.close();
    dialog.remove();
    dialog = undefined;
    viewId = undefined;
    (present(before) ?? byId('composer')).focus();
  }

  function foot(view) {
    const footer = dialog.querySelector('.dialog-foot');
    const next = [
      h(
        'button',
        { type: 'button', class: 'button', onclick: () => dismiss(false) },
        rich(view.close).length > 0 ? rich(view.close) : view.depth > 1 ? 'Back' : 'Close',
      ),
      view.submit && h('button', { type: 'submit', class: 'button primary' }, rich(view.submit)),
    ].filter(Boolean);
    const said = (nodes) => [...nodes].map((node) => node.textContent).join('|');
    if (said(footer.children) !== said(next)) footer.replaceChildren(...next);
  }

  function show() {
    const view = current();
    if (!view) {
      if (dialog) close();
      return;
    }
    if (!dialog) open();
    const isNew = view.id !== viewId;
    if (isNew) drafts = new Map();
    // A view that replaces another has other fields, so the drafts of removed fields are deleted.
    const fields = new Set(view.blocks.map((block) => block.block_id));
    for (const [key, { block }] of drafts) if (!fields.has(block)) drafts.delete(key);
    viewId = view.id;
    dialog.querySelector('h2').textContent = words(view.title);
    const blocks = dialog.querySelector('.blocks');
    if (isNew) blocks.replaceChildren();
    const hadFields = blocks.querySelector('.input') !== null;
    showBlocks(blocks, view.blocks, { place: { view: view.id }, values: view.values, errors: view.errors, drafts });
    foot(view);
    const errors = JSON.stringify(view.errors);
    const wrong = errors === shownErrors ? null : blocks.querySelector('.wrong input, .wrong textarea, .wrong button');
    shownErrors = errors;
    if (wrong !== null) wrong.focus();
    else if (isNew || (!hadFields && !blocks.contains(document.activeElement))) {
      (
        blocks.querySelector('[data-autofocus], .input input:not(.hidden-file), .input textarea, .input button') ??
        dialog.querySelector('h2')
      ).focus();
    }
  }
  watch(['modal', 'person/'], show);
  return { show };
}
