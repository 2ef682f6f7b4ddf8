import { Refusal } from '../../core/errors.ts';

/** `34-1000101` → 1000101: traffic limits and storage thresholds are asked for by the number without its prefix. */
export function bareId(id: string): number {
  const number = Number(/^\d+-(\d+)$/.exec(id)?.[1]);
  if (Number.isSafeInteger(number)) return number;
  throw new Refusal('impossible', `${id} has no number to ask for: an id such as 34-1000101 does.`);
}
