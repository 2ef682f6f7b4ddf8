import { Refusal } from '../view/errors.ts';

/** `34-1000101` → 1000101: requests about traffic limits and storage thresholds use the number without its prefix. */
export function bareId(id: string): number {
  const number = Number(/^\d+-(\d+)$/.exec(id)?.[1]);
  if (Number.isSafeInteger(number)) return number;
  throw new Refusal('impossible', `The id ${id} has no number; an id looks like 34-1000101.`);
}
