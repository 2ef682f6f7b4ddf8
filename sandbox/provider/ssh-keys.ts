import { createHash } from 'node:crypto';
import type { SimSshKey } from './model.ts';
import { zuluDate } from './time.ts';
import type { ProviderState } from './types.ts';

/** Adds a key and links it to all servers. Only a new installation writes it to a machine. */
export function addSshKey(provider: ProviderState, fields: Pick<SimSshKey, 'key' | 'title' | 'isDefault'>): SimSshKey {
  const key = { id: provider.state.next.sshKey++, ...fields, addedAt: provider.clock.now() };
  provider.state.sshKeys.set(key.id, key);
  for (const { vps } of provider.state.orders.values()) vps?.sshKeys.push(key.id);
  provider.changed('sshKey', key.id);
  return key;
}

export function removeSshKey(provider: ProviderState, id: number): boolean {
  if (!provider.state.sshKeys.delete(id)) return false;
  for (const { vps } of provider.state.orders.values()) if (vps) vps.sshKeys = vps.sshKeys.filter((key) => key !== id);
  provider.changed('sshKey', id);
  return true;
}

/** The key for a response, without `user`, which the document's schema requires but no sample has. */
export function presentSshKey({ id, key, title, addedAt, isDefault }: SimSshKey) {
  return { id, key, title, date: zuluDate(addedAt).replace(/\.\d+Z$/, 'Z'), default: isDefault };
}

/** The key's fingerprint, as `ssh-keygen -l` prints it, and its comment. */
export function describeKey(key: string): string {
  const [type = '', body = '', ...comment] = key.split(' ');
  const hash = createHash('sha256')
    .update(Buffer.from(body, 'base64'))
    .digest('base64')
    .replace(/={0,2}$/, '');
  return [type, `SHA256:${hash}`, comment.join(' ')].join(' · ');
}
