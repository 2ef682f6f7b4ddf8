import type { Button } from '../view/view.ts';
import type { Finding } from './alert.ts';

/** Opens the form of `ticket open` with the facts filled in. The form refuses users without the right. */
export function ticketButton(about: `request:${string}` | `alert:${string}`): Button {
  return { label: 'Open a ticket…', intent: { do: 'form', line: `ticket open about=${about}` }, opens: true };
}

/** False for alerts about the channel itself, with which the provider's support cannot help. */
export function isForSupport({ target, isNotForSupport }: Pick<Finding, 'target' | 'isNotForSupport'>): boolean {
  return target.kind !== 'channel' && isNotForSupport !== true;
}
