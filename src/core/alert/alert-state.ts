import { signs } from '../view/signs.ts';

/** `closed` is an end without good news, `accepted` an end by a person's decision. */
const alertStates = ['open', 'acknowledged', 'snoozed', 'resolved', 'closed', 'accepted'] as const;
export type AlertState = (typeof alertStates)[number];

/** ✅ is for good news only. */
export function endSign(state: AlertState): string {
  return state === 'resolved' ? signs.done : signs.neutral;
}
