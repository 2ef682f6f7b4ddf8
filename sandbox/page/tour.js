import { act } from './api.js';
import { h, iconButton } from './dom.js';
import { botId } from './people.js';
import { get, list, now, watch } from './store.js';

/** A tour of five first steps. It detects completed steps, and can be closed for good. */

const key = 'hostler.tour';
const lowBalance = 24.1;
const since = (message, state) => Number(message.ts) * 1000 > state.sinceMs;
const said = (state) => list('message/').filter((message) => message.user === botId() && since(message, state));
/** The step ends when the card ends, which is later than the provider's job. */
const cardDone = (title) => (state) =>
  said(state)
    .map((message) => JSON.stringify(message.blocks))
    .some((blocks) => blocks.includes(title) && / · (done|answers again)/.test(blocks));

/**
 * One step of the tour. `before` is a button that makes it possible: its label, its act, and whether it is needed now.
 * @typedef {{title: string, text: string, as: string, say?: string, become?: readonly [string, string], before?: readonly [string, () => Promise<unknown>, () => boolean], isDone: (state: any) => boolean}} Step
 * @typedef {{label: string, run: () => unknown, isMain?: boolean}} Press
 */

/** @type {readonly Step[]} */
const steps = [
  {
    title: 'See your servers',
    text: 'Omar is an operator in #ops. Everything he asks for begins with /host.',
    as: 'operator',
    say: '/host list',
    isDone: (state) => said(state).some((message) => message.blocks.some((block) => block.type === 'table')),
  },
  {
    title: 'Restart one',
    text: 'Nothing happens yet: a card shows what will. Press Restart web-1 on it, and watch it run to its end.',
    as: 'operator',
    say: '/host restart web-1',
    isDone: cardDone('Restart web-1'),
  },
  {
    title: 'Approve as somebody else',
    text: 'A hard reset needs somebody else. Ask for it as Omar, then become Lena and approve it.',
    as: 'operator',
    say: '/host hard-reset web-2',
    become: ['lead', 'Become Lena'],
    isDone: cardDone('Hard reset web-2'),
  },
  {
    title: 'Change DNS, and take it back',
    text: 'Press the green button of the card; when it is done, press Undo and the green button again.',
    as: 'operator',
    say: '/host dns set example.com www A 192.0.2.11 ttl=300',
    isDone: cardDone('Undo: Change A www'),
  },
  {
    title: 'See an alert',
    text: 'Make the balance run low, turn on the balance alert, and confirm. An alert arrives within a minute.',
    as: 'operator',
    say: '/host alerts on balance',
    before: [
      'Let the balance run low',
      () => act('balance', { balance: lowBalance }),
      () => get('account')?.balance > lowBalance,
    ],
    isDone: (state) =>
      cardDone('Turn on alerts')(state) &&
      said(state).some((message) => /balance covers/i.test(JSON.stringify(message.blocks))),
  },
];

const read = () => {
  const saved = JSON.parse(localStorage.getItem(key) ?? 'null');
  return saved ?? { step: 0, sinceMs: 0, isDone: false, isClosed: false };
};

