import { sameIn } from './spots.js';
import { get } from './store.js';

/** Creates elements without a framework. Text is never parsed as HTML. */

const properties = new Set(['value', 'checked', 'disabled', 'hidden', 'indeterminate', 'readOnly', 'multiple']);

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, any>} [props] `onclick` and the like are listeners; undefined, null and false are left out
 * @param {...any} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, props = {}, ...children) {
  /** @type {any} properties are set by name below */
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else if (name === 'class') node.className = value;
    else if (properties.has(name)) node[name] = value;
    else node.setAttribute(name, value === true ? '' : String(value));
  }
  node.append(...children.flat(9).filter((child) => child !== undefined && child !== null && child !== false));
  return node;
}

const paths = {
  hash: 'M9.5 4 7.5 20M16.5 4l-2 16M4.5 9h16M3.5 15h16',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  close: 'M6 6l12 12M18 6 6 18',
  more: 'M12 4.7a.6.6 0 1 0 .01 0zM12 11.4a.6.6 0 1 0 .01 0zM12 18.1a.6.6 0 1 0 .01 0z',
  reply: 'M20 12a8 8 0 0 1-11.6 7.1L4 20l1-4.2A8 8 0 1 1 20 12z',
  send: 'M4 12 20 4l-5 16-3.5-6.5z',
  plus: 'M12 5v14M5 12h14',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z',
  server: 'M4 5h16v6H4zM4 13h16v6H4zM8 8v.01M8 16v.01',
  check: 'M5 12.5 10 17.5 19.5 7',
  down: 'M6 9.5l6 6 6-6',
  menu: 'M4 7h16M4 12h16M4 17h16',
  bolt: 'M13 3 5 14h6l-1 7 8-11h-6z',
  file: 'M7 3h7l5 5v13H7zM14 3v5h5',
  flag: 'M6 21V4h11l-2 4 2 4H6',
  again: 'M4 12a8 8 0 1 0 2.5-5.8M4 4v4.5h4.5',
  pencil: 'M4 20l1-4L16 5l3 3L8 19z',
  power: 'M12 4v8M7.5 7a7 7 0 1 0 9 0',
};

/** @param {keyof typeof paths} name */
export function icon(name) {
  const space = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg');
  const path = document.createElementNS(space, 'path');
  for (const [key, value] of Object.entries({ viewBox: '0 0 24 24', class: 'icon', 'aria-hidden': 'true' })) {
    svg.setAttribute(key, value);
  }
  path.setAttribute('d', paths[name]);
  svg.append(path);
  return svg;
}

/** A button with only a picture, and a label for screen readers. */
export function iconButton(name, label, onclick, more = {}) {
  return h(
    'button',
    { type: 'button', class: 'icon-button', 'aria-label': label, title: label, onclick, ...more },
    icon(name),
  );
}

/** An element of index.html. @param {string} id */
export function byId(id) {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no #${id}`);
  return found;
}

/** @param {ParentNode} root @param {string} selector */
export const find = (root, selector) => /** @type {HTMLElement | null} */ (root.querySelector(selector));

/** @param {ParentNode} root @param {string} selector */
export const findAll = (root, selector) => /** @type {HTMLElement[]} */ ([...root.querySelectorAll(selector)]);

/** The element with the focus. */
export const focused = () => /** @type {HTMLElement | null} */ (document.activeElement);

const signatures = new WeakMap();

/**
 * Updates the children to match the rows. Children with the same key and signature stay, and keep the focus.
 * @param {Element} parent
 * @param {readonly {key: string, signature: string, make: () => HTMLElement}[]} rows
 */
export function reconcile(parent, rows) {
  const old = new Map(/** @type {HTMLElement[]} */ ([...parent.children]).map((child) => [child.dataset.key, child]));
  let at = parent.firstElementChild;
  // Times depend on the reader's zone, so nothing that was drawn for one person is reused for another.
  const reader = get('me')?.id ?? '';
  for (const { key, signature: content, make } of rows) {
    const signature = `${reader} ${content}`;
    let node = old.get(key);
    old.delete(key);
    if (node === undefined || signatures.get(node) !== signature) {
      const made = make();
      made.dataset.key = key;
      signatures.set(made, signature);
      if (node !== undefined) {
        if (at === node) at = made;
        swap(node, made);
      }
      node = made;
    }
    if (node === at) at = at.nextElementSibling;
    else parent.insertBefore(node, at);
  }
  for (const gone of old.values()) {
    if (at === gone) at = at.nextElementSibling;
    gone.remove();
  }
}

/** Replaces a node and keeps the focus at the same spot. */
function swap(old, made) {
  const active = focused();
  const hadFocus = old.contains(active);
  old.replaceWith(made);
  if (!hadFocus) return;
  const next = sameIn(made, active);
  const target = next ?? made;
  if (next === null) made.tabIndex = -1;
  target.focus({ preventScroll: true });
}

let ids = 0;
export const newId = (prefix = 'x') => {
  ids += 1;
  return `${prefix}-${ids}`;
};

/** The elements that Tab reaches. */
export function focusable(root) {
  const all = root.querySelectorAll(
    'a[href], button, input, textarea, select, summary, [tabindex]:not([tabindex="-1"])',
  );
  return [...all].filter((node) => !node.disabled && node.getClientRects().length > 0);
}
