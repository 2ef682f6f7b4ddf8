import type { Button } from '../view/view.ts';
import type { Finding } from './alert.ts';

/** Prefix of a message id, which stands for all alerts in the message. */
export const messageMark = 'm:';

/** Assigns the alert to the person who clicks. `alert` is an alert id, or `m:` with a message id. */
export function onItButton(alert: string): Button {
  return { label: "I'm on it", intent: { do: 'alert', alert, act: 'acknowledge' } };
}

/** Accepts the value of the alert as right. Empty for an alert without such a value. */
export function rightButtons(alert: string, { rightAs }: Pick<Finding, 'rightAs'>): Button[] {
  return rightAs === undefined ? [] : [{ label: rightAs.label, intent: { do: 'alert', alert, act: 'accept' } }];
}

/** Opens the dialog that assigns another person; `alert` as above. */
export function handOverButton(alert: string): Button {
  return { label: 'Hand over…', intent: { do: 'form', line: `alerts hand-over ${alert}` }, opens: true };
}