/** @param {{type: (text: string) => void, become: (name: string) => void, whoami: () => string}} hands */
export function createTour(hands) {
  const words = h('div', { class: 'tour-words' });
  const row = h('div', { class: 'tour-buttons' });
  const close = iconButton('close', 'Close the tour for good', () => keep({ isClosed: true }));
  const node = h('section', { class: 'tour', 'aria-label': 'A short tour', hidden: true }, words, row, close);
  let state = read();

  function keep(next) {
    state = { ...state, ...next };
    localStorage.setItem(key, JSON.stringify(state));
    show();
  }

  const start = (step) => keep({ step, sinceMs: now() - 1, isDone: false, isClosed: false, line: 'none' });

  /**
   * Keeps a button's element while its text is the same: a button that is redrawn while it is pressed gets no click.
   * @param {readonly Press[]} wanted
   */
  function place(wanted) {
    const old = new Map([...row.querySelectorAll('button')].map((one) => [one.textContent, one]));
    const next = wanted.map(({ label, run, isMain = false }) => {
      const one = old.get(label) ?? h('button', { type: 'button', 'data-spot': `tour ${label}` }, label);
      one.className = isMain ? 'button primary' : 'button';
      one.onclick = run;
      return one;
    });
    for (const one of old.values()) if (!next.includes(one)) one.remove();
    for (const [at, one] of next.entries())
      if (row.children[at] !== one) row.insertBefore(one, row.children[at] ?? null);
  }

  /** The state that was drawn last. */
  let drawn = '';

  function show() {
    const step = steps[state.step];
    node.hidden = state.isClosed || get('copied') !== undefined;
    if (node.hidden) return;
    const wanted = JSON.stringify([state.step, state.isDone, state.line, hands.whoami(), step?.before?.[2]()]);
    if (wanted === drawn) return;
    drawn = wanted;
    const dots = h(
      'span',
      { class: 'dots', 'aria-hidden': 'true' },
      steps.map((_, at) =>
        h('span', {
          class: at < state.step || step === undefined ? 'dot past' : at === state.step ? 'dot here' : 'dot',
        }),
      ),
    );
    const hadFocus = node.contains(document.activeElement);
    if (step === undefined) {
      words.replaceChildren(
        dots,
        h('b', {}, 'That was the tour.'),
        ' There is more: schedule or repeat (',
        h('code', {}, '/host restart web-1 tomorrow 4am'),
        ', ',
        h('code', {}, 'every monday 4am'),
        '), postpone or call off (',
        h('code', {}, '/host scheduled'),
        '), mute alerts, pin a server, look back and restore DNS, a digest, break glass: ',
        h('code', {}, '/host help'),
        '. On the provider’s side you can make something go wrong.',
      );
      place([{ label: 'Done', run: () => keep({ isClosed: true }), isMain: true }]);
    } else {
      words.replaceChildren(
        dots,
        h('span', { class: 'unseen' }, `Step ${state.step + 1} of ${steps.length}: `),
        h('b', {}, step.title),
        ' ',
        state.isDone
          ? h('span', { class: 'tour-done', role: 'status' }, '✓ Done.')
          : state.line === 'typed'
            ? h('b', { role: 'status' }, 'Press Enter to send it.')
            : step.text,
      );
      place(buttonsOf(step));
    }
    if (hadFocus && !node.contains(document.activeElement)) row.querySelector('button')?.focus();
  }

  function typed(text) {
    keep({ line: 'typed' });
    hands.type(text);
  }

  /** The line is no longer in the box, and its card has the next button to press. */
  function sent() {
    if (!state.isClosed) keep({ line: 'sent' });
  }

  /** @param {Step} step @returns {Press[]} */
  function buttonsOf({ as, before, become, say = '' }) {
    const run = () => start(state.step + 1);
    if (state.isDone) return [{ label: state.step === steps.length - 1 ? 'Finish' : 'Next step', run, isMain: true }];
    const me = hands.whoami();
    const isFirst = before?.[2]() === true;
    /** @type {Press[]} */
    const buttons = [];
    if (isFirst && before) buttons.push({ label: before[0], run: before[1], isMain: true });
    if (!isFirst && say && me === as)
      buttons.push({
        label: 'Type it for me',
        run: () => typed(say),
        isMain: state.line !== 'typed' && state.line !== 'sent',
      });
    if (say && me !== as && me !== become?.[0])
      buttons.push({ label: 'Become Omar', run: () => hands.become('operator'), isMain: true });
    if (become && me !== become[0]) buttons.push({ label: become[1], run: () => hands.become(become[0]) });
    return [...buttons, { label: 'Skip', run }];
  }

  function look() {
    if (state.isClosed) return;
    if (state.sinceMs === 0) start(0);
    else if (!state.isDone && steps[state.step]?.isDone(state)) keep({ isDone: true });
  }
  watch(['message/', 'job/', 'request/', 'me'], look);
  watch(['account', 'me'], show);
  show();
  return { node, show, sent, again: () => start(0) };
}
