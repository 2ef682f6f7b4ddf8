import { find, findAll, focusable, focused, h } from './dom.js';
import { present } from './spots.js';

/** Popups beside their opener, and menus in them. Only one is open at a time. */

let current;

export const closePopup = (isFocusGivenBack = true) => current?.close(isFocusGivenBack);

/**
 * @param {HTMLElement} anchor
 * @param {HTMLElement} content
 * @param {{onclose?: () => void, isWide?: boolean}} [options]
 */
export function openPopup(anchor, content, { onclose, isWide = false } = {}) {
  closePopup(false);
  const box = h('div', { class: isWide ? 'popup wide' : 'popup', popover: 'manual' }, content);
  // Inside an open dialog, because elements outside of it are inert.
  (anchor.closest('dialog') ?? document.body).append(box);
  box.showPopover();
  const place = () => {
    const at = (present(anchor) ?? anchor).getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = box;
    const isAbove = at.bottom + height + 8 > innerHeight && at.top > innerHeight - at.bottom;
    box.style.left = `${Math.max(8, Math.min(at.left, innerWidth - width - 8))}px`;
    box.style.top = `${isAbove ? Math.max(8, at.top - height - 4) : Math.min(at.bottom + 4, Math.max(8, innerHeight - height - 8))}px`;
  };
  place();
  const outside = (event) => {
    if (!box.contains(event.target) && !present(anchor)?.contains(event.target)) close(false);
  };
  const onKey = (event) => {
    if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      close(true);
    } else if (event.key === 'Tab' && !box.querySelector('input')) close(true);
  };
  function close(isFocusGivenBack) {
    if (current?.box !== box) return;
    current = undefined;
    removeEventListener('pointerdown', outside, true);
    removeEventListener('keydown', onKey, true);
    removeEventListener('resize', place);
    box.remove();
    onclose?.();
    if (isFocusGivenBack) present(anchor)?.focus();
  }
  // Captured first, so that Esc closes the popup and not the dialog below.
  addEventListener('keydown', onKey, true);
  addEventListener('pointerdown', outside, true);
  addEventListener('resize', place);
  current = { box, close };
  return { close, place };
}

/**
 * A menu of buttons, with arrows, Home, End and first letters.
 * @param {{label: string, note?: string, isChecked?: boolean, before?: Node, isDanger?: boolean, href?: string, run?: () => void}[]} items
 */
export function openMenu(anchor, label, items) {
  const isRadio = items.some((item) => item.isChecked !== undefined);
  const menu = h(
    'div',
    { role: 'menu', 'aria-label': label, class: 'menu' },
    items.map(({ label: name, note, isChecked, before, isDanger, href, run }) =>
      h(
        href === undefined ? 'button' : 'a',
        {
          ...(href === undefined ? { type: 'button' } : { href, target: '_blank', rel: 'noopener noreferrer' }),
          role: isRadio ? 'menuitemradio' : 'menuitem',
          'aria-checked': isRadio ? String(isChecked === true) : undefined,
          class: isDanger ? 'menu-item danger' : 'menu-item',
          tabindex: '-1',
          onclick: () => {
            popup.close(true);
            run?.();
          },
        },
        before,
        h('span', { class: 'menu-words' }, h('span', {}, name), note && h('small', {}, note)),
        isChecked === true && h('span', { class: 'tick', 'aria-hidden': 'true' }, '✓'),
      ),
    ),
  );
  menu.addEventListener('keydown', (event) => {
    const all = findAll(menu, '.menu-item');
    const at = all.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    const to = {
      ArrowDown: () => all[(at + 1) % all.length],
      ArrowUp: () => all[(at - 1 + all.length) % all.length],
      Home: () => all[0],
      End: () => all.at(-1),
    }[event.key];
    const letter = event.key.length === 1 && /\S/.test(event.key) ? event.key.toLowerCase() : undefined;
    const next =
      to?.() ??
      (letter &&
        [...all.slice(at + 1), ...all.slice(0, at + 1)].find((item) =>
          item.textContent.trim().toLowerCase().startsWith(letter),
        ));
    if (next) {
      event.preventDefault();
      next.focus();
    }
  });
  anchor.setAttribute('aria-expanded', 'true');
  const popup = openPopup(anchor, menu, { onclose: () => anchor.setAttribute('aria-expanded', 'false') });
  (find(menu, '[aria-checked="true"]') ?? find(menu, '.menu-item'))?.focus();
  return popup;
}

/** Keeps Tab inside the dialog. */
export function trapTab(dialog) {
  dialog.addEventListener('keydown', (event) => {
    if (event.key !== 'Tab') return;
    const all = focusable(dialog);
    const [first, last] = [all[0], all.at(-1)];
    const { activeElement } = document;
    const isOut = !dialog.contains(activeElement) || activeElement === dialog;
    if (event.shiftKey ? activeElement === first || isOut : activeElement === last || isOut) {
      event.preventDefault();
      (event.shiftKey ? last : first)?.focus();
    }
  });
}

/**
 * Asks for confirmation; resolves with the choice.
 * @param {{title: unknown, text: unknown, confirm: unknown, deny: unknown, isDanger?: boolean}} words
 * @returns {Promise<boolean>}
 */
export function ask({ title, text, confirm, deny, isDanger }) {
  const before = focused();
  return new Promise((resolve) => {
    const end = (isYes) => {
      dialog.close();
      dialog.remove();
      if (before?.isConnected) before.focus();
      resolve(isYes);
    };
    const dialog = h(
      'dialog',
      { class: 'dialog small', 'aria-labelledby': 'ask-title', 'aria-describedby': 'ask-text' },
      h('header', { class: 'dialog-head' }, h('h2', { id: 'ask-title' }, title)),
      h('div', { class: 'dialog-body', id: 'ask-text' }, text),
      h(
        'footer',
        { class: 'dialog-foot' },
        h('button', { type: 'button', class: 'button', onclick: () => end(false) }, deny),
        h(
          'button',
          { type: 'button', class: isDanger ? 'button danger' : 'button primary', onclick: () => end(true) },
          confirm,
        ),
      ),
    );
    dialog.addEventListener('cancel', (event) => {
      event.preventDefault();
      end(false);
    });
    trapTab(dialog);
    document.body.append(dialog);
    dialog.showModal();
    find(dialog, '.dialog-foot .button:last-child')?.focus();
  });
}
