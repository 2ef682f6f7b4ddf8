import type { SimDnsEntry, SimDomain } from './model.ts';
import { masterServer } from './nameservers.ts';
import { numbers } from './numbers.ts';

const characterStringMax = 255;

/** The domain's records as a BIND zone file. */
export function zoneFile(domain: SimDomain): string {
  const serial = Math.floor((domain.updatedAt ?? 0) / 1000);
  const entries = [...domain.entries.values()].sort(
    (a, b) => compare(a.host, b.host) || compare(a.type, b.type) || a.id - b.id,
  );
  const lines = [
    `$ORIGIN ${domain.name}.`,
    `$TTL ${numbers.zoneFileTtlSec}`,
    `@\t${numbers.ttlDefaultSec}\tIN\tSOA\t${masterServer}. hostmaster.${domain.name}. ${serial} 10800 3600 604800 3600`,
    ...entries.map(
      (entry) => `${entry.host || '@'}\t${entry.ttl ?? numbers.ttlDefaultSec}\tIN\t${entry.type}\t${recordData(entry)}`,
    ),
  ];
  return `${lines.join('\n')}\n`;
}

const writers: Readonly<Record<string, (entry: SimDnsEntry) => string>> = {
  CNAME: ({ value }) => absolute(value),
  NS: ({ value }) => absolute(value),
  MX: ({ prio, value }) => `${prio ?? 0} ${absolute(value)}`,
  SRV: ({ prio, value }) => `${prio ?? 0} ${absolute(value)}`,
  CAA: ({ value }) => value.replace(/^(\S+ \S+) (.*)$/s, (_, head, text) => `${head} ${quoted(bytesOf(text))}`),
  TXT: ({ value }) => chunks(bytesOf(value)).map(quoted).join(' '),
};

const recordData = (entry: SimDnsEntry) => writers[entry.type]?.(entry) ?? entry.value;

const absolute = (name: string) => (name.endsWith('.') ? name : `${name}.`);

const isQuoted = /^(?:"(?:[^"\\]|\\(?:[01]\d\d|2[0-4]\d|25[0-5]|\D))*"\s*)+$/;

/** The bytes of a TXT value: of its quoted strings, or of the whole text if it is not made of quoted strings. */
export function bytesOf(value: string): Uint8Array {
  if (!isQuoted.test(value)) return Buffer.from(value);
  const strings = [...value.matchAll(/"((?:[^"\\]|\\.)*)"/gs)].map(([, inner = '']) => inner);
  return Buffer.concat(
    [...strings.join('').matchAll(/\\(\d{3})|\\(\D)|([^\\]+)/gu)].map(([, digits, char = '', plain = char]) =>
      digits === undefined ? Buffer.from(plain) : Buffer.of(Number(digits)),
    ),
  );
}

/** Splits bytes into DNS strings of at most 255 bytes. */
export function chunks(bytes: Uint8Array): Uint8Array[] {
  const count = Math.max(1, Math.ceil(bytes.length / characterStringMax));
  return Array.from({ length: count }, (_, n) => bytes.subarray(n * characterStringMax, (n + 1) * characterStringMax));
}

/** A string in BIND's form: bytes outside of ASCII as numbers, which all readers of zone files accept. */
function quoted(bytes: Uint8Array): string {
  return `"${[...bytes].map(charOf).join('')}"`;
}

function charOf(byte: number): string {
  if (byte < 0x20 || byte > 0x7e) return `\\${String(byte).padStart(3, '0')}`;
  return String.fromCharCode(byte).replace(/[\\"]/, '\\$&');
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
