import { createComposer } from './composer.js';
import { byId, find, h, iconButton } from './dom.js';
import { createLog } from './log.js';
import { messageNode, messageRows } from './messages.js';
import { nameOf } from './people.js';
import { markRead, messagesIn } from './reading.js';
import { go, route } from './route.js';
import { get, watch } from './store.js';

/** A thread beside its channel. */
export function createThread() {
  const aside = byId('thread');
  const note = h('span', { class: 'muted pane-note' });
  const log = createLog('Messages of the thread');
  let shown;
  const close = () => {
    const spot = find(
      document,
      `[data-spot="${CSS.escape(`thread ${shown}`)}"], [data-spot="${CSS.escape(`reply ${shown}`)}"]`,
    );
    go({ thread: undefined });
    spot?.focus();
  };
  const composer = createComposer({
    id: 'thread-composer',
    label: () => 'Reply in thread',
    channel: () => route().view,
    thread: () => shown,
  });
  aside.append(
    h(
      'header',
      { class: 'pane-head' },
      h('div', { class: 'pane-title' }, h('h2', {}, 'Thread'), note),
      iconButton('close', 'Close the thread', close),
    ),
    log.node,
    composer.node,
  );
  aside.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !event.defaultPrevented) close();
  });

  function show() {
    const { view, thread } = route();
    const all = messagesIn(view);
    const root = all.find((message) => message.ts === thread);
    const isNewHere = thread !== shown;
    shown = thread;
    aside.hidden = root === undefined;
    document.body.classList.toggle('has-thread', root !== undefined);
    if (root === undefined) return;
    const channel = get(`channel/${view}`);
    note.textContent = channel ? `#${nameOf(channel)}` : '';
    const replies = all.filter((message) => message.threadTs === thread);
    const first = {
      key: root.ts,
      signature: JSON.stringify(root),
      make: () => messageNode(root, { isCompact: false }),
    };
    const count = `${replies.length} ${replies.length === 1 ? 'reply' : 'replies'}`;
    const line = {
      key: 'count',
      signature: count,
      make: () => h('div', { class: 'day replies', role: 'separator', 'aria-label': count }, h('span', {}, count)),
    };
    log.show([first, line, ...messageRows(replies).filter((row) => !row.key.startsWith('day'))], {
      isToEnd: isNewHere,
    });
    if (isNewHere) {
      composer.show(channel?.isArchived);
      composer.focus();
    }
    markRead(`${view}:${thread}`, replies.at(-1)?.ts);
  }
  watch(['message/', 'channel/', 'person/', 'read/'], show);
  return { show };
}
