import type { Button } from '../view/view.ts';
import type { Finding } from './alert.ts';

/** Before the id of a message, which stands for all alerts that are on it. */
export const messageMark = 'm:';

/** The person who clicks it looks after the alert from then on. `alert` is its id, or `m:` and that of its message. */
export function onItButton(alert: string): Button {
  return { label: "I'm on it", intent: { do: 'alert', alert, act: 'acknowledge' } };
}

/** The person who clicks it says that what the alert is about is right. None for an alert of which nobody can say so. */
export function rightButtons(alert: string, { rightAs }: Pick<Finding, 'rightAs'>): Button[] {
  return rightAs === undefined ? [] : [{ label: rightAs.label, intent: { do: 'alert', alert, act: 'accept' } }];
}

/** Opens the dialog in which somebody else is chosen; `alert` as above. */
export function handOverButton(alert: string): Button {
  return { label: 'Hand over…', intent: { do: 'form', line: `alerts hand-over ${alert}` }, opens: true };
}
