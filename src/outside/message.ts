import type { AnsweredRecord, DnsQuestion } from '../core/dns/asked.ts';
import { comparableValue, type RecordType } from '../core/dns/record.ts';

/** DNS messages on the wire (RFC 1035): one question, and the records of a response that answer it. */

const typeNumbers: Readonly<Record<RecordType, number>> = {
  A: 1,
  NS: 2,
  CNAME: 5,
  MX: 15,
  TXT: 16,
  AAAA: 28,
  SRV: 33,
  CAA: 257,
};
const internet = 1;
const headerBytes = 12;
/** RFC 1035. */
const longestName = 255;
/** The owner of a name server chooses its responses, so larger ones are refused. */
export const mostBytes = 16 * 1024;
const mostRecords = 500;
const flags = { response: 0x8000, authoritative: 0x0400, truncated: 0x0200, code: 0x000f };
const codeWords: Readonly<Record<number, string>> = {
  1: 'it does not understand the question',
  2: 'it failed',
  4: 'it does not know such questions',
  5: 'it refused',
};
const nameError = 3;

/** Undefined if the name has a label that DNS cannot carry. */
export function encodeQuestion(id: number, { name, type }: DnsQuestion): Buffer | undefined {
  const labels = name.split('.').map((label) => Buffer.from(label));
  if (labels.some(({ length }) => length === 0 || length > 63) || Buffer.byteLength(name) > 253) return undefined;
  const header = uint16s(id, 0, 1, 0, 0, 0);
  const end = [Buffer.of(0), uint16s(typeNumbers[type], internet)];
  return Buffer.concat([header, ...labels.flatMap((label) => [Buffer.of(label.length), label]), ...end]);
}

/** Numbers of two bytes, in the order of the network. */
export function uint16s(...numbers: readonly number[]): Buffer {
  return Buffer.from(numbers.flatMap((number) => [number >> 8, number & 0xff]));
}

export type DnsResponse =
  | { readonly kind: 'records'; readonly records: readonly AnsweredRecord[]; readonly isAuthoritative: boolean }
  | { readonly kind: 'truncated' }
  | { readonly kind: 'none'; readonly why: string };

/**
 * Reads the response to this question. Undefined for bytes that are not a response to it, such as one that somebody
 * else sent to this port.
 */
