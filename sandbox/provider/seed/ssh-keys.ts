import { createHash } from 'node:crypto';
import type { ProviderData } from '../model.ts';
import { dayMs } from '../numbers.ts';

/** Keys with title, type, comment, default flag and linked servers. The bytes are made up, so no private keys exist. */
const rows = [
  ['Ada laptop', 'ssh-ed25519', 'ada@laptop', true, () => true],
  ['CI deploy', 'ssh-ed25519', 'deploy@ci-1', false, (name: string) => /^(web|staging)-/.test(name)],
  ['Old workstation', 'ssh-rsa', 'bob@desk', false, () => false],
] as const;

export function seedSshKeys(state: ProviderData, now: number): void {
  for (const [index, [title, type, comment, isDefault, isLinked]] of rows.entries()) {
    const id = state.next.sshKey++;
    const key = `${type} ${keyBody(type, title)} ${comment}`;
    state.sshKeys.set(id, { id, key, title, addedAt: now - (300 - 90 * index) * dayMs, isDefault });
    for (const { name, vps } of state.orders.values()) {
      if (!vps || !isLinked(name)) continue;
      vps.sshKeys.push(id);
      vps.installedSshKeys.push(id);
    }
  }
}

/** A well-formed public key that depends only on the seed. */
export function keyBody(type: 'ssh-ed25519' | 'ssh-rsa', seed: string): string {
  const bytes = (length: number) =>
    Buffer.concat(
      Array.from({ length: Math.ceil(length / 32) }, (_, n) => createHash('sha256').update(`${seed} ${n}`).digest()),
    ).subarray(0, length);
  if (type === 'ssh-ed25519') return Buffer.concat([field(type), field(bytes(32))]).toString('base64');
  // A modulus of 3072 bits begins with a set bit, so a zero byte precedes it.
  const modulus = Buffer.concat([Buffer.from([0, 0xc1]), bytes(383)]);
  return Buffer.concat([field(type), field(Buffer.from([1, 0, 1])), field(modulus)]).toString('base64');
}

function field(value: string | Buffer): Buffer {
  const bytes = Buffer.from(value);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
