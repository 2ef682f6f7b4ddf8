import type { Button } from '../view/view.ts';
import type { Finding } from './alert.ts';

/** Opens the form of `ticket open` with the facts filled in. Whoever may not open tickets is told so by the form. */
export function ticketButton(about: `request:${string}` | `alert:${string}`): Button {
  return { label: 'Open a ticket…', intent: { do: 'form', line: `ticket open about=${about}` }, opens: true };
}

/** Support of the provider knows nothing of what is about no order and not about the account. */
export function isForSupport({ target, isNotForSupport }: Pick<Finding, 'target' | 'isNotForSupport'>): boolean {
  return target.kind !== 'channel' && isNotForSupport !== true;
}