export function decodeResponse(bytes: Buffer, id: number, question: DnsQuestion): DnsResponse | undefined {
  try {
    return decode(bytes, id, question);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function decode(bytes: Buffer, id: number, question: DnsQuestion): DnsResponse | undefined {
  const word = bytes.readUInt16BE(2);
  if (bytes.readUInt16BE(0) !== id || (word & flags.response) === 0 || bytes.readUInt16BE(4) !== 1) return undefined;
  const wanted = { name: question.name.toLowerCase(), type: typeNumbers[question.type] };
  const asked = readName(bytes, headerBytes);
  const isOurs = asked.name === wanted.name && bytes.readUInt16BE(asked.end) === wanted.type;
  if (!isOurs || bytes.readUInt16BE(asked.end + 2) !== internet) return undefined;
  const code = word & flags.code;
  if (code !== 0 && code !== nameError)
    return { kind: 'none', why: codeWords[code] ?? `it answered with code ${code}` };
  if ((word & flags.truncated) !== 0) return { kind: 'truncated' };
  const [answered, authorities] = [bytes.readUInt16BE(6), bytes.readUInt16BE(8)];
  if (bytes.length > mostBytes || answered + authorities > mostRecords)
    return { kind: 'none', why: 'its answer is too long' };
  const answers = readRecords(bytes, asked.end + 4, answered);
  const authority = readRecords(bytes, answers.end, authorities);
  const isTheirs = (record: WireRecord) => record.name === wanted.name && record.type === wanted.type;
  const theirs = answers.records.filter(isTheirs);
  // A server above a delegation has its NS records beside its answer, and is not their authority.
  const delegated = question.type === 'NS' ? authority.records.filter(isTheirs) : [];
  const records = (theirs.length > 0 ? theirs : delegated).map(({ ttl, start, end }) => ({
    ttl,
    data: readers[question.type](bytes, start, end),
  }));
  return { kind: 'records', records, isAuthoritative: (word & flags.authoritative) !== 0 || delegated.length > 0 };
}

interface WireRecord {
  readonly name: string;
  readonly type: number;
  readonly ttl: number;
  /** The place of its data. */
  readonly start: number;
  readonly end: number;
}

function readRecords(bytes: Buffer, from: number, count: number): { records: WireRecord[]; end: number } {
  const records: WireRecord[] = [];
  let at = from;
  for (let n = 0; n < count; n += 1) {
    const { name, end } = readName(bytes, at);
    const start = end + 10;
    at = start + bytes.readUInt16BE(end + 8);
    if (at > bytes.length) throw new RangeError('a record ends after its message');
    if (bytes.readUInt16BE(end + 2) !== internet) continue;
    records.push({ name, type: bytes.readUInt16BE(end), ttl: bytes.readUInt32BE(end + 4), start, end: at });
  }
  return { records, end: at };
}

/** Reads a name, which may continue earlier in the message. A jump leads back only, so that no name is endless. */
function readName(bytes: Buffer, from: number): { name: string; end: number } {
  const labels: string[] = [];
  let at = from;
  let lowest = from;
  let bytesLeft = longestName - 1;
  let end: number | undefined;
  for (let length = bytes.readUInt8(at); length !== 0; length = bytes.readUInt8(at)) {
    if (length >= 0xc0) {
      const target = bytes.readUInt16BE(at) & 0x3fff;
      end ??= at + 2;
      if (target >= lowest) throw new RangeError('a name leads forward');
      lowest = target;
      at = target;
    } else {
      bytesLeft -= 1 + length;
      if (length > 63 || at + 1 + length > bytes.length || bytesLeft < 0) throw new RangeError('a name is too long');
      labels.push(bytes.toString('utf8', at + 1, at + 1 + length).replaceAll('.', '\\.'));
      at += 1 + length;
    }
  }
  return { name: labels.join('.').toLowerCase(), end: end ?? at + 1 };
}

/** The data of a record as `answerData` writes it. */
const readers: Readonly<Record<RecordType, (bytes: Buffer, start: number, end: number) => string>> = {
  A: (bytes, start, end) => [...part(bytes, start, end, 4)].join('.'),
  AAAA: (bytes, start, end) => {
    const groups = part(bytes, start, end, 16).toString('hex').match(/.{4}/g) ?? [];
    return comparableValue('AAAA', groups.join(':'));
  },
  CNAME: (bytes, start) => readName(bytes, start).name,
  NS: (bytes, start) => readName(bytes, start).name,
  MX: (bytes, start) => `${bytes.readUInt16BE(start)} ${readName(bytes, start + 2).name}`,
  SRV: (bytes, start) => {
    const [prio, weight, port] = [0, 2, 4].map((at) => bytes.readUInt16BE(start + at));
    return `${prio} ${weight} ${port} ${readName(bytes, start + 6).name}`;
  },
  TXT: (bytes, start, end) => {
    const strings: Buffer[] = [];
    for (let at = start; at < end; at += 1 + bytes.readUInt8(at))
      strings.push(part(bytes, at + 1, Math.min(end, at + 1 + bytes.readUInt8(at))));
    return Buffer.concat(strings).toString('utf8');
  },
  CAA: (bytes, start, end) => {
    const tagEnd = start + 2 + bytes.readUInt8(start + 1);
    const tag = part(bytes, start + 2, tagEnd)
      .toString('latin1')
      .toLowerCase();
    return `${bytes.readUInt8(start)} ${tag} ${part(bytes, tagEnd, end).toString('utf8')}`;
  },
};

function part(bytes: Buffer, start: number, end: number, length = end - start): Buffer {
  if (end > bytes.length || end - start !== length || length < 0) throw new RangeError('data of another length');
  return bytes.subarray(start, end);
}
