import { act } from './api.js';
import { h, icon, reconcile } from './dom.js';
import { createDrill } from './drill.js';
import { fullTime } from './people.js';
import { get, now } from './store.js';

/** Switches for faults and for time. */

const steps = [
  [60_000, '1 minute'],
  [600_000, '10 minutes'],
  [3_600_000, '1 hour'],
  [86_400_000, '1 day'],
  [604_800_000, '1 week'],
];
const states = { once: ['armed', 'off'], while: ['on', 'off'] };

function row({ name, kind, label, watch, isOn }) {
  const flip = () => act('switch', { name, isOn: kind === 'now' ? true : !isOn });
  const id = `switch-${name}`;
  return {
    key: name,
    signature: JSON.stringify([label, watch, isOn]),
    make: () =>
      h(
        'li',
        { class: isOn ? 'trouble on' : 'trouble' },
        kind === 'now'
          ? h(
              'button',
              {
                type: 'button',
                class: 'button',
                id,
                'data-spot': id,
                onclick: flip,
                'aria-describedby': `${id}-watch`,
              },
              icon('bolt'),
              label,
            )
          : h(
              'button',
              {
                type: 'button',
                class: 'switch',
                id,
                role: 'switch',
                'aria-checked': String(isOn),
                'data-spot': id,
                onclick: flip,
                'aria-describedby': `${id}-watch`,
              },
              h('span', { class: 'track', 'aria-hidden': 'true' }),
              h('span', { class: 'switch-label' }, label),
              h('span', { class: 'switch-state', 'aria-hidden': 'true' }, states[kind][isOn ? 0 : 1]),
            ),
        h('p', { class: 'row-note', id: `${id}-watch` }, watch),
      ),
  };
}

export function createTrouble(parent) {
  const rows = h('ul', { class: 'rows troubles' });
  const clock = h('p', { class: 'muted' });
  const drill = createDrill(parent);
  parent.append(
    h('h3', {}, 'Faults'),
    h('p', { class: 'muted' }, 'Make something go wrong, then ask the bot for something and watch what it does.'),
    rows,
    h('h3', {}, 'Time forward'),
    clock,
    h(
      'div',
      { class: 'actions' },
      steps.map(([ms, label]) =>
        h('button', { type: 'button', class: 'button', onclick: () => act('forward', { ms }) }, `+ ${label}`),
      ),
      h(
        'button',
        { type: 'button', class: 'button', onclick: () => act('forwardToHour', {}) },
        'To the next scheduled hour',
      ),
    ),
  );
  return {
    show() {
      drill.show();
      reconcile(rows, (get('switches') ?? []).map(row));
      clock.textContent = `It is ${fullTime(now())} in the sandbox.`;
    },
  };
}
