import { hkdfSync } from 'node:crypto';

/** Uses of HOSTLER_SECRET_KEY. Each has a separate derived key, so that a leaked one opens nothing else. */
type KeyPurpose = 'sealed secrets' | 'creation webhooks' | 'audit head' | 'events';

export function keyFor(secretKey: Uint8Array, purpose: KeyPurpose): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secretKey, new Uint8Array(0), `hostler ${purpose}`, 32));
}

/** The present key and, during a rotation, the previous one, under which older values are still valid. */
export function keysFor(secretKeys: readonly Uint8Array[], purpose: KeyPurpose): readonly Uint8Array[] {
  return secretKeys.map((key) => keyFor(key, purpose));
}
