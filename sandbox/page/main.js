import { connect, onceReady, startOver, toast, whoami } from './api.js';
import { createChannel } from './channel.js';
import { byId, find, h, icon, iconButton } from './dom.js';
import { createModal } from './modal.js';
import { avatar, fullTime, me } from './people.js';
import { ask, closePopup, openMenu } from './popup.js';
import { createProvider } from './provider.js';
import { go, onRoute, route } from './route.js';
import { closeDrawer, createSidebar } from './sidebar.js';
import { get, list, watch } from './store.js';
import { createThread } from './thread.js';
import { createTour } from './tour.js';

const firstPerson = 'operator';
const firstChannel = 'ops';

const tour = createTour({
  type: (text) => {
    const ops = list('channel/').find((channel) => channel.name === firstChannel);
    if (ops) go({ view: ops.id });
    channel.composer.set(text);
  },
  become: (name) => become(name),
  whoami: () => me().name,
});
const channel = createChannel(tour);
const sidebar = createSidebar();
const thread = createThread();
const modal = createModal();
const panel = byId('provider');
const provider = createProvider(() => showProvider(false));
const narrow = matchMedia('(max-width: 1099px)');

function show() {
  channel.show();
  thread.show();
  sidebar.show();
}

function become(name) {
  closePopup(false);
  if (me().name === name) return;
  go({ as: name });
}

/** The text about a person's pending messages, for choosing a person. */
function waiting(id) {
  const { pings = 0, direct = 0, unread = 0 } = (get('noise')?.people ?? []).find((one) => one.id === id) ?? {};
  return [unread > 0 && `${unread} unread`, pings + direct > 0 && `${pings + direct} pings`].filter(Boolean).join(', ');
}

function personMenu(anchor) {
  openMenu(
    anchor,
    'Be somebody else',
    list('person/')
      .filter((person) => !person.isBot && !person.isDeactivated)
      .map((person) => ({
        label: person.realName,
        note: [`@${person.name}`, person.role, waiting(person.id)].filter(Boolean).join(' · '),
        before: avatar(person.id),
        isChecked: person.name === me().name,
        run: () => become(person.name),
      })),
  );
}

const who = h('button', {
  type: 'button',
  class: 'who',
  id: 'who',
  'aria-haspopup': 'menu',
  'aria-expanded': 'false',
  onclick: () => personMenu(who),
});
/** A button of the top bar; at phone width only its picture is visible. */
const topButton = (picture, label, onclick, more) =>
  h(
    'button',
    { type: 'button', class: 'top-button', 'aria-label': label, onclick, ...more },
    icon(picture),
    h('span', {}, label),
  );
const providerButton = topButton('server', 'Provider', () => showProvider(panel.hidden), {
  id: 'provider-button',
  'aria-expanded': 'false',
  'aria-controls': 'provider',
});
const theme = iconButton('moon', 'Switch between light and dark', () =>
  document.dispatchEvent(new Event('hostler:theme')),
);

async function askStartOver() {
  const isSure = await ask({
    title: 'Start over?',
    text: get('copied')
      ? 'Messages, servers, records, policies and everything the bot remembers go back to the copy.'
      : 'Messages, servers, records, policies and everything the bot remembers go back to the first day.',
    confirm: 'Start over',
    deny: 'Cancel',
    isDanger: true,
  });
  if (isSure) await startOver();
}

const brandNote = h('span', { class: 'brand-note', id: 'brand-note' }, 'sandbox');
const tourButton = topButton('flag', 'Tour', () => tour.again(), {
  id: 'tour-button',
  title: 'Take the tour from its beginning',
});
byId('top').append(
  h(
    'div',
    { class: 'brand' },
    h('img', { src: '/icon.svg', alt: '', width: '22', height: '22' }),
    h('b', {}, 'Hostler'),
    brandNote,
  ),
  h('div', { class: 'top-middle' }),
  tourButton,
  topButton('again', 'Start over', askStartOver, { id: 'start-over' }),
  theme,
  providerButton,
  who,
);

function showProvider(isShown) {
  panel.hidden = !isShown;
  providerButton.setAttribute('aria-expanded', String(isShown));
  document.body.classList.toggle('has-provider', isShown);
  localStorage.setItem('hostler.provider', isShown ? 'open' : 'closed');
  provider.show();
  if (!isShown) providerButton.focus();
}

watch(['me', 'copied'], () => {
  const copied = get('copied');
  if (copied === undefined) return;
  brandNote.replaceChildren(`copy of ${copied.of || 'your account'}, ${fullTime(copied.atMs)}`);
  // The lines of the tour name servers of the made-up account.
  tourButton.hidden = true;
});
watch(['me', 'person/'], () => {
  const { id, realName, name, role } = me();
  who.replaceChildren(
    avatar(id, 'small'),
    h('span', { class: 'unseen' }, 'You are '),
    h('span', { class: 'who-words' }, h('b', {}, realName), ' ', h('small', {}, `@${name} · ${role}`)),
    h('span', { class: 'unseen' }, '. Be somebody else'),
    icon('down'),
  );
});

function enter() {
  const name = route().as ?? firstPerson;
  if (name !== whoami()) {
    channel.reset();
    const isChange = whoami() !== '';
    onceReady(() => {
      const isThere = route().view === 'home' || get(`channel/${route().view}`);
      const all = list('channel/');
      const start = all.find((one) => one.name === firstChannel) ?? all.find((one) => one.kind !== 'im') ?? all[0];
      if (!isThere && start) go({ view: start.id });
      show();
      modal.show();
      tour.show();
      if (isChange) toast(`You are ${me().realName}. Times are in ${get('me').tz}.`);
    });
    connect(name);
    return;
  }
  show();
}

// The fragment of the address is the route, so this link must not change it.
find(document, '.skip')?.addEventListener('click', (event) => {
  event.preventDefault();
  byId('composer').focus();
});
onRoute(enter);
document.addEventListener('click', (event) => {
  if (
    document.body.classList.contains('drawer') &&
    event.target instanceof Element &&
    !event.target.closest('#sidebar, .only-phone')
  )
    closeDrawer();
});
// Dates such as "Today" become outdated, so they are drawn again once a minute.
setInterval(show, 60_000);
if (localStorage.getItem('hostler.provider') !== 'closed' && !narrow.matches) showProvider(true);
enter();
