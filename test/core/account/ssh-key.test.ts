import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { keyBody } from '../../../sandbox/provider/seed/ssh-keys.ts';
import { describeSshKey, fingerprintOfLine, readSshKey } from '../../../src/core/account/ssh-key.ts';

// Keys are made by node:crypto and written in the form of RFC 4253; one fingerprint is held against a published one.

const problemOf = (line: string) => {
  const reading = readSshKey(line);
  return 'problem' in reading ? `${reading.problem} ${reading.hint ?? ''}`.trim() : reading.key;
};

const field = (value: string | Buffer) => {
  const bytes = Buffer.from(value);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
};
const line = (type: string, ...fields: (string | Buffer)[]) =>
  `${type} ${Buffer.concat([type, ...fields].map(field)).toString('base64')}`;

/** A key as node:crypto makes it, in OpenSSH's form. */
function rsaLine(bits: number): string {
  const { n = '', e = '' } = generateKeyPairSync('rsa', { modulusLength: bits }).publicKey.export({ format: 'jwk' });
  const modulus = Buffer.concat([Buffer.from([0]), Buffer.from(n, 'base64url')]);
  return line('ssh-rsa', Buffer.from(e, 'base64url'), modulus);
}

function curveLine(name: 'nistp256' | 'nistp384' | 'nistp521', namedCurve: string): string {
  const { x = '', y = '' } = generateKeyPairSync('ec', { namedCurve }).publicKey.export({ format: 'jwk' });
  const point = Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
  return line(`ecdsa-sha2-${name}`, name, point);
}

test.each([
  ['ssh-ed25519', line('ssh-ed25519', Buffer.alloc(32, 7)), 256],
  ['ssh-rsa', rsaLine(2_048), 2_048],
  ['ssh-rsa', `ssh-rsa ${keyBody('ssh-rsa', 'a')}`, 3_072],
  ['ecdsa-sha2-nistp256', curveLine('nistp256', 'P-256'), 256],
  ['ecdsa-sha2-nistp384', curveLine('nistp384', 'P-384'), 384],
  ['ecdsa-sha2-nistp521', curveLine('nistp521', 'P-521'), 521],
  ['sk-ssh-ed25519@openssh.com', line('sk-ssh-ed25519@openssh.com', Buffer.alloc(32, 7), 'ssh:'), 256],
])('a key of type %s is read with its length', (type, key, bits) => {
  expect(readSshKey(`  ${key}   Ada on  her laptop `)).toEqual({
    key: {
      type,
      bits,
      comment: 'Ada on her laptop',
      fingerprint: expect.stringMatching(/^SHA256:[A-Za-z0-9+/]{43}$/),
      line: `${key} Ada on her laptop`,
    },
  });
});

test('the fingerprint of a key is the one that ssh-keygen prints', () => {
  // The host key that GitHub publishes, with the fingerprint it publishes beside it.
  const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl';
  expect(fingerprintOfLine(key)).toBe('SHA256:+DiY3wvvV6TuJJhbpZisF/zLDA0zPMSvHdkr4UvCOqU');
  expect(describeSshKey(`${key} github`)).toBe(
    'ssh-ed25519 · SHA256:+DiY3wvvV6TuJJhbpZisF/zLDA0zPMSvHdkr4UvCOqU · github',
  );
});

const ed = keyBody('ssh-ed25519', 'a');
test.each([
  ['', 'The key is empty.'],
  ['-----BEGIN OPENSSH PRIVATE KEY----- b3BlbnNzaC1rZXk', 'This is a private key'],
  ['PuTTY-User-Key-File-3: ssh-ed25519', 'This is a private key'],
  [`ssh-ed25519 ${ed}\nssh-ed25519 ${ed}`, 'more than one line'],
  [`ssh-ed25519 ${ed} a\u0007b`, 'cannot be shown'],
  [`command="rm" ssh-ed25519 ${ed}`, 'does not begin with a known type'],
  [`constructor ${ed}`, 'does not begin with a known type'],
  [`ssh-dss ${ed}`, 'ssh-dss'],
  [`ssh-rsa ${ed}`, 'damaged'],
  [`ssh-ed25519 ${ed.slice(0, -8)}`, 'damaged'],
  [`ssh-ed25519 ${ed}AAAA`, 'damaged'],
  ['ssh-ed25519 not+base64!', 'damaged'],
  ['ssh-ed25519', 'damaged'],
  [rsaLine(1_024), 'An RSA key of 1024 bits is too short.'],
  [`ssh-ed25519 ${ed} ${'x'.repeat(16_400)}`, 'longer than 16384'],
])('%s is refused as an SSH key', (typed, words) => {
  const said = problemOf(typed);
  expect(said).toContain(words);
  // The typed text may be secret: it is quoted nowhere.
  expect(said).not.toContain('b3BlbnNzaC1rZXk');
});
