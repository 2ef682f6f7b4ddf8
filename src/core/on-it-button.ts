import type { Button } from './view.ts';

/** The person who clicks it looks after the alert from then on. `alert` is its id, or `m:` and that of its message. */
export function onItButton(alert: string): Button {
  return { label: "I'm on it", intent: { do: 'alert', alert, act: 'acknowledge' } };
}

/** Opens the dialog in which somebody else is chosen. */
export function handOverButton(alert: string): Button {
  return { label: 'Hand over…', intent: { do: 'form', line: `alerts hand-over ${alert}` }, opens: true };
}
