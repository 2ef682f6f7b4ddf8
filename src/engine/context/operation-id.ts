import { createHash } from 'node:crypto';

const idLength = 10;

/**
 * Derives the id from the request, so that a repeated request yields the same operation. With 31^10 ids, a chance
 * collision is negligible.
 */
export function operationId(seed: string): string {
  const digits = 'abcdefghjkmnpqrstuvwxyz23456789';
  const hash = createHash('sha256').update(seed).digest();
  return [...hash.subarray(0, idLength)].map((byte) => digits[byte % digits.length]).join('');
}
