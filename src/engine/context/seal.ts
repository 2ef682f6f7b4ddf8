import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const ivBytes = 12;
const tagBytes = 16;

/**
 * Encrypts with AES-256-GCM. `bound` names the secret and its person and is authenticated, so the value opens for no
 * one else.
 */
export function seal(value: string, key: Uint8Array, bound: string): string {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes });
  cipher.setAAD(Buffer.from(bound));
  const sealed = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64');
}

/** Throws if the value was sealed under another key or for another person, or was changed or cut. */
export function unseal(sealed: string, keys: readonly Uint8Array[], bound: string): string {
  let failure: unknown = new Error('unsealing: there is no key');
  for (const key of keys) {
    try {
      return open(sealed, key, bound);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

function open(sealed: string, key: Uint8Array, bound: string): string {
  const bytes = Buffer.from(sealed, 'base64');
  if (bytes.length < ivBytes + tagBytes) throw new Error('unsealing: the stored value was cut');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(bound));
  decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
  return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]).toString('utf8');
}
