import { act } from './api.js';
import { showBlocks } from './blocks.js';
import { createComposer } from './composer.js';
import { byId, h, icon, iconButton } from './dom.js';
import { createLog } from './log.js';
import { messageRows } from './messages.js';
import { avatar, botId, nameOf } from './people.js';
import { isReply, markOf, markRead, messagesIn } from './reading.js';
import { go, route } from './route.js';
import { openDrawer } from './sidebar.js';
import { get, list, watch } from './store.js';

/** The middle column: a channel with its messages and composer, or the app's Home tab. */

export function createChannel(tour) {
  const main = byId('channel');
  const title = h('div', { class: 'pane-title' });
  const tabs = h('div', { class: 'app-tabs', hidden: true });
  const head = h(
    'header',
    { class: 'pane-head' },
    iconButton('menu', 'Show the channels', openDrawer, { class: 'icon-button only-phone' }),
    title,
    tabs,
  );
  const log = createLog('Messages');
  const home = h('div', {
    class: 'home blocks',
    hidden: true,
    tabindex: '0',
    role: 'region',
    'aria-label': 'Home of Hostler',
  });
  const composer = createComposer({
    id: 'composer',
    label: () => `Message ${channel()?.kind === 'im' ? 'Hostler' : `#${channel()?.name ?? ''}`}`,
    channel: () => shown,
    onsent: () => {
      log.show(rows(), { isToEnd: true });
      tour.sent();
    },
  });
  main.append(head, tour.node, log.node, home, composer.node);

  let shown = '';
  let newFrom;
  const channel = () => get(`channel/${shown}`);

  function rows() {
    const all = messagesIn(shown);
    const perThread = Map.groupBy(all.filter(isReply), (message) => message.threadTs);
    const roots = all.filter((message) => !isReply(message) || message.isBroadcast);
    return [
      beginning(),
      ...messageRows(roots, {
        repliesOf: (message) => perThread.get(message.ts) ?? [],
        openThread: (ts) => go({ thread: ts }),
        newFrom,
      }),
    ];
  }

  function beginning() {
    const { name, kind } = channel() ?? {};
    const words =
      kind === 'im'
        ? 'This is between you and Hostler. Write a command as you would after /host: list, or status web-1.'
        : `This is the beginning of #${name}. Type /host to see what can be done.`;
    return {
      key: 'beginning',
      signature: words,
      make: () =>
        h(
          'p',
          { class: 'beginning' },
          kind === 'im' ? avatar(botId(), 'large') : h('span', { class: 'beginning-mark' }, icon('hash')),
          h('span', {}, words),
        ),
    };
  }

  function showTitle() {
    const one = channel();
    const isApp = shown === 'home' || one?.kind === 'im';
    tabs.hidden = !isApp;
    const im = list('channel/').find((other) => other.kind === 'im')?.id ?? '';
    tabs.replaceChildren(
      ...[
        ['home', 'Home'],
        [im, 'Messages'],
      ].map(([view, label]) =>
        h(
          'a',
          {
            href: `#/${view}`,
            class: view === shown ? 'tab here' : 'tab',
            'aria-current': view === shown ? 'page' : undefined,
            onclick: (event) => {
              event.preventDefault();
              go({ view });
            },
          },
          label,
        ),
      ),
    );
    if (isApp)
      title.replaceChildren(avatar(botId(), 'small'), h('h1', {}, 'Hostler'), h('span', { class: 'badge' }, 'APP'));
    else if (one) {
      title.replaceChildren(
        icon(one.kind === 'private' ? 'lock' : 'hash'),
        h('h1', {}, nameOf(one)),
        h(
          'span',
          { class: 'muted pane-note' },
          [
            `${one.members.length} people`,
            one.isExtShared && 'shared with another organization',
            one.isArchived && 'archived',
          ]
            .filter(Boolean)
            .join(' · '),
        ),
      );
    }
    log.log.setAttribute('aria-label', `Messages in ${one ? nameOf(one) : ''}`);
  }

  function showHome() {
    const view = get('home');
    home.classList.toggle('empty', !view);
    if (view)
      showBlocks(home, view.blocks, {
        place: { home: true },
        values: view.values,
        errors: view.errors,
        drafts: homeDrafts,
      });
    else home.replaceChildren(h('p', { class: 'muted' }, 'Hostler is asked for your Home tab…'));
  }
  const homeDrafts = new Map();

  function show() {
    const { view } = route();
    const isNewHere = view !== shown;
    shown = view;
    const isHome = shown === 'home';
    home.hidden = !isHome;
    log.node.hidden = isHome;
    composer.node.hidden = isHome;
    showTitle();
    if (isHome) {
      if (isNewHere) act('openHome', {});
      showHome();
      return;
    }
    if (!channel()) return;
    if (isNewHere) {
      const mark = markOf(shown);
      const last = messagesIn(shown)
        .filter((message) => !isReply(message))
        .at(-1);
      newFrom = mark !== '' && last !== undefined && last.ts > mark ? mark : undefined;
      composer.show(channel().isArchived);
    }
    log.show(rows(), { isToEnd: isNewHere });
    markRead(
      shown,
      messagesIn(shown)
        .filter((message) => !isReply(message) && !message.isPrivate)
        .at(-1)?.ts,
    );
  }

  watch(['message/', 'channel/', 'person/', 'home', 'shortcuts', 'read/'], show);
  document.addEventListener('visibilitychange', show);
  return {
    show,
    /** Clears the view after a change of the person. */
    reset() {
      shown = '';
      homeDrafts.clear();
    },
    composer,
  };
}
