import { act } from './api.js';
import { h, reconcile } from './dom.js';
import { plain } from './pieces.js';
import { get, now } from './store.js';

/** A drill: the choice of a situation, its clock and what was seen of it, and the card of its end. */

/** `00:42`, `1:03:05` */
function clockText(ms) {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  const [hours, ...rest] = [3_600, 60, 1].map((size, at) =>
    Math.floor((at === 0 ? seconds : seconds % (size * 60)) / size),
  );
  return [...(hours > 0 ? [String(hours)] : []), ...rest.map((part) => String(part).padStart(2, '0'))].join(':');
}

const button = (label, name, input = {}, more = {}) =>
  h(
    'button',
    { type: 'button', class: 'button', 'data-spot': `${name} ${label}`, onclick: () => act(name, input), ...more },
    label,
  );

/** `Drill 00:42` while a drill runs. */
export function drillClock() {
  const { run } = get('drill') ?? {};
  return run?.sinceMs !== undefined && !run.end ? `Drill ${clockText(now() - run.sinceMs)}` : '';
}

const line = ({ ms, who, text }) =>
  h('li', {}, h('time', {}, clockText(ms)), h('span', {}, who && h('b', {}, who), who && ' ', plain(text)));

const log = (lines) => h('ol', { class: 'drill-log' }, lines.map(line));

function noticed({ noticed: first, target, rule }) {
  return [
    h('dt', {}, 'Noticed'),
    h(
      'dd',
      {},
      first
        ? [h('b', {}, `after ${clockText(first.ms)}`), ` by ${first.who}: `, plain(first.text)]
        : `Nobody named ${target}.`,
    ),
    rule &&
      first?.who !== 'Hostler' &&
      h(
        'dd',
        { class: 'row-note' },
        'Hostler was not the first. It posts this in a channel after ',
        h('code', {}, `/host alerts on ${rule}`),
        '.',
      ),
  ];
}

const card = (run) => [
  h(
    'dl',
    { class: 'drill-facts' },
    noticed(run),
    h('dt', {}, run.end.isOver ? 'Over' : 'Ended by hand'),
    h(
      'dd',
      {},
      h('b', {}, `after ${clockText(run.end.ms)}`),
      run.end.isOver ? ': ' : '. It was not over: ',
      run.end.text,
      '.',
    ),
    h('dt', {}, 'Seen'),
    h('dd', {}, run.lines.length === 0 ? 'Nobody did anything.' : log(run.lines)),
  ),
  h(
    'p',
    { class: 'row-note' },
    `What it changed stays. Start over brings back the ${get('copied') ? 'copy' : 'first day'}.`,
  ),
  h('div', { class: 'actions' }, button('Put the card away', 'closeDrill')),
];

const going = (run) => [
  h('p', {}, run.brief),
  h('p', { class: 'big drill-clock', role: 'timer' }, clockText(now() - run.sinceMs)),
  log(run.lines),
  h('div', { class: 'actions' }, button('End the drill', 'endDrill')),
];

const preparing = () => [h('p', { class: 'muted' }, 'Preparing it: people ask Hostler for something first.')];

const stageOf = (run) => (run.end ? card : run.sinceMs === undefined ? preparing : going);

const choice = (names) => [
  h('p', { class: 'muted' }, 'One situation with a clock. Play it in the channel; at the end there is a card.'),
  h(
    'div',
    { class: 'actions' },
    names.map(({ name, label }) => button(label, 'startDrill', { name })),
  ),
];

export function createDrill(parent) {
  const place = h('div', {});
  parent.append(h('h3', {}, 'Drill'), place);
  return {
    show() {
      const { names = [], run } = get('drill') ?? {};
      const make = () =>
        run
          ? h(
              'section',
              { class: run.end ? 'drill over' : 'drill', 'aria-label': `Drill: ${run.label}` },
              h('b', {}, run.label),
              stageOf(run)(run),
            )
          : h('div', { class: 'drills' }, choice(names));
      reconcile(place, [{ key: 'drill', signature: JSON.stringify(run ?? names), make }]);
      const clock = place.querySelector('.drill-clock');
      if (clock && run) clock.textContent = clockText(now() - run.sinceMs);
    },
  };
}
