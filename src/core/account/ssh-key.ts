import { createHash } from 'node:crypto';
import { strikePrivateKeys } from '../text/strike-secrets.ts';

/** A public key in the format of OpenSSH: type, body and comment in one line. */
export interface SshPublicKey {
  readonly type: string;
  readonly bits: number;
  /** `SHA256:…`, as printed by `ssh-keygen -l`; shown instead of the key. */
  readonly fingerprint: string;
  readonly comment: string;
  /** Type, body and comment with single spaces, as sent to the provider. */
  readonly line: string;
}

type SshKeyReading = { readonly key: SshPublicKey } | { readonly problem: string; readonly hint?: string };

const sshKeyMostCharacters = 16_384;
const leastRsaBits = 2_048;
const curveBits: Readonly<Record<string, number>> = { nistp256: 256, nistp384: 384, nistp521: 521 };

/** Validates the fields after the name of each accepted type; returns the key's length in bits, or undefined. */
const types: Readonly<Record<string, (fields: readonly Buffer[]) => number | undefined>> = {
  'ssh-ed25519': (fields) => edwards(fields, 1),
  'sk-ssh-ed25519@openssh.com': (fields) => edwards(fields, 2),
  'ssh-rsa': ([exponent, modulus, ...rest]) =>
    exponent === undefined || modulus === undefined || rest.length > 0 ? undefined : bitsOf(modulus),
  'ecdsa-sha2-nistp256': (fields) => curve(fields, 'nistp256', 2),
  'ecdsa-sha2-nistp384': (fields) => curve(fields, 'nistp384', 2),
  'ecdsa-sha2-nistp521': (fields) => curve(fields, 'nistp521', 2),
  'sk-ecdsa-sha2-nistp256@openssh.com': (fields) => curve(fields, 'nistp256', 3),
};

/** Validates a typed key before it is sent. The problem never quotes the text, which may be the private half. */
export function readSshKey(typed: string): SshKeyReading {
  const text = typed.trim();
  if (strikePrivateKeys(text) !== text || text.includes('-----BEGIN PRIVATE KEY-----')) {
    return {
      problem: 'This is a private key, not a public one.',
      hint: 'Nothing was sent. It was typed into Slack, so it is no longer secret: replace it by a new pair, and give the line of its .pub file.',
    };
  }
  if (text === '') return { problem: 'The key is empty.', hint: 'Give the line of a .pub file.' };
  if (text.length > sshKeyMostCharacters)
    return { problem: `The key is longer than ${sshKeyMostCharacters} characters.` };
  if (/[\r\n]/.test(text)) return { problem: 'The key has more than one line.', hint: 'Give one key at a time.' };
  if (/\p{Cc}/u.test(text)) return { problem: 'The key holds characters that cannot be shown.' };
  const [type = '', body = '', ...comment] = text.split(/ +/);
  if (type === 'ssh-dss') {
    const problem = 'Keys of the type ssh-dss are no longer accepted by SSH servers.';
    return { problem, hint: 'Make one with ssh-keygen -t ed25519.' };
  }
  const lengthOf = Object.hasOwn(types, type) ? types[type] : undefined;
  if (lengthOf === undefined) {
    const hint = `A key is one line such as ssh-ed25519 AAAA… comment; known types are ${Object.keys(types).join(', ')}.`;
    return { problem: 'The key does not begin with a known type.', hint };
  }
  const bytes = decode(body);
  const [name, ...fields] = bytes === undefined ? [] : (fieldsOf(bytes) ?? []);
  const bits = name === undefined ? undefined : lengthOf(fields);
  if (bytes === undefined || name?.toString('latin1') !== type || bits === undefined) {
    const problem = `The body of the ${type} key is damaged or incomplete.`;
    return { problem, hint: 'Copy the whole line of the .pub file.' };
  }
  if (type === 'ssh-rsa' && bits < leastRsaBits) {
    const hint = `Use at least ${leastRsaBits} bits, or ed25519.`;
    return { problem: `An RSA key of ${bits} bits is too short.`, hint };
  }
  const words = comment.join(' ');
  return {
    key: { type, bits, fingerprint: fingerprintOf(bytes), comment: words, line: [type, body, words].join(' ').trim() },
  };
}

/** The fingerprint of an existing key of any type; undefined if the text is not a key. */
export function fingerprintOfLine(line: string): string | undefined {
  const bytes = decode(line.trim().split(/\s+/)[1] ?? '');
  return bytes === undefined ? undefined : fingerprintOf(bytes);
}

/** `ssh-ed25519 · SHA256:… · ada@laptop`: the form of a key that a channel may see. */
export function describeSshKey(line: string): string {
  const [type = '', , ...comment] = line.trim().split(/\s+/);
  return [type, fingerprintOfLine(line) ?? 'a key that cannot be read', comment.join(' ')]
    .filter((part) => part !== '')
    .join(' · ');
}

function fingerprintOf(bytes: Buffer): string {
  return `SHA256:${createHash('sha256')
    .update(bytes)
    .digest('base64')
    .replace(/={0,2}$/, '')}`;
}

function decode(body: string): Buffer | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(body)) return undefined;
  const bytes = Buffer.from(body, 'base64');
  return bytes.length > 0 && bytes.toString('base64').replace(/={0,2}$/, '') === body.replace(/={0,2}$/, '')
    ? bytes
    : undefined;
}

/** Splits the length-prefixed strings of RFC 4251; undefined unless they fill the body exactly. */
function fieldsOf(bytes: Buffer): Buffer[] | undefined {
  const fields: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    if (at + 4 > bytes.length) return undefined;
    const end = at + 4 + bytes.readUInt32BE(at);
    if (end > bytes.length) return undefined;
    fields.push(bytes.subarray(at + 4, end));
    at = end;
  }
  return fields;
}

function edwards([point, ...rest]: readonly Buffer[], fieldCount: number): number | undefined {
  return point?.length === 32 && rest.length === fieldCount - 1 ? 256 : undefined;
}

function curve([name, point, ...rest]: readonly Buffer[], wanted: string, fieldCount: number): number | undefined {
  const bits = curveBits[wanted] ?? 0;
  const isPoint = point?.[0] === 4 && point.length === 1 + 2 * Math.ceil(bits / 8);
  return name?.toString('latin1') === wanted && isPoint && rest.length === fieldCount - 2 ? bits : undefined;
}

function bitsOf(modulus: Buffer): number {
  const first = modulus.findIndex((byte) => byte !== 0);
  if (first < 0) return 0;
  return (modulus.length - first) * 8 - Math.clz32(modulus[first] ?? 0) + 24;
}
