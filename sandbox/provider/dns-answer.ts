import type { SimDnsEntry } from './model.ts';
import { bytesOf, chunks } from './zone.ts';

/** Answers of a name server that serves the provider's zones (RFC 1035). */

type Entry = Pick<SimDnsEntry, 'host' | 'type' | 'value' | 'prio' | 'ttl'>;
export type ServedZones = ReadonlyMap<string, readonly Entry[]>;

/** The flags of a response. */
export const authoritative = 0x8400;

const numbers: Readonly<Record<string, number>> = {
  ...{ A: 1, NS: 2, CNAME: 5, MX: 15, TXT: 16, AAAA: 28, SRV: 33, CAA: 257 },
};

export interface ReadQuery {
  readonly name: string;
  readonly type: number;
  /** The end of the question in the query. */
  readonly end: number;
}

/** Throws a RangeError for bytes that are no query. */
export function readQuery(query: Buffer): ReadQuery {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** `addresses` are those of the name servers themselves. */
export function answerTo(query: Buffer, zones: ServedZones, addresses: Readonly<Record<string, string>>): Buffer {
  const { name, type, end } = readQuery(query);
  const records = withAliases(zones, addresses, name, type);
  const answers = records.map(({ owner, ttl, data, ...record }) => {
    const fixed = Buffer.alloc(10);
    fixed.writeUInt16BE(record.type, 0);
    fixed.writeUInt16BE(1, 2);
    fixed.writeUInt32BE(ttl, 4);
    fixed.writeUInt16BE(data.length, 8);
    return Buffer.concat([owner === name ? Buffer.of(0xc0, 12) : wireName(owner), fixed, data]);
  });
  return Buffer.concat([header(query, authoritative, answers.length), query.subarray(12, end), ...answers]);
}

/** A response without records. */
export function emptyAnswerTo(query: Buffer, flags: number): Buffer {
  return Buffer.concat([header(query, flags, 0), query.subarray(12, readQuery(query).end)]);
}

function header(query: Buffer, flags: number, answers: number): Buffer {
  const bytes = Buffer.alloc(12);
  query.copy(bytes, 0, 0, 2);
  bytes.writeUInt16BE(flags, 2);
  bytes.writeUInt16BE(1, 4);
  bytes.writeUInt16BE(answers, 6);
  return bytes;
}

interface Answer {
  readonly owner: string;
  readonly type: number;
  readonly ttl: number;
  readonly data: Buffer;
}

const mostAliases = 8;

/** The records of a name. If it is an alias, its CNAME and the records of the name to which it leads. */
function withAliases(
  zones: ServedZones,
  addresses: Readonly<Record<string, string>>,
  name: string,
  type: number,
  aliases = 0,
): Answer[] {
  const address = addresses[name];
  if (address !== undefined)
    return type === numbers.A
      ? [{ owner: name, type, ttl: 60, data: Buffer.from(address.split('.').map(Number)) }]
      : [];
  const entries = entriesAt(zones, name);
  const answerOf = (entry: Entry): Answer => ({
    owner: name,
    type: numbers[entry.type] ?? 0,
    ttl: entry.ttl ?? 3600,
    data: dataOf(entry),
  });
  const asked = entries.filter((entry) => numbers[entry.type] === type);
  const alias = entries.find((entry) => entry.type === 'CNAME');
  if (asked.length > 0 || alias === undefined || aliases === mostAliases) return asked.map(answerOf);
  const target = alias.value.replace(/\.$/, '').toLowerCase();
  return [answerOf(alias), ...withAliases(zones, addresses, target, type, aliases + 1)];
}

function entriesAt(zones: ServedZones, name: string): readonly Entry[] {
  const zone = [...zones.keys()].find((served) => name === served || name.endsWith(`.${served}`));
  if (zone === undefined) return [];
  const entries = zones.get(zone) ?? [];
  const host = name === zone ? '' : name.slice(0, -zone.length - 1);
  const isThere = entries.some((entry) => entry.host === host || entry.host.endsWith(`.${host}`));
  const owner = isThere || host === '' ? host : '*';
  return entries.filter((entry) => entry.host === owner);
}

function wireName(name: string): Buffer {
  const labels = name
    .replace(/\.$/, '')
    .split('.')
    .map((label) => Buffer.from(label));
  return Buffer.concat([...labels.flatMap((label) => [Buffer.of(label.length), label]), Buffer.of(0)]);
}

const number = (n: number) => Buffer.of(n >> 8, n & 255);
const texts = (strings: readonly Uint8Array[]) =>
  Buffer.concat(strings.flatMap((string) => [Buffer.of(string.length), string]));

const writers: Readonly<Record<string, (entry: Entry) => Buffer>> = {
  A: ({ value }) => Buffer.from(value.split('.').map(Number)),
  AAAA: ({ value }) => addressBytes(value),
  CNAME: ({ value }) => wireName(value),
  NS: ({ value }) => wireName(value),
  MX: ({ value, prio }) => Buffer.concat([number(prio ?? 0), wireName(value)]),
  SRV: ({ value, prio }) => {
    const [weight, port, name = ''] = value.split(/\s+/);
    return Buffer.concat([number(prio ?? 0), number(Number(weight)), number(Number(port)), wireName(name)]);
  },
  TXT: ({ value }) => texts(chunks(bytesOf(value))),
  CAA: ({ value }) => {
    const [, flags, tag = '', text = ''] = /^(\d+) (\S+) (.*)$/s.exec(value) ?? [];
    return Buffer.concat([Buffer.of(Number(flags)), texts([Buffer.from(tag)]), bytesOf(text)]);
  },
};

function dataOf(entry: Entry): Buffer {
  return writers[entry.type]?.(entry) ?? Buffer.alloc(0);
}

/** The sixteen bytes of an IPv6 address. */
function addressBytes(address: string): Buffer {
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const groupsOf = (part: string) => part.split(':').filter((group) => group !== '');
  const [first, last] = [groupsOf(head), groupsOf(tail ?? '')];
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0');
  return Buffer.concat([...first, ...zeros, ...last].map((group) => number(Number.parseInt(group, 16))));
}
