import type { Button } from '../view/view.ts';
import type { Finding, RightAs } from './alert.ts';

/** Prefix of a message id, which stands for all alerts in the message. */
export const messageMark = 'm:';

/** Stands for the alert of a sample. */
export const sampleId = 'sample';

/** Assigns the alert to the person who clicks. `alert` is an alert id, or `m:` with a message id. */
export function onItButton(alert: string): Button {
  return { label: "I'm on it", intent: { do: 'alert', alert, act: 'acknowledge' } };
}

/** A menu in Slack has no room for a whole hash. */
const shortHash = 12;

/** Accepts the shown value of the alert as right. Empty for an alert without such a value. */
export function rightButtons(alert: string, { rightAs }: Pick<Finding, 'rightAs'>): Button[] {
  if (rightAs === undefined) return [];
  const seen = rightAs.seen.slice(0, shortHash);
  return [{ label: rightAs.label, intent: { do: 'alert', alert, act: 'accept', seen } }];
}

/** True if the pressed button stood under this value. */
export function isSeen({ seen }: RightAs, shown: string | undefined): boolean {
  return shown !== undefined && seen.slice(0, shortHash) === shown;
}

/** Opens the dialog that assigns another person; `alert` as above. */
export function handOverButton(alert: string): Button {
  return { label: 'Hand over…', intent: { do: 'form', line: `alerts hand-over ${alert}` }, opens: true };
}
