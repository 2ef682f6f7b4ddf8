import { z } from 'zod';
import type { DnsRecord } from '../account/account.ts';
import { count, list } from '../text/words.ts';
import { textOf, undoQuotes } from './quoted.ts';

/** DNS records in the provider's form, their comparison, and which of them may coexist in a zone. */

export const recordTypes = ['A', 'AAAA', 'CNAME', 'MX', 'TXT', 'SRV', 'CAA', 'NS'] as const;
export type RecordType = (typeof recordTypes)[number];

export function isWritable<R extends Pick<RecordData, 'type'>>(record: R): record is R & { readonly type: RecordType } {
  return recordTypes.some((candidate) => candidate === record.type);
}

/** The provider's choices; a record without a ttl has the provider's default. */
export const ttlSeconds = [120, 300, 600, 900, 1800, 3600, 7200, 18_000, 43_200, 86_400] as const;
export type TtlSeconds = (typeof ttlSeconds)[number];
export const defaultTtl = 3600;
/** The bytes of one string of a text. */
export const longestString = 255;

/** A record, also in a command's step. */
export const recordSchema = z.object({
  /** Relative to the domain: `@`, `*`, `www`, `a.b`. */
  host: z.string(),
  /** An existing record may have an unknown type: such a record can be shown, kept and removed, but not written. */
  type: z.string(),
  value: z.string(),
  /** Used by MX and SRV only. */
  prio: z.number().nullable(),
  /** Null is the provider's default. */
  ttl: z.number().nullable(),
});
export type RecordData = Readonly<z.infer<typeof recordSchema>>;

export interface KnownRecord extends DnsRecord {
  /** The provider's value, if it differs from `host`: some clients store full names. */
  readonly storedHost?: string;
}

/** Converts a host to one relative to its domain: the provider has '' for the apex, some clients store full names. */
export function relativeHost(host: string, domain: string): string {
  const name = bare(host);
  const apex = bare(domain);
  if (name === '' || name === '@' || name === apex) return '@';
  return name.endsWith(`.${apex}`) ? name.slice(0, -apex.length - 1) : name;
}

/** A name for comparison: in lower case and without its final dot. */
export function bare(name: string): string {
  return name.trim().toLowerCase().replace(/\.$/, '');
}

export function fullName(host: string, domain: string): string {
  return host === '@' ? domain : `${host}.${domain}`;
}

export function isAddress({ type }: { readonly type: string }): boolean {
  return type === 'A' || type === 'AAAA';
}

/** True for the name servers of the domain itself, which the provider manages. */
export function isDelegation({ host, type }: Pick<RecordData, 'host' | 'type'>): boolean {
  return host === '@' && type === 'NS';
}

/** False for records that the provider manages or that cannot be written: other types, and TTLs no longer taken. */
export function isRestorable(record: RecordData): boolean {
  return !isDelegation(record) && isWritable(record) && ttlSeconds.some((seconds) => seconds === ttlOf(record));
}

export function usesPrio(type: string): boolean {
  return type === 'MX' || type === 'SRV';
}

export function ttlOf(record: Pick<RecordData, 'ttl'>): number {
  return record.ttl ?? defaultTtl;
}

/** `300`, or `default`, for which the provider's sources name different numbers of seconds. */
export function ttlText({ ttl }: Pick<RecordData, 'ttl'>): string {
  return ttl === null ? 'default' : String(ttl);
}

/** `1 hour`, `5 minutes` */
export function sayTtl(seconds: number): string {
  if (seconds % 86_400 === 0) return count(seconds / 86_400, 'day');
  if (seconds % 3600 === 0) return count(seconds / 3600, 'hour');
  return seconds % 60 === 0 ? count(seconds / 60, 'minute') : count(seconds, 'second');
}

/** Equivalent values have equal comparable texts. Never throws, since other tools may have written the value. */
export function comparableValue(type: string, value: string): string {
  return (comparables[type] ?? bare)(value.trim());
}

const comparables: Readonly<Record<string, (value: string) => string>> = {
  AAAA: (value) => {
    const url = `http://[${value}]/`;
    return URL.canParse(url) ? new URL(url).hostname : value.toLowerCase();
  },
  SRV: (value) => bare(value.replace(/\s+/g, ' ')),
  TXT: textOf,
  CAA: (value) => {
    const [, flags = '', tag = '', rest = ''] = /^(\d+)\s+(\S+)\s+([\s\S]*)$/.exec(value) ?? [];
    return tag === '' ? value : `${Number(flags)} ${tag.toLowerCase()} ${textOf(rest)}`;
  },
};

/** Host, type and value, which must be unique in a zone of the provider. */
export function identityOf(record: Pick<RecordData, 'host' | 'type' | 'value'>): string {
  return `${record.host} ${record.type} ${comparableValue(record.type, record.value)}`;
}

/** Equal for two records that differ only in their spelling. */
export function sameness(record: RecordData): string {
  const { type, prio } = record;
  return `${identityOf(record)} ${ttlOf(record)} ${usesPrio(type) ? (prio ?? 0) : null}`;
}

