import { canonicalAddress } from '../../src/core/account/ip-address.ts';

/** A record as a name server answers it: its name, numbers and bytes, independent of their spelling. */
export interface Meant {
  readonly name: string;
  readonly type: string;
  readonly data: string;
  /** Null where the text says nothing, and any will do. */
  readonly ttl: number | null;
}

/** The words of a line in the form that the tools print. A quoted one keeps its quotes in front. */
const word = /"(?:[^"\\]|\\.)*"|(?:[^\s";\\]|\\.)+/gs;
/** A character, or a byte by its number. */
const piece = /\\(\d{3})|\\(.)|([^\\])/gsu;

function bytesOf(text: string): Buffer {
  const inner = text.startsWith('"') ? text.slice(1, -1) : text;
  const parts = [...inner.matchAll(piece)].map(([, digits, escaped = '', plain = escaped]) =>
    digits === undefined ? Buffer.from(plain) : Buffer.of(Number(digits)),
  );
  return Buffer.concat(parts);
}

/** A name by its labels: an escaped dot is no dot. */
function nameOf(text: string, origin: string): string {
  const labels = text === '@' ? [] : [...text.matchAll(/(?:[^.\\]|\\\d{3}|\\.)+/gs)];
  const own = labels.map(([label]) => percent(bytesOf(label).toString('latin1').toLowerCase()));
  const rest = text.endsWith('.') && !text.endsWith('\\.') ? [] : origin === '' ? [] : [origin];
  return [...own, ...rest].join('.');
}

const percent = (label: string) => encodeURIComponent(label).replaceAll('.', '%2E');

/** The name without escapes, as Hostler has it. */
export function nameMeant(name: string): string {
  return name === '.' ? '' : nameOf(name.replace(/\.$/, ''), '');
}

export const bytesMeant = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

type Data = (words: readonly string[], origin: string) => string;

const data: Readonly<Record<string, Data>> = {
  AAAA: ([address = '']) => canonicalAddress(address) ?? address,
  CNAME: ([name = ''], origin) => nameOf(name, origin),
  NS: ([name = ''], origin) => nameOf(name, origin),
  MX: ([prio = '', name = ''], origin) => `${prio} ${nameOf(name, origin)}`,
  SRV: ([prio = '', weight = '', port = '', name = ''], origin) => `${prio} ${weight} ${port} ${nameOf(name, origin)}`,
  TXT: (strings) => bytesMeant(Buffer.concat(strings.map(bytesOf))),
  // Tags are alike in both cases, and spaces around the value mean nothing.
  CAA: ([flags = '', tag = '', value = '']) =>
    `${flags} ${tag.toLowerCase()} ${bytesMeant(Buffer.from(bytesOf(value).toString('latin1').trim(), 'latin1'))}`,
};

export function dataMeant(type: string, words: readonly string[], origin: string): string {
  return (data[type] ?? ((all) => all.join(' ')))(words, origin);
}

/** The records of a file as a tool prints it: one a line, but for the SOA, which is left out. */
export function meantByFile(printed: string): Meant[] {
  const records: Meant[] = [];
  let origin = '';
  let name = '';
  for (const line of printed.split('\n')) {
    const words: string[] = line.match(word) ?? [];
    if (words.length === 0 || line.startsWith(';')) continue;
    if (words[0] === '$ORIGIN') origin = nameOf(words[1] ?? '', '');
    if (/^\s/.test(line) || words[0]?.startsWith('$')) words.unshift('');
    else name = nameOf(words[0] ?? '', origin);
    const [, ttl = '', , type = '', ...rest] = words;
    if (!/^\d+$/.test(ttl) || words[2] !== 'IN' || type === 'SOA') continue;
    records.push({ name, type, data: dataMeant(type, rest, origin), ttl: Number(ttl) });
  }
  return records;
}
