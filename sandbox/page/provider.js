import { act } from './api.js';
import { byId, find, h, icon, iconButton, reconcile } from './dom.js';
import { drillClock } from './drill.js';
import { createHoldings } from './holdings.js';
import { createMachine } from './machine.js';
import { createNoise } from './noise.js';
import { deliveryRow, jobRow, money, recordRow, requestRow, serverRow } from './provider-rows.js';
import { get, list, watch } from './store.js';
import { createTrouble } from './trouble.js';

/** The provider's panel: the account's contents and the bot's requests. */

const pages = [
  ['servers', 'Servers'],
  ['records', 'DNS'],
  ['money', 'Money'],
  ['more', 'More'],
  ['requests', 'Calls'],
  ['noise', 'Noise'],
  ['trouble', 'Trouble'],
];

export function createProvider(onclose) {
  const aside = byId('provider');
  const clock = h('span', { class: 'muted' });
  const bot = h('p', { class: 'bot-state' });
  const body = Object.fromEntries(
    pages.map(([name]) => [
      name,
      h('div', {
        class: 'tab-body',
        id: `tab-${name}`,
        role: 'tabpanel',
        'aria-labelledby': `label-${name}`,
        tabindex: '0',
      }),
    ]),
  );
  let shown = sessionStorage.getItem('hostler.tab') ?? 'servers';
  const tablist = h(
    'div',
    { class: 'tabs', role: 'tablist', 'aria-label': "The provider's side" },
    pages.map(([name, label]) =>
      h(
        'button',
        {
          type: 'button',
          role: 'tab',
          id: `label-${name}`,
          'aria-controls': `tab-${name}`,
          class: 'tab',
          onclick: () => choose(name),
        },
        label,
      ),
    ),
  );
  tablist.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const at = pages.findIndex(([name]) => name === shown);
    choose(pages[(at + step + pages.length) % pages.length][0]);
    byId(`label-${shown}`).focus();
  });

  const servers = h('ul', { class: 'rows' });
  const jobs = h('ul', { class: 'rows' });
  const noJobs = h('p', { class: 'muted' }, 'No job has run yet.');
  body.servers.append(h('h3', {}, 'Jobs'), noJobs, jobs, h('h3', {}, 'Servers'), servers);
  const zones = h('div', {});
  body.records.append(zones);
  const account = h('div', { class: 'account' });
  body.money.append(account);
  const wires = h('ol', { class: 'wires' });
  const isReading = h('input', { type: 'checkbox', checked: false, onchange: () => show() });
  const machine = createMachine(body.requests);
  body.requests.append(h('h3', {}, 'Calls'), h('label', { class: 'box' }, isReading, 'Show reads too'), wires);
  const holdings = createHoldings(body.more);
  const noise = createNoise(body.noise);
  const trouble = createTrouble(body.trouble);

  aside.append(
    h(
      'header',
      { class: 'pane-head' },
      h('div', { class: 'pane-title' }, icon('server'), h('h2', {}, 'Provider'), clock),
      iconButton('close', "Close the provider's side", onclose),
    ),
    bot,
    tablist,
    ...Object.values(body),
  );

  function choose(name) {
    shown = name;
    sessionStorage.setItem('hostler.tab', name);
    show();
  }

  function showAccount() {
    const { balance, monthly, unpaid = [] } = get('account') ?? {};
    if (balance === undefined) return;
    const cover = monthly > 0 ? Math.floor((balance / monthly) * 30) : 0;
    const set = (amount, label) =>
      h(
        'button',
        {
          type: 'button',
          class: 'button',
          'data-spot': `money ${amount}`,
          onclick: () => act('balance', { balance: amount }),
        },
        label,
      );
    const signature = JSON.stringify([balance, monthly, unpaid]);
    reconcile(account, [
      {
        key: 'account',
        signature,
        make: () =>
          h(
            'div',
            {},
            h('p', { class: 'big' }, money(balance)),
            h('p', { class: 'muted' }, `covers ${cover} days at ${money(monthly)} a month`),
            h(
              'div',
              { class: 'actions' },
              set(24.1, 'Let it run low (€ 24.10)'),
              set(84.2, 'As it was (€ 84.20)'),
              set(400, 'Top up (€ 400)'),
            ),
            h('h3', {}, 'Unpaid invoices'),
            unpaid.length === 0
              ? h('p', { class: 'muted' }, 'None.')
              : h(
                  'ul',
                  { class: 'rows' },
                  unpaid.map((invoice) =>
                    h(
                      'li',
                      { class: 'row' },
                      h(
                        'div',
                        { class: 'row-main' },
                        h('b', {}, `Invoice ${invoice.id}`),
                        h('span', {}, money(invoice.amount)),
                      ),
                      h('div', { class: 'row-note' }, invoice.orderId ?? 'the account'),
                    ),
                  ),
                ),
          ),
      },
    ]);
  }

  function showZones() {
    reconcile(
      zones,
      list('zone/').map(({ name, entries }) => ({
        key: name,
        signature: JSON.stringify([entries, edited]),
        make: () => {
          const rows = h('tbody', {});
          reconcile(
            rows,
            entries.map((entry) => recordRow(name, entry, edited === entry.id, edit)),
          );
          return h(
            'section',
            {},
            h('h3', {}, name),
            h(
              'div',
              { class: 'table-scroll', tabindex: '0', role: 'region', 'aria-label': `Records of ${name}` },
              h(
                'table',
                { class: 'zone' },
                h(
                  'thead',
                  { class: 'unseen' },
                  h(
                    'tr',
                    {},
                    ['Host', 'Type', 'Value', 'TTL', 'Change'].map((text) => h('th', { scope: 'col' }, text)),
                  ),
                ),
                rows,
              ),
            ),
          );
        },
      })),
    );
  }

  let edited;
  function edit(id) {
    const was = edited;
    edited = id;
    showZones();
    const next = id === undefined ? `[data-spot="record ${was}"]` : '#by-hand';
    find(zones, next)?.focus();
  }

  const painters = {
    servers() {
      const all = list('job/').sort((a, b) => b.pk - a.pk);
      noJobs.hidden = all.length > 0;
      reconcile(
        jobs,
        all
          .filter((job) => job.state === 'ready')
          .concat(all.filter((job) => job.state !== 'ready').slice(0, 4))
          .map(jobRow),
      );
      reconcile(servers, list('server/').map(serverRow));
    },
    records: showZones,
    money: showAccount,
    more: holdings.show,
    requests() {
      machine.show();
      const asked = list('request/')
        .filter(({ method }) => isReading.checked || method !== 'GET')
        .map(requestRow);
      const rows = [...asked, ...list('delivery/').map(deliveryRow)]
        .sort((a, b) => b.atMs - a.atMs || (a.key < b.key ? 1 : -1))
        .slice(0, 120);
      reconcile(
        wires,
        rows.length > 0
          ? rows
          : [
              {
                key: 'none',
                signature: '',
                make: () =>
                  h(
                    'li',
                    { class: 'muted' },
                    'Nothing yet: what people do in Slack and what the bot asks of the provider appears here as it happens.',
                  ),
              },
            ],
      );
    },
    noise: noise.show,
    trouble: trouble.show,
  };

  function show() {
    if (aside.hidden) return;
    for (const [name] of pages) {
      const isHere = name === shown;
      const label = byId(`label-${name}`);
      label.setAttribute('aria-selected', String(isHere));
      label.tabIndex = isHere ? 0 : -1;
      label.classList.toggle('here', isHere);
      body[name].hidden = !isHere;
    }
    const armed = (get('switches') ?? []).filter((one) => one.isOn).length;
    byId('label-trouble').classList.toggle('armed', armed > 0);
    byId('label-trouble').setAttribute('aria-label', armed > 0 ? `Trouble (${armed})` : 'Trouble');
    const { offsetMs = 0 } = get('clock') ?? {};
    clock.textContent = [drillClock(), offsetMs > 0 && `+${inOneUnit(offsetMs)}`].filter(Boolean).join(' · ');
    const sockets = get('bot')?.connections ?? 0;
    bot.className = sockets > 0 ? 'bot-state on' : 'bot-state';
    bot.textContent =
      sockets > 0
        ? `● Hostler is connected${sockets > 1 ? ` (${sockets} sockets)` : ''}`
        : '○ Hostler is not connected';
    painters[shown]?.();
  }

  const shownParts = ['server/', 'job/', 'zone/', 'account', 'ticket/', 'bucket/', 'ssh-key/', 'address/', 'webhook'];
  watch(
    [...shownParts, 'request/', 'delivery/', 'switches', 'drill', 'clock', 'bot', 'machine', 'noise', 'person/'],
    show,
  );
  // Only running jobs and the clock of a drill change without an event.
  const isMoving = () =>
    drillClock() !== '' || (shown === 'servers' && list('job/').some((job) => job.state === 'ready'));
  setInterval(() => isMoving() && show(), 500);
  return { show, choose };
}

/** `10 min`, `20 h`, `7 d` */
function inOneUnit(ms) {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 60) return `${minutes} min`;
  return minutes < 1_440 ? `${Math.round(minutes / 60)} h` : `${Math.round(minutes / 1_440)} d`;
}
