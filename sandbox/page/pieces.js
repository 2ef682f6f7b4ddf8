import { h } from './dom.js';

/** Draws the server's pieces of text, never as markup. */

/** Emoji that the page draws itself, as Slack does, since a system may have no font for them. */
const emoji = {
  '🔴': 'red',
  '🟠': 'orange',
  '🟡': 'yellow',
  '🟢': 'green',
  '⚪': 'white',
  '✅': 'tick',
  '⏳': 'hourglass',
  '⌛': 'hourglass',
};
const anyEmoji = new RegExp(`(${Object.keys(emoji).join('|')})`, 'u');

export function plain(text) {
  const parts = text.split(anyEmoji);
  if (parts.length === 1) return document.createTextNode(text);
  return h(
    'span',
    {},
    parts.map((part) => (part in emoji ? h('span', { class: `emoji ${emoji[part]}` }, part) : part)),
  );
}

const makers = {
  text: plain,
  emoji: plain,
  date: (text) => document.createTextNode(text),
  code: (text) => h('code', {}, text),
  preformatted: (text) => h('pre', {}, h('code', {}, text)),
  link: (text, { href }) => (href === undefined ? document.createTextNode(text) : link(href, text)),
  user: (text, { isForMe }) => h('span', { class: isForMe ? 'mention me' : 'mention' }, text),
  group: (text, { isForMe }) => h('span', { class: isForMe ? 'mention me' : 'mention' }, text),
  broadcast: (text) => h('span', { class: 'mention me' }, text),
  channel: (text) => h('span', { class: 'mention' }, text),
};

/** A link. The server passes only http and https addresses. */
export const link = (href, ...children) => h('a', { href, target: '_blank', rel: 'noopener noreferrer' }, children);

/** @type {Record<string, keyof HTMLElementTagNameMap>} */
const wrappers = { isBold: 'b', isItalic: 'i', isStrike: 's', isUnderlined: 'u', isCode: 'code' };

export function pieces(all) {
  return (all ?? []).map((piece) => {
    let node = (makers[piece.kind] ?? makers.text)(piece.text, piece);
    for (const [flag, tag] of Object.entries(wrappers)) if (piece[flag]) node = h(tag, {}, node);
    return node;
  });
}

/** A text object's words, for labels and searching. */
export const words = (object) => (object?.pieces ?? []).map((piece) => piece.text).join('');
export const rich = (object) => pieces(object?.pieces);
