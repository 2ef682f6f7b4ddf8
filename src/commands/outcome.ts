import type { Receipt, Verdict } from '../core/plan/plan.ts';

/** The receipt of a write whose response says nothing. */
export async function sent(write: Promise<unknown>): Promise<Receipt> {
  await write;
  return { text: '', data: null };
}

/** The verdict of a reading that shows whether the change took effect; one text may say both. */
export function verdictOf(isSo: boolean, so = '', not = so): Verdict {
  return isSo ? { is: 'so', text: so } : { is: 'not', text: not };
}