export function isSame(a: RecordData, b: RecordData): boolean {
  return sameness(a) === sameness(b);
}

/** Whether a change made the record: where it is from the default TTL to 3600 or back, only `after` itself is. */
export function isAfter(record: RecordData, before: RecordData, after: RecordData): boolean {
  return isSame(record, after) && (record.ttl === after.ttl || !isSame(before, after));
}

export function isSpf(record: Pick<RecordData, 'type' | 'value'>): boolean {
  return record.type === 'TXT' && /^"?v=spf1(\s|"|$)/i.test(undoQuotes(record.value).trim());
}

/** `192.0.2.10`, `10 mail.example.com`: the value with its prio, as in a zone file. */
export function valueText(record: Pick<RecordData, 'type' | 'value' | 'prio'>): string {
  return usesPrio(record.type) ? `${record.prio ?? 0} ${record.value}` : record.value;
}

/** `www A 192.0.2.10` */
export function recordText(record: Pick<RecordData, 'host' | 'type' | 'value' | 'prio'>): string {
  return `${record.host} ${record.type} ${valueText(record)}`;
}

/** The full name that the value points to; undefined for other values. */
export function targetName(record: Pick<RecordData, 'type' | 'value'>): string | undefined {
  if (record.type === 'SRV') return bare(record.value.split(/\s+/).at(-1) ?? '');
  return ['CNAME', 'MX', 'NS'].includes(record.type) ? bare(record.value) : undefined;
}

/** Whether the record points to this address or name. */
export function leadsTo(record: Pick<RecordData, 'type' | 'value'>, to: string): boolean {
  if (!isAddress(record)) return targetName(record) === to;
  return comparableValue(record.type, record.value) === comparableValue(record.type, to);
}

const typeOrder: readonly string[] = ['NS', ...recordTypes];

/** Sorts the apex first, then by host. */
export function compareRecords(a: RecordData, b: RecordData): number {
  if (a.host !== b.host) return a.host === '@' ? -1 : b.host === '@' ? 1 : a.host < b.host ? -1 : 1;
  return (
    typeOrder.indexOf(a.type) - typeOrder.indexOf(b.type) ||
    (a.prio ?? 0) - (b.prio ?? 0) ||
    (a.value < b.value ? -1 : 1)
  );
}

/** Finds the records of a zone that can conflict with a record, without reading each record of its name. */
export function createNeighbors<R extends RecordData>(records: readonly R[]) {
  const placed = new Map<string, Set<R>>();
  const keysOf = (record: RecordData) => {
    const keys = [`all ${record.host}`, `same ${identityOf(record)}`];
    return record.type === 'CNAME' ? [...keys, `CNAME ${record.host}`] : keys;
  };
  const add = (record: R) => {
    for (const key of keysOf(record)) placed.set(key, (placed.get(key) ?? new Set<R>()).add(record));
  };
  for (const record of records) add(record);
  return {
    add,
    remove: (record: R): void => {
      for (const key of keysOf(record)) placed.get(key)?.delete(record);
    },
    of: (record: RecordData): readonly R[] => {
      const keys =
        record.type === 'CNAME' ? [`all ${record.host}`] : [`same ${identityOf(record)}`, `CNAME ${record.host}`];
      return keys.flatMap((key) => [...(placed.get(key) ?? [])]);
    },
  };
}

/** Why a record cannot coexist with the others; undefined if it can. */
export function conflictOf<R extends RecordData>(record: RecordData, others: readonly R[], domain: string) {
  const name = fullName(record.host, domain);
  if (record.type === 'CNAME' && record.host === '@') {
    return {
      text: `${domain} itself cannot be a CNAME: it always has other records.`,
      hint: 'Give it A and AAAA records with the addresses instead; names below it, such as www, can be CNAMEs.',
      with: [],
    };
  }
  if (record.type === 'CNAME' && record.value.replace(/\.$/, '').toLowerCase() === name) {
    return { text: `${name} would point at itself.`, hint: 'Give the name it should point to.', with: [] };
  }
  const identity = identityOf(record);
  const here = others.filter((other) => other.host === record.host);
  const same = here.filter((other) => identityOf(other) === identity);
  if (same.length > 0) {
    return { text: `${recordText(record)} would be there twice.`, hint: 'Change the one that is there.', with: same };
  }
  const beside = record.type === 'CNAME' ? here : here.filter((other) => other.type === 'CNAME');
  if (beside.length === 0) return undefined;
  return {
    text:
      record.type === 'CNAME'
        ? `A CNAME must be the only record of its name, and ${name} has ${list(beside.slice(0, 4).map(recordText))}.`
        : `${name} is a CNAME (${beside[0]?.value ?? ''}), and a CNAME must be the only record of its name.`,
    hint: record.type === 'CNAME' ? 'Remove those first.' : 'Change the CNAME itself, or remove it first.',
    with: beside,
  };
}
