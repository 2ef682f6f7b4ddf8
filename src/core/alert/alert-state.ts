import { signs } from '../view/signs.ts';

/** `closed` ended without good news, and `accepted` by a person's word. */
export const alertStates = ['open', 'acknowledged', 'snoozed', 'resolved', 'closed', 'accepted'] as const;
export type AlertState = (typeof alertStates)[number];

/** ✅ stands for good news alone. */
export function endSign(state: AlertState): string {
  return state === 'resolved' ? signs.done : signs.neutral;
}
