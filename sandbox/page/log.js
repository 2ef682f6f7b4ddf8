import { h, icon, reconcile } from './dom.js';

/** A list of messages that stays scrolled to its end, or shows a button to return there. */
export function createLog(label) {
  const inner = h('div', { class: 'log-inner' });
  const log = h('div', { class: 'log', role: 'log', 'aria-label': label, tabindex: '0' }, inner);
  const jump = h(
    'button',
    { type: 'button', class: 'jump', hidden: true, onclick: () => toEnd() },
    icon('down'),
    'Newest',
  );
  let isAtEnd = true;
  const toEnd = () => {
    log.scrollTop = log.scrollHeight;
  };
  const look = () => {
    isAtEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 60;
    jump.hidden = isAtEnd;
  };
  log.addEventListener('scroll', look, { passive: true });
  // A picture that loads or a window that shrinks must not hide the end.
  new ResizeObserver(() => (isAtEnd ? toEnd() : look())).observe(log);
  new ResizeObserver(() => (isAtEnd ? toEnd() : look())).observe(inner);
  return {
    node: h('div', { class: 'log-box' }, log, jump),
    log,
    show(rows, { isToEnd = false } = {}) {
      if (isToEnd) isAtEnd = true;
      reconcile(inner, rows);
      if (isAtEnd) toEnd();
      else look();
    },
  };
}
