import { byId, find, findAll, h, icon, iconButton, reconcile } from './dom.js';
import { avatar, botId, me } from './people.js';
import { unreadOf } from './reading.js';
import { go, route } from './route.js';
import { get, list, watch } from './store.js';

/** The channels with their unread counts. On a phone the sidebar is a drawer. */

const order = { public: 0, private: 0, im: 1 };

function item({ key, view, label, before, isUnread, mentions, isMuted }) {
  const isHere = route().view === view;
  return {
    key,
    signature: JSON.stringify([label, isUnread, mentions, isHere, isMuted]),
    make: () =>
      h(
        'a',
        {
          href: `#/${view}`,
          class: `side-item${isUnread ? ' unread' : ''}${isHere ? ' here' : ''}${isMuted ? ' muted-item' : ''}`,
          'aria-current': isHere ? 'page' : undefined,
          'data-spot': `side ${view}`,
          onclick: (event) => {
            event.preventDefault();
            go({ view });
            closeDrawer();
          },
        },
        before(),
        h('span', { class: 'side-name' }, label),
        isUnread && h('span', { class: 'unseen' }, ' (unread)'),
        mentions > 0 && h('span', { class: 'count', 'aria-label': `${mentions} new for you` }, `${mentions}`),
      ),
  };
}

const head = (text) => ({ key: `head ${text}`, signature: text, make: () => h('h2', { class: 'side-head' }, text) });

export function openDrawer() {
  document.body.classList.add('drawer');
  find(document, '#sidebar .here, #sidebar .side-item')?.focus();
}
export const closeDrawer = () => document.body.classList.remove('drawer');

export function createSidebar() {
  const nav = byId('sidebar');
  const team = h('div', { class: 'team' });
  const rows = h('div', { class: 'side-rows' });
  nav.append(
    h(
      'div',
      { class: 'team-row' },
      team,
      iconButton('close', 'Close the list', closeDrawer, { class: 'icon-button only-phone' }),
    ),
    rows,
  );
  nav.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') closeDrawer();
    const all = findAll(rows, '.side-item');
    const at = all.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    const to = { ArrowDown: all[at + 1], ArrowUp: all[at - 1] }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    to.focus();
  });

  function show() {
    team.textContent = get('team')?.name ?? '';
    const channels = list('channel/').sort(
      (a, b) => order[a.kind] - order[b.kind] || a.isArchived - b.isArchived || a.name.localeCompare(b.name),
    );
    const rowOf = (channel) => {
      const { isUnread, mentions } = unreadOf(channel);
      const isIm = channel.kind === 'im';
      return item({
        key: channel.id,
        view: channel.id,
        label: isIm ? 'Hostler' : channel.name,
        isUnread,
        mentions,
        isMuted: channel.isArchived,
        before: () => (isIm ? avatar(botId(), 'small') : icon(channel.kind === 'private' ? 'lock' : 'hash')),
      });
    };
    reconcile(rows, [
      head('Channels'),
      ...channels.filter((channel) => channel.kind !== 'im').map(rowOf),
      head('Direct messages'),
      ...channels.filter((channel) => channel.kind === 'im').map(rowOf),
      head('Apps'),
      item({
        key: 'home',
        view: 'home',
        label: 'Hostler Home',
        isUnread: false,
        mentions: 0,
        isMuted: false,
        before: () => avatar(botId(), 'small'),
      }),
    ]);
    const all = channels.map(unreadOf).reduce((sum, { mentions }) => sum + mentions, 0);
    document.title = `${all > 0 ? `(${all}) ` : ''}Hostler sandbox${get('copied') ? `, copy of ${get('copied').of || 'your account'}` : ''}${me().name ? ` – @${me().name}` : ''}`;
  }
  watch(['channel/', 'read/', 'message/', 'team', 'me'], show);
  return { show };
}
