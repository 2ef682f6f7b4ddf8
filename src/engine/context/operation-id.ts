import { createHash } from 'node:crypto';

const idLength = 10;

/** The same request makes the same operation, however often it runs. */
export function operationId(seed: string): string {
  const digits = 'abcdefghjkmnpqrstuvwxyz23456789';
  const hash = createHash('sha256').update(seed).digest();
  return [...hash.subarray(0, idLength)].map((byte) => digits[byte % digits.length]).join('');
}
