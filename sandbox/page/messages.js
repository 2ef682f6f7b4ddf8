import { act, fileUrl } from './api.js';
import { showBlocks } from './blocks.js';
import { h, icon, iconButton } from './dom.js';
import { sizeOf } from './inputs.js';
import { avatar, dayOf, fullTime, msOf, personOf, timeOf } from './people.js';
import { pieces } from './pieces.js';
import { openMenu } from './popup.js';
import { hasNewReplies } from './reading.js';
import { get, now } from './store.js';

/** Draws messages and rows of messages. */

const pictures = new Set(['image/png', 'image/jpeg', 'image/gif']);

function fileNode({ id, name, title, altText, mimetype, size }) {
  if (pictures.has(mimetype)) {
    return h(
      'figure',
      { class: 'picture' },
      h('figcaption', {}, title || name),
      h(
        'a',
        { href: fileUrl(id), target: '_blank', rel: 'noopener' },
        h('img', { class: 'large', src: fileUrl(id), alt: altText || title || name }),
      ),
    );
  }
  return h(
    'a',
    { class: 'file-chip', href: fileUrl(id), download: name },
    icon('file'),
    h('span', {}, title || name),
    h('small', {}, sizeOf(size)),
  );
}

function body(message) {
  const scene = { place: { channel: message.channel, ts: message.ts }, values: message.values };
  const edited = message.isEdited && h('span', { class: 'edited' }, '(edited)');
  const parts = [];
  if (message.blocks.length > 0) {
    const node = h('div', { class: 'blocks' });
    showBlocks(node, message.blocks, scene);
    parts.push(node);
  } else if (message.pieces.length > 0)
    parts.push(h('div', { class: 'rich' }, pieces(message.pieces), edited && ' ', edited));
  for (const { blocks, color, pieces: texts } of message.attachments) {
    const node = h('div', { class: 'blocks' });
    showBlocks(node, blocks, scene);
    const box = h(
      'div',
      { class: 'attachment' },
      texts.map((text) => h('div', { class: 'rich' }, pieces(text))),
      node,
    );
    if (color) box.style.borderColor = color;
    parts.push(box);
  }
  return [...parts, message.files.map(fileNode)];
}

/**
 * @param {any} message
 * @param {{isCompact: boolean, replies?: any[], openThread?: ((ts: string, isFocused: boolean) => void) | undefined}} look
 */
export function messageNode(message, { isCompact, replies = [], openThread }) {
  const ms = msOf(message.ts);
  const person = personOf(message.user);
  const time = h('time', { datetime: new Date(ms).toISOString(), title: fullTime(ms) }, timeOf(ms));
  const { message: shortcuts = [] } = get('shortcuts') ?? {};
  const more = iconButton(
    'more',
    'More actions for this message',
    () =>
      openMenu(
        more,
        'More actions',
        shortcuts.map(({ id, name }) => ({
          label: name,
          note: 'Hostler',
          run: () => act('messageShortcut', { id, channel: message.channel, ts: message.ts }),
        })),
      ),
    { 'aria-haspopup': 'menu', 'data-spot': `more ${message.ts}` },
  );
  const hasBlocks = message.blocks.length > 0;
  const canThread = openThread !== undefined && !message.isPrivate;
  return h(
    'article',
    {
      class: `message${isCompact ? ' compact' : ''}${message.isPrivate ? ' private' : ''}`,
      'data-ts': message.ts,
      'aria-label': `${person.name}, ${timeOf(ms)}`,
    },
    h('div', { class: 'gutter' }, isCompact ? time : avatar(message.user)),
    h(
      'div',
      { class: 'message-main' },
      message.isPrivate && h('p', { class: 'only-you' }, 'Only visible to you'),
      !isCompact &&
        h(
          'p',
          { class: 'by' },
          h('b', {}, person.realName),
          person.isBot && h('span', { class: 'badge' }, 'APP'),
          !person.isBot && h('span', { class: 'handle' }, `@${person.name}`),
          time,
          hasBlocks && message.isEdited && h('span', { class: 'edited' }, '(edited)'),
        ),
      body(message),
      canThread && replies.length > 0 && threadBar(message, replies, openThread),
    ),
    h(
      'div',
      { class: 'tools' },
      canThread &&
        iconButton('reply', 'Reply in thread', () => openThread(message.ts, true), {
          'data-spot': `reply ${message.ts}`,
        }),
      !message.isPrivate && shortcuts.length > 0 && more,
    ),
  );
}

function threadBar(message, replies, openThread) {
  const faces = [...new Set(replies.map((reply) => reply.user))].slice(0, 4);
  const last = replies.at(-1);
  return h(
    'button',
    {
      type: 'button',
      class: hasNewReplies(replies) ? 'thread-bar fresh' : 'thread-bar',
      'data-spot': `thread ${message.ts}`,
      onclick: () => openThread(message.ts, true),
    },
    faces.map((id) => avatar(id, 'small')),
    h('b', {}, `${replies.length} ${replies.length === 1 ? 'reply' : 'replies'}`),
    h('span', { class: 'muted' }, `Last ${dayOf(msOf(last.ts), now()).toLowerCase()} at ${timeOf(msOf(last.ts))}`),
  );
}

const nearMs = 5 * 60_000;

/**
 * Rows for `reconcile`: days, a line above new messages, and messages. Consecutive ones of a person have one name.
 * @param {any[]} messages
 * @param {{repliesOf?: (message: any) => any[], openThread?: ((ts: string, isFocused: boolean) => void) | undefined, newFrom?: string, isBotCompact?: boolean}} [options]
 */
export function messageRows(messages, { repliesOf = () => [], openThread, newFrom, isBotCompact = false } = {}) {
  const rows = [];
  let before;
  let day;
  let isMarked = false;
  for (const message of messages) {
    const ms = msOf(message.ts);
    const today = dayOf(ms, now());
    if (today !== day) {
      rows.push({
        key: `day ${today}`,
        signature: today,
        make: () => h('div', { class: 'day', role: 'separator', 'aria-label': today }, h('span', {}, today)),
      });
      day = today;
      before = undefined;
    }
    if (!isMarked && newFrom !== undefined && message.ts > newFrom) {
      isMarked = true;
      rows.push({
        key: 'new',
        signature: 'new',
        make: () =>
          h('div', { class: 'day new', role: 'separator', 'aria-label': 'New messages' }, h('span', {}, 'New')),
      });
    }
    const isCompact =
      before?.user === message.user &&
      ms - msOf(before.ts) < nearMs &&
      (isBotCompact || message.blocks.length === 0) &&
      before.isPrivate === message.isPrivate;
    const replies = repliesOf(message);
    rows.push({
      key: message.ts,
      signature: JSON.stringify([
        message,
        isCompact,
        replies.map((reply) => reply.ts),
        hasNewReplies(replies),
        personOf(message.user).realName,
      ]),
      make: () => messageNode(message, { isCompact, replies, openThread }),
    });
    before = message;
  }
  return rows;
}
