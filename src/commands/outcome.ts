import type { Receipt, Verdict } from '../core/plan/plan.ts';
import type { Job } from '../provider/endpoints/vps.ts';

/** The receipt of a write whose response says nothing. */
export async function sent(write: Promise<unknown>): Promise<Receipt> {
  await write;
  return { text: '', data: null };
}

/** The receipt of a write that makes a thing with an id: `key 7`. */
export async function made(noun: string, write: Promise<{ readonly id: number }>): Promise<Receipt> {
  const { id } = await write;
  return { text: `${noun} ${id}`, data: { id } };
}

/** The receipt of a write that the provider works on in a job: `job 812`. */
export async function accepted(write: Promise<Pick<Job, 'pk'>>): Promise<Receipt> {
  const { pk } = await write;
  return { text: `job ${pk}`, data: { jobId: pk } };
}

/** The verdict of a reading that shows whether the change took effect; one text may say both. */
export function verdictOf(isSo: boolean, so = '', not = so): Verdict {
  return isSo ? { is: 'so', text: so } : { is: 'not', text: not };
}
